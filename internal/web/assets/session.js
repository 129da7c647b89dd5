// What the page knows, kept up to date: the stream of the server put into the store, the log of the run that is looked
// at, and its plan.
import {Failure, Stream, api} from './api.js';
import {stateWords} from './icons.js';
import {Log} from './logdata.js';
import {transition} from './notify.js';
import {set, state} from './store.js';
import {debounce, live, say, title} from './util.js';

// Logs that were read stay for a while: going back to one is instant, and only what is new is fetched.
const kept = new Map(); // id → Log, the newest last
const keptRuns = 4;
const keptLines = 400_000;

let onFirst = () => {};
let planTimer = 0;
let planKey = '';

const stream = new Stream({
  open: () => meta(),
  phase: (conn) => {
    set({conn: {...state.conn, ...conn, error: conn.phase === 'live' ? '' : state.conn.error}});
    if (conn.phase === 'waiting') refused();
  },
  runs: (list) => {
    const runs = new Map(list.map((r) => [r.id, r]));
    if (state.loaded) for (const r of list) transition(state.runs.get(r.id), r);
    set({runs, loaded: true});
    onFirst(list[0]?.id);
  },
  run: (run) => {
    const known = state.runs.get(run.id);
    transition(known, run);
    set({runs: new Map(state.runs).set(run.id, run)});
    if (!known) onFirst(run.id);
  },
  gone: (id) => {
    const runs = new Map(state.runs);
    runs.delete(id);
    set({runs});
  },
  detail: (detail) => {
    if (detail.id !== state.id) return;
    if (state.detail && state.detail.state !== detail.state) say(`${title(detail)}: ${stateWords[detail.state]}`);
    set({detail});
    log().told(detail);
    lookAtPlan(detail);
  },
  rows: (rows) => {
    log().append(rows);
    if (rows.some((r) => planFacts.has(r.type))) planSoon();
  },
  caughtUp: () => {
    set({catchingUp: false});
    log().caughtUp();
  },
  reset: () => log().clear(),
});

const planFacts = new Set(['tick', 'task_start', 'task_end', 'archived', 'plan_file', 'run_start', 'run_restart', 'run_end']);

// log is that of the run that is looked at.
export function log() {
  const id = state.id;
  let l = kept.get(id);
  if (!l) l = new Log(id);
  kept.delete(id);
  kept.set(id, l);
  let lines = 0;
  for (const [key, old] of [...kept].reverse()) {
    lines += old.length;
    if (key !== id && (kept.size > keptRuns || lines > keptLines)) kept.delete(key);
  }
  return l;
}

// follow turns to another run ('' = none).
export function follow(id) {
  planKey = '';
  clearTimeout(planTimer);
  if (!id) return stream.follow('');
  const l = log();
  set({catchingUp: true});
  l.catching();
  stream.follow(id, l.seq);
}

export const wake = () => {
  stream.now();
  if (state.id) planSoon();
};

export const rest = () => stream.rest();

// start connects. first is called with the id of the newest run whenever the list came.
export function start(first) {
  onFirst = first;
  if (!state.id) stream.follow('');
}

// meta is asked for at each connection: a new server has a new key for orders.
async function meta() {
  try {
    set({meta: await api.get('/meta')});
  } catch { /* the stream tells that the server is not there */ }
}

// refused asks why the stream ended: a server that was started again with a token wants its link to be opened again.
async function refused() {
  let error = '';
  try {
    await api.get('/meta');
  } catch (err) {
    if (err.status === 401 || err.status === 403) error = [err.message, err.hint].filter(Boolean).join(': ');
  }
  if (error !== state.conn.error) set({conn: {...state.conn, error}});
}

// lookAtPlan reads the plan again when what the run says of it is not what it said before.
function lookAtPlan(d) {
  const key = [d.state, d.task, d.plan_path, d.plan, d.tasks?.total, d.tasks?.done, d.tasks?.failed, ...(d.task_list ?? []).map((t) => t.state + t.ticks)].join();
  if (key === planKey) return;
  planKey = key;
  planSoon();
}

const planSoon = debounce(() => loadPlan(), 250);
const planEvery = 5_000;

// loadPlan asks for the plan of the run, and again each few seconds while the run goes on and somebody looks: a person may
// edit it, which no event tells.
async function loadPlan() {
  clearTimeout(planTimer);
  const id = state.id;
  const run = state.detail ?? state.runs.get(id);
  if (!id || !(run?.plan || run?.plan_file)) return;
  try {
    const plan = await api.get(api.run(id, '/plan'));
    if (id !== state.id) return;
    if (JSON.stringify(plan) !== JSON.stringify(state.plan)) set({plan, planError: ''});
  } catch (err) {
    if (id !== state.id) return;
    if (err instanceof Failure && err.status === 404) set({plan: null, planError: err.message});
    else if (!state.plan) set({planError: err.message});
  }
  clearTimeout(planTimer);
  planTimer = setTimeout(() => {
    if (!document.hidden && live(state.detail ?? state.runs.get(id))) loadPlan();
  }, planEvery);
}
