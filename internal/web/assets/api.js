// How the page talks to the server: JSON over fetch, and one stream of server-sent events a tab.
import {state} from './store.js';

const base = '/api/v1';

// Failure is an error as the server words it: what is wrong, and what to do about it.
export class Failure extends Error {
  constructor(message, {code = '', hint = '', status = 0} = {}) {
    super(message);
    Object.assign(this, {code, hint, status});
  }
}

async function ask(path, init = {}) {
  let answer;
  try {
    answer = await fetch(base + path, {credentials: 'same-origin', ...init});
  } catch (err) {
    if (err.name === 'AbortError') throw err;
    throw new Failure('the server does not answer', {code: 'unreachable', hint: 'is ralphex still running?'});
  }
  if (answer.ok) return answer;
  let said = {};
  try {
    said = (await answer.json()).error ?? {};
  } catch { /* not from our server, or cut off */ }
  throw new Failure(said.message || `${answer.status} ${answer.statusText}`, {...said, status: answer.status});
}

// api is handed to views. Paths are below /api/v1: api.get(api.run(id, '/cost')).
export const api = {
  run: (id, rest = '') => `/runs/${encodeURIComponent(id)}${rest}`,
  href: (path) => base + path,
  get: async (path, init) => (await ask(path, init)).json(),
  text: async (path, init) => (await ask(path, init)).text(),
  post: async (path, body) => (await ask(path, {
    method: 'POST',
    headers: {'Content-Type': 'application/json', 'X-Ralphex-CSRF': state.meta?.csrf ?? ''},
    body: JSON.stringify(body),
  })).json(),
  // control gives an order to a run: api.control(id, {verb: 'pause', after_task: true}) → {ok, text, hint}.
  control: (id, order) => api.post(api.run(id, '/control'), {id: orderID(), ...order}),
};

// orderID names an order, so that one that is sent twice is obeyed once. randomUUID is only there on https and localhost.
function orderID() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const b = crypto.getRandomValues(new Uint8Array(16));
  b[6] = (b[6] & 0x0f) | 0x40;
  b[8] = (b[8] & 0x3f) | 0x80;
  const s = [...b].map((x) => x.toString(16).padStart(2, '0')).join('');
  return `${s.slice(0, 8)}-${s.slice(8, 12)}-${s.slice(12, 16)}-${s.slice(16, 20)}-${s.slice(20)}`;
}

const firstPause = 1_000;
const longestPause = 30_000;

// Stream keeps one connection to the server open: it comes back by itself after 1 s, 2 s, … 30 s, and goes on behind the
// last row it had. handlers: open(), runs(list), run(run), gone(id), detail(detail), rows(list), caughtUp(), reset(),
// phase({phase, retryAt}).
export class Stream {
  constructor(handlers) {
    this.handlers = handlers;
    this.run = '';
    this.after = 0;
    this.began = '';
    this.pause = firstPause;
    this.source = null;
    this.timer = 0;
  }

  // follow opens the stream of a run ('' = only the list) behind the row after.
  follow(run, after = 0) {
    this.run = run;
    this.after = after;
    this.began = ''; // when the run began whose rows are here
    this.pause = firstPause;
    this.#open();
  }

  // now tries at once, instead of at the end of the pause.
  now() {
    if (!this.source || this.source.readyState === EventSource.CLOSED) this.#open();
  }

  // rest closes the connection until now is called: a page that the browser keeps aside must not hold one of the few it has for a server.
  rest() {
    clearTimeout(this.timer);
    this.source?.close();
  }

  #open() {
    clearTimeout(this.timer);
    this.source?.close();
    const query = new URLSearchParams();
    if (this.run) query.set('run', this.run);
    if (this.run && this.after > 0) query.set('after', String(this.after));
    const source = new EventSource(`${base}/stream${query.size ? `?${query}` : ''}`);
    this.source = source;
    this.handlers.phase({phase: 'connecting', retryAt: 0});
    const on = (name, f) => source.addEventListener(name, (e) => {
      if (source === this.source) f(e);
    });
    on('open', () => {
      this.pause = firstPause;
      this.handlers.phase({phase: 'live', retryAt: 0});
      this.handlers.open();
    });
    on('runs', (e) => this.handlers.runs(JSON.parse(e.data).runs));
    on('run', (e) => this.handlers.run(JSON.parse(e.data)));
    on('gone', (e) => this.handlers.gone(JSON.parse(e.data).id));
    on('state', (e) => {
      const detail = JSON.parse(e.data);
      const other = this.began && this.began !== detail.started;
      this.began = detail.started;
      if (other) { // the log was begun anew while nobody was connected: the rows that are here are of another run
        this.after = 0;
        this.handlers.reset();
        this.#open();
      }
      this.handlers.detail(detail);
    });
    on('caught-up', () => this.handlers.caughtUp());
    on('reset', () => {
      this.after = 0;
      this.began = '';
      this.handlers.reset();
    });
    on('message', (e) => {
      const rows = JSON.parse(e.data);
      const id = Number(e.lastEventId);
      if (id > this.after) this.after = id;
      this.handlers.rows(rows);
    });
    on('error', () => this.#lost());
  }

  // lost closes what the browser would open again by its own clock.
  #lost() {
    this.source.close();
    const wait = this.pause * (0.8 + 0.4 * Math.random()); // many tabs don't come back in the same instant
    this.pause = Math.min(this.pause * 2, longestPause);
    this.handlers.phase({phase: 'waiting', retryAt: Date.now() + wait});
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.#open(), wait);
  }
}
