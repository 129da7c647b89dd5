// The list of runs: grouped by repository or by time, sorted, filtered, each with its state.
import {html, useEffect, useMemo, useRef, useState} from './lib.js';
import {Icon, stateWords} from './icons.js';
import {useKeys} from './keys.js';
import {prefs, use, useNow} from './store.js';
import {ago, base, cost, count, cx, elapsed, live, ms, needy, span, ticking, title} from './util.js';

const orders = {
  activity: ['Activity', (a, b) => ms(b.last) - ms(a.last)],
  started: ['Start', (a, b) => ms(b.started) - ms(a.started)],
  state: ['State', (a, b) => rank(a) - rank(b) || ms(b.last) - ms(a.last)],
  cost: ['Cost', (a, b) => (cost(b)?.usd ?? 0) - (cost(a)?.usd ?? 0)],
  name: ['Name', (a, b) => title(a).localeCompare(title(b))],
};
const rank = (r) => (needy(r) ? 0 : ['active', 'paused', 'waiting', 'stalled', 'failed', 'killed', 'aborted', 'completed'].indexOf(r.state) + 1);

const wants = {
  all: ['All', () => true],
  live: ['Running', live],
  needs: ['Needs you', needy],
  ended: ['Ended', (r) => !live(r)],
};

// matches tells whether each word is found somewhere in what the row says.
function matches(run, words) {
  const text = [title(run), run.project, run.branch, run.plan, run.id, run.state, stateWords[run.state], run.mode, run.executor].join('\n').toLowerCase();
  return words.every((w) => text.includes(w));
}

// arrange returns [{name, root, runs}]; without grouping one group without a name.
function arrange(runs, grouped, order) {
  const sorted = [...runs].sort(orders[order][1]);
  if (!grouped) return [{name: '', root: '', runs: sorted}];
  const groups = new Map();
  for (const r of sorted) {
    const key = r.root || r.project;
    if (!groups.has(key)) groups.set(key, {name: r.project || base(r.root) || 'elsewhere', root: r.root, runs: []});
    groups.get(key).runs.push(r);
  }
  return [...groups.values()];
}

export function Runs({open, pick, close}) {
  const runs = use((s) => s.runs);
  const loaded = use((s) => s.loaded);
  const id = use((s) => s.id);
  const [chosen, setChosen] = useState(prefs.get('sessionViewMode'));
  const [order, setOrder] = useState(() => (orders[prefs.get('sessionSort')] ? prefs.get('sessionSort') : 'activity'));
  const [want, setWant] = useState('all');
  const [text, setText] = useState('');
  const [shut, setShut] = useState(() => new Set(prefs.json('collapsedProjects', [])));
  const all = useMemo(() => [...runs.values()], [runs]);
  const now = useNow(1000, all.some(live) || open);
  const list = useRef();

  // Without a choice runs of several repositories are grouped.
  const grouped = chosen ? chosen === 'grouped' : all.some((r) => r.root !== all[0].root);
  const mode = (on) => {
    setChosen(on ? 'grouped' : 'recent');
    prefs.set('sessionViewMode', on ? 'grouped' : 'recent');
  };
  useKeys('Runs', [
    [['t', 'T'], 'by time', () => mode(false)],
    [['g', 'G'], 'by project', () => mode(true)],
    ['[', 'previous run', () => step(-1)],
    [']', 'next run', () => step(1)],
  ]);

  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = all.filter((r) => wants[want][1](r) && matches(r, words));
  const groups = arrange(shown, grouped, order);
  const flat = groups.flatMap((g) => (shut.has(g.root || g.name) && g.name ? [] : g.runs));
  const step = (d) => {
    const i = flat.findIndex((r) => r.id === id);
    const next = flat[i < 0 ? 0 : i + d];
    if (next) pick(next.id);
  };
  // The arrows walk over what can be focused in the list: one stop for Tab, as in any list box.
  const walk = (e) => {
    const d = {ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity}[e.key];
    if (!d) return;
    const stops = [...list.current.querySelectorAll('[data-stop]')];
    const at = stops.indexOf(document.activeElement.closest('[data-stop]'));
    stops[Math.max(0, Math.min(stops.length - 1, at + d))]?.focus();
    e.preventDefault();
  };
  const toggle = (key) => setShut((old) => {
    const next = new Set(old);
    if (!next.delete(key)) next.add(key);
    prefs.set('collapsedProjects', JSON.stringify([...next]));
    return next;
  });
  useEffect(() => {
    list.current?.querySelector('[aria-current=true]')?.scrollIntoView({block: 'nearest'});
  }, [id, grouped, order, loaded]);

  const needing = all.filter(needy).length;
  const stop = flat.some((r) => r.id === id) ? id : flat[0]?.id;
  return html`<nav id="runs" class="side" aria-label="Runs" inert=${!open}>
    <div class="side-head">
      <input type="search" class="field" placeholder="Filter runs" aria-label="Filter runs" value=${text} spellcheck="false"
        onInput=${(e) => setText(e.target.value)} onKeyDown=${(e) => e.key === 'Escape' && (text ? setText('') : e.target.blur())} />
      <button class="ghost narrow-only" onClick=${close} aria-label="Close the list of runs"><${Icon} name="close" /></button>
    </div>
    <div class="side-tools">
      <div class="seg" role="group" aria-label="Arrange">
        <button aria-pressed=${!grouped} onClick=${() => mode(false)} title="by time (t)">Recent</button>
        <button aria-pressed=${grouped} onClick=${() => mode(true)} title="by project (g)">Grouped</button>
      </div>
      <select class="quiet" aria-label="Show" value=${want} onChange=${(e) => setWant(e.target.value)}>
        ${Object.entries(wants).map(([k, [name]]) => html`<option key=${k} value=${k}>${name}${k === 'needs' && needing ? ` (${needing})` : ''}</option>`)}
      </select>
      <select class="quiet" aria-label="Sort by" value=${order} onChange=${(e) => {
        setOrder(e.target.value);
        prefs.set('sessionSort', e.target.value);
      }}>${Object.entries(orders).map(([k, [name]]) => html`<option key=${k} value=${k}>${name}</option>`)}</select>
    </div>
    <div class="run-list" ref=${list} onKeyDown=${walk}>
      ${!loaded && html`<p class="empty dim" aria-busy="true">Reading the runs …</p>`}
      ${loaded && all.length === 0 && html`<div class="empty"><p>No run yet.</p><p class="dim">Start one in a repository:</p>
        <code>ralphex docs/plans/feature.md</code><p class="dim">or try the demonstration:</p><code>ralphex demo</code></div>`}
      ${loaded && all.length > 0 && shown.length === 0 && html`<div class="empty"><p>None of ${count(all.length, 'run')} matches.</p>
        <button class="button" onClick=${() => {
          setText('');
          setWant('all');
        }}>Show all</button></div>`}
      ${groups.map((g) => html`<${Group} key=${g.root || g.name || 'all'} ...${{g, now, id, pick, toggle, stop, grouped, shut: shut.has(g.root || g.name)}} />`)}
    </div>
  </nav>`;
}

