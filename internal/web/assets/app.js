// The shell of the dashboard: the list of runs at the left, a run's header, its views as tabs, its plan at the right.
//
// How to add a view: write a module that exports a component, and give it a row in views.js:
//
//   {id: 'cost', label: 'Cost', key: '3', load: () => import('./cost.js').then((m) => m.CostView)}
//
// id is the `view=` of the address and the tab's data-view, key the digit that opens it. A view, and each component of
// `slots` in views.js, is given these properties:
//
//   run     the run as a row of the list (view.Run of the server; never null)
//   detail  all that is known of it (view.Detail), or null until it has come; a new object whenever something changed
//   api     get, text, post, control, run, href of api.js; errors are Failure {message, hint, code, status}
//   params  what the address says beside run and view, as strings: {seq, task, file, …}
//   go      go({view, seq, …}) opens another view or place: it writes the address, which is what draws the page. Keys that
//           are not named are dropped, but for run. go({view: 'log', seq: 412}) shows the event 412 in the log.
//   plan    the plan as GET …/plan tells it, or null
//
// A view fills a <section class="view">; it scrolls inside of itself, and never makes the page wider. Keys: useKeys of
// keys.js (they show on the help sheet). Figures and words: util.js. Colours, spaces: the custom properties of styles.css.
// A css file of its own gets a <link> in index.html. Styles are set by class or by Preact's style objects: the content
// security policy of the server allows no inline style, script or handler.
import {html, render, useCallback, useEffect, useErrorBoundary, useRef, useState} from './lib.js';
import {api} from './api.js';
import {Banner, Header} from './header.js';
import {Icon} from './icons.js';
import {Help, listen, useKeys} from './keys.js';
import {badge} from './notify.js';
import {Plan} from './plan.js';
import {Runs} from './runs.js';
import {follow, rest, start, wake} from './session.js';
import {prefs, set, state, use} from './store.js';
import {title} from './util.js';
import {views} from './views.js';

// place reads the address: #run=ID&view=log&seq=N. A bare #ID is the public dashboard's.
function place() {
  const hash = location.hash.slice(1);
  if (hash && !hash.includes('=')) return {id: decodeURIComponent(hash), view: 'log', params: {}};
  const {run = '', view = 'log', ...params} = Object.fromEntries(new URLSearchParams(hash));
  return {id: run, view: views.some((v) => v.id === view) ? view : 'log', params};
}

// go writes the address; moving within a view does not fill the browser's history.
export function go(to) {
  const query = new URLSearchParams();
  const {run = state.id, view = state.view, ...rest} = to;
  if (run) query.set('run', run);
  if (view !== 'log' || rest.seq) query.set('view', view);
  for (const [k, v] of Object.entries(rest)) if (v !== undefined && v !== null && v !== '') query.set(k, v);
  const hash = `#${query}`;
  if (hash === location.hash) return arrive();
  const same = run === state.id && view === state.view;
  history[same ? 'replaceState' : 'pushState'](null, '', hash);
  arrive();
}

function arrive() {
  const p = place();
  const changed = p.id !== state.id;
  set(changed ? {...p, detail: null, plan: null, planError: ''} : p);
  if (changed) follow(p.id);
  if (p.id) prefs.set('currentSessionId', p.id);
}

const narrow = matchMedia('(max-width: 760px)');
const medium = matchMedia('(max-width: 1100px)');

// usePanel is a side panel: a column that is remembered where there is room, a drawer where there is not.
function usePanel(id, name, cls, query) {
  const [drawer, setDrawer] = useState(query.matches);
  const [shut, setShut] = useState(prefs.get(name) === 'true');
  const [pulled, setPulled] = useState(false);
  useEffect(() => {
    const on = () => {
      setDrawer(query.matches);
      setPulled(false);
    };
    query.addEventListener('change', on);
    return () => query.removeEventListener('change', on);
  }, []);
  const open = drawer ? pulled : !shut;
  useEffect(() => {
    document.documentElement.classList.toggle(`${cls}-shut`, shut);
    document.documentElement.classList.toggle(`${cls}-pulled`, drawer && pulled);
  }, [shut, drawer, pulled]);
  // A drawer that opens takes the focus, and gives it back.
  useEffect(() => {
    if (!drawer || !pulled) return undefined;
    const before = document.activeElement;
    const panel = document.getElementById(id);
    (panel.querySelector('[aria-current=true], [aria-current=step] button') ?? panel.querySelector('button, input'))?.focus({preventScroll: true});
    return () => before?.isConnected && before.focus({preventScroll: true});
  }, [drawer, pulled]);
  const put = useCallback((on) => {
    if (query.matches) return setPulled(on);
    setShut(!on);
    prefs.set(name, String(!on));
  }, []);
  return {open, drawer, put, toggle: () => put(!open)};
}