function Group({g, now, id, pick, toggle, stop, grouped, shut}) {
  const folded = grouped && shut;
  const busy = g.runs.filter(live).length;
  return html`<section class="run-group" aria-label=${g.name || undefined}>
    ${g.name && html`<h3><button data-stop tabindex="-1" aria-expanded=${!folded} title=${g.root} onClick=${() => toggle(g.root || g.name)}>
      <${Icon} name="chevron" /><bdi class="cut">${g.name}</bdi>
      <span class="dim">${busy > 0 ? `${busy} of ${g.runs.length} running` : count(g.runs.length, 'run')}</span></button></h3>`}
    ${!folded && html`<ul>${g.runs.map((r) => html`<${Row} key=${r.id} run=${r} now=${live(r) ? now : Math.floor(now / 30_000) * 30_000}
      here=${r.id === id} pick=${pick} stop=${stop === r.id} grouped=${grouped} />`)}</ul>`}
  </section>`;
}

// Row is drawn again only when something of it changed: the clock ticks for the runs that go on.
function Row({run, now, here, pick, stop, grouped}) {
  return useMemo(() => drawRow(run, now, here, pick, stop, grouped), [run, now, here, pick, stop, grouped]);
}

function drawRow(run, now, here, pick, stop, grouped) {
  const t = run.tasks ?? {};
  const c = cost(run);
  const took = elapsed(run, now);
  const at = live(run) && run.task ? `task ${run.task}` : live(run) && run.section ? run.section : run.branch || run.mode;
  const where = [grouped ? '' : run.project, at].filter(Boolean).join(' · ');
  return html`<li>
    <button class=${cx('run', `s-${run.state}`, needy(run) && 'needy')} data-stop data-run-id=${run.id} data-state=${run.state}
      tabindex=${stop ? 0 : -1} aria-current=${here ? 'true' : undefined} title=${[title(run), run.why].filter(Boolean).join('\n')}
      onClick=${() => pick(run.id)}>
      <${Icon} name=${run.state} class="state" label=${`${stateWords[run.state]}${needy(run) ? ', needs you' : ''}`} />
      <span class="run-title cut"><bdi>${title(run)}</bdi></span>
      <span class="run-ago num">${live(run) ? ticking(took) : ago(ms(run.last), now)}</span>
      <span class="run-where cut"><bdi>${needy(run) || ['failed', 'waiting', 'paused'].includes(run.state) ? run.why || where : where}</bdi></span>
      <span class="run-cost num">${c ? c.text : live(run) ? '' : span(took)}</span>
      <${Bar} tasks=${t} state=${run.state} />
    </button>
  </li>`;
}

// Bar shows how many tasks are done, failed and left; without tasks it keeps its place.
export function Bar({tasks, state}) {
  const total = tasks?.total ?? 0;
  const part = (n) => `${total ? (100 * n) / total : 0}%`;
  return html`<span class="bar-row"><span class=${cx('bar', `s-${state}`, !total && 'none')} aria-hidden="true">
      <i style=${{width: part(tasks?.done ?? 0)}} /><b style=${{width: part(tasks?.failed ?? 0)}} /></span>
    <span class="num dim">${total ? `${tasks.done}/${total}` : ''}</span></span>`;
}