function App() {
  const runs = use((s) => s.runs);
  const loaded = use((s) => s.loaded);
  const id = use((s) => s.id);
  const view = use((s) => s.view);
  const params = use((s) => s.params);
  const detail = use((s) => s.detail);
  const plan = use((s) => s.plan);
  const refused = use((s) => s.conn.error);
  const side = usePanel('runs', 'sidebarCollapsed', 'side', narrow);
  const planPanel = usePanel('plan', 'planCollapsed', 'plan', medium);
  const [help, setHelp] = useState(0); // how often it was asked for since it was shut: each time counts, whatever the dialog has told of itself by then
  const showHelp = () => setHelp((n) => n + 1);
  const run = detail ?? runs.get(id) ?? null;

  const pick = useCallback((next) => {
    go({run: next, view: state.view === 'log' ? 'log' : state.view});
    if (narrow.matches) side.put(false);
  }, []);
  useKeys('Page', [
    ['?', 'this sheet', () => showHelp()],
    [['s', 'S'], 'list of runs', () => side.toggle()],
    [['p', 'P'], 'plan', () => planPanel.toggle()],
    ['Escape', 'close a drawer', () => {
      const open = (side.drawer && side.open) || (planPanel.drawer && planPanel.open);
      if (!open) return false;
      if (side.drawer) side.put(false);
      if (planPanel.drawer) planPanel.put(false);
      return true;
    }],
  ]);
  useKeys('Views', views.filter((v) => v.key).map((v) => [v.key, v.label, () => go({view: v.id})]));
  useEffect(() => badge(run, runs), [run, runs]);

  const props = run && {run, detail, api, params, go, plan};
  return html`<div class="shell">
    <a class="skip" href="#main" onClick=${(e) => {
      e.preventDefault();
      document.getElementById('main').focus();
    }}>Skip to the run</a>
    <${Runs} open=${side.open} pick=${pick} close=${() => side.put(false)} />
    <main id="main" class="main" tabindex="-1" aria-label=${run ? title(run) : 'Run'}>
      <${Header} ...${{run, detail, props, side, planPanel, help: () => showHelp()}} />
      ${run && html`<${Banner} ...${props} />`}
      ${run ? html`<${Tabs} view=${view} detail=${detail} />` : html`<div class="tabs" />`}
      ${run ? html`<${View} key=${`${id} ${view}`} view=${view} props=${props} />` : html`<${Nothing} loaded=${loaded} id=${id} some=${runs.size > 0} />`}
    </main>
    <${Plan} ...${{run, detail, plan, go, open: planPanel.open && Boolean(run), close: () => planPanel.put(false)}} />
    <div class="scrim" onClick=${() => {
      side.put(false);
      planPanel.put(false);
    }} hidden=${!((side.drawer && side.open) || (planPanel.drawer && planPanel.open))} />
    ${refused && html`<p class="refused" role="alert">${refused}</p>`}
    <${Help} open=${help} close=${() => setHelp(0)} />
  </div>`;
}

function Tabs({view, detail}) {
  const list = useRef();
  const walk = (e) => {
    const d = {ArrowRight: 1, ArrowLeft: -1}[e.key];
    if (!d) return;
    const i = views.findIndex((v) => v.id === view);
    const next = views[(i + d + views.length) % views.length];
    go({view: next.id});
    list.current.querySelector(`[data-view=${next.id}]`).focus();
    e.preventDefault();
  };
  useEffect(() => list.current.querySelector('[aria-selected=true]')?.scrollIntoView({block: 'nearest', inline: 'nearest'}), [view]);
  const counts = {
    findings: detail?.finding_list?.filter((f) => f.disposition === 'open').length,
    gates: detail?.gates?.length,
  };
  return html`<div class="tabs" role="tablist" aria-label="Views" ref=${list} onKeyDown=${walk}>
    ${views.map((v) => html`<button key=${v.id} role="tab" id=${`tab-${v.id}`} class="tab" data-view=${v.id} aria-selected=${v.id === view}
      aria-controls="view" tabindex=${v.id === view ? 0 : -1} onClick=${() => go({view: v.id})}>${v.label}${counts[v.id] > 0 && html`<span class="pill num">${counts[v.id]}</span>`}</button>`)}
  </div>`;
}

// View draws a view once its module is there.
function View({view, props}) {
  const [got, setGot] = useState(null); // {component} or {error}
  const [broken] = useErrorBoundary((err) => console.error(err)); // a view that breaks leaves the others whole
  useEffect(() => {
    let here = true;
    views.find((v) => v.id === view).load().then(
      (component) => here && setGot({component}),
      (error) => here && setGot({error}),
    );
    return () => {
      here = false;
    };
  }, [view]);
  return html`<section id="view" class="view-box" role="tabpanel" aria-labelledby=${`tab-${view}`}>
    ${broken && html`<div class="empty"><p>This view broke: ${broken.message}</p><button class="button" onClick=${() => location.reload()}>Reload the page</button></div>`}
    ${!broken && got?.component && html`<${got.component} ...${props} />`}
    ${got?.error && html`<div class="empty"><p>This view could not be loaded: ${got.error.message}</p><p class="dim">The server may have been replaced by another version. Reload the page.</p></div>`}
  </section>`;
}

function Nothing({loaded, id, some}) {
  if (!loaded) return html`<section class="view-box"><p class="empty dim" aria-busy="true">Connecting …</p></section>`;
  return html`<section class="view-box"><div class="empty big">
    ${id ? html`<h2>No such run</h2><p>The address names <code>${id}</code>, which is not in a folder that is watched.</p>`
      : some ? html`<h2>Pick a run</h2><p>They are listed at the left. <kbd>s</kbd> opens the list, <kbd>]</kbd> takes the next.</p>`
        : html`<h2>Nothing has run here yet</h2><p>Start a plan in a repository, and it appears here at once:</p><pre><code>cd my-project${'\n'}ralphex docs/plans/feature.md</code></pre>
          <p>To watch other folders:</p><pre><code>ralphex serve ~/src/one ~/src/two</code></pre><p class="dim">No plan yet? <code>ralphex --plan "what you want"</code> makes one; <code>ralphex demo</code> shows everything without an agent.</p>`}
  </div></section>`;
}

addEventListener('hashchange', arrive);
addEventListener('popstate', arrive);
addEventListener('online', wake);
addEventListener('pagehide', rest);
addEventListener('pageshow', (e) => e.persisted && wake());
document.addEventListener('visibilitychange', () => document.hidden || wake());
listen();
start((first) => {
  const known = prefs.get('currentSessionId');
  if (!state.id && first) go({run: state.runs.has(known) ? known : first});
});
arrive();
render(html`<${App} />`, document.getElementById('app'));
