// What stands above a run's views: what it is, how it stands and why, and its figures.
import {html, useState} from './lib.js';
import {Icon, stateWords} from './icons.js';
import {Bar} from './runs.js';
import {want, wanted} from './notify.js';
import {prefs, use, useNow} from './store.js';
import {base, copy, cost, count, cx, day, elapsed, fullTime, live, ms, needy, number, say, short, span, ticking, title, tokens} from './util.js';
import {slots} from './views.js';

const phases = {task: 'task', review: 'review', codex: 'codex', 'claude-eval': 'eval', plan: 'plan', finalize: 'finalize'};

export function Header({run, detail, props, side, planPanel, help}) {
  return html`<header class="head">
    <div class="head-top">
      <button class="ghost" onClick=${side.toggle} aria-pressed=${side.open} aria-controls="runs" aria-label="List of runs" title="list of runs (s)"><${Icon} name="panel" /></button>
      ${run ? html`<${Title} run=${run} />` : html`<div class="head-title"><h1>ralphex</h1></div>`}
      <div class="head-tools">
        ${run && slots.controls && html`<${slots.controls} ...${props} />`}
        ${run && slots.exporter && html`<${slots.exporter} ...${props} />`}
        <${Connection} />
        <${Bell} /><${Theme} />
        <button class="ghost" onClick=${help} aria-label="Keyboard help" title="keys (?)"><b aria-hidden="true">?</b></button>
        <button class="ghost" onClick=${planPanel.toggle} disabled=${!run} aria-pressed=${planPanel.open} aria-controls="plan" aria-label="Plan" title="plan (p)"><${Icon} name="list" /></button>
      </div>
    </div>
    ${run && html`<${Facts} run=${run} detail=${detail} />`}
  </header>`;
}

function Title({run}) {
  const params = [run.mode, run.executor].filter(Boolean).join(' · ');
  const place = run.worktree || run.root;
  return html`<div class="head-title">
    <h1 class="cut" title=${title(run)}><bdi>${title(run)}</bdi></h1>
    <p class="cut dim"><button class="plain" title=${`copy ${place}`} onClick=${async () => say((await copy(place)) ? 'path copied' : 'the browser does not allow copying')}>
      <bdi>${run.project || base(place)}</bdi> <${Icon} name="copy" label="copy the path" /></button>
      ${run.branch && html`<span class="sep"><${Icon} name="branch" label="branch" /> <bdi>${run.branch}</bdi></span>`}
      ${run.plan && html`<span class="sep" title=${run.plan_path}><bdi>${run.plan}</bdi></span>`}
      ${params && html`<span class="sep">${params}</span>`}
      ${run.host && html`<span class="sep wide-only">${run.host}</span>`}</p>
  </div>`;
}

// Facts is one line of figures; each has its place from the beginning, so that nothing moves when a figure comes.
function Facts({run, detail}) {
  const on = live(run);
  const now = useNow(1000, on);
  const t = run.tasks ?? {};
  const c = cost(run);
  const n = tokens(run.usage);
  const f = run.findings ?? {};
  const d = run.diff;
  const limit = detail?.budget?.run?.cost_usd;
  const phase = on && run.phase ? phases[run.phase] ?? run.phase : '';
  const until = run.waiting?.until ? ` until ${day(ms(run.waiting.until), now)}` : '';
  const why = run.why || run.waiting?.text || (on ? doing(run) : '');
  const known = usageWords(run.usage);
  return html`<div class="facts">
    <span class=${cx('badge', `s-${run.state}`, needy(run) && 'needy')} data-state=${run.state}><${Icon} name=${run.state} />
      <span>${stateWords[run.state]}${until}</span>${phase && html`<span class="badge-phase">${phase}</span>`}</span>
    <span class="why cut" title=${why}><bdi>${why}</bdi></span>
    <dl class="figures">
      <${Figure} name="Time" title=${run.started ? `started ${fullTime(ms(run.started))}${run.ended ? `, ended ${fullTime(ms(run.ended))}` : ''}` : ''}>${on ? ticking(elapsed(run, now)) : span(elapsed(run, now))}</>
      <${Figure} name="Tasks" class="figure-tasks"><${Bar} tasks=${t} state=${run.state} /></>
      <${Figure} name="Cost" title=${c?.listed ? '≈: by API list price, of sessions that reported no cost' : run.unpriced ? `${count(run.unpriced, 'session')} of unknown cost` : 'as the agents report it'}>
        ${c ? c.text : '–'}${limit ? html`<span class="dim"> / $${limit}</span>` : ''}</>
      <${Figure} name="Tokens" class="no-phone" title=${known}>${n ? short(n) : '–'}</>
      <${Figure} name="Sessions" class="wide-only">${run.sessions || '–'}</>
      <${Figure} name="Findings" title=${`${f.open ?? 0} open, ${f.fixed ?? 0} fixed, ${f.refuted ?? 0} refuted`}>${f.open || f.fixed || f.refuted ? html`${f.open}<span class="dim"> / ${f.open + f.fixed + f.refuted}</span>` : '–'}</>
      <${Figure} name="Diff" title=${d ? `${count(d.files, 'file')} changed` : on ? 'counted when the run ends; Changes shows what there is so far' : ''}>${d ? html`<span class="dim files">${count(d.files, 'file')} </span><span class="plus">+${number(d.additions)}</span> <span class="minus">−${number(d.deletions)}</span>` : on ? html`<span class="dim">at the end</span>` : '–'}</>
    </dl>
  </div>`;
}

function Figure({name, title: hint, class: cls, children}) {
  return html`<div class=${cx('figure', cls)} title=${hint || undefined}><dt>${name}</dt><dd class="num">${children}</dd></div>`;
}

// doing says what a run that goes on is at.
const doing = (run) => (run.task && run.phase === 'task' ? `task ${run.task}${run.task_title ? `: ${run.task_title}` : ''}` : run.section ?? '');

function usageWords(u = {}) {
  return [['input', u.input_tokens], ['output', u.output_tokens], ['read from cache', u.cache_read_tokens], ['written to cache', u.cache_write_tokens]]
    .filter(([, n]) => n).map(([word, n]) => `${number(n)} ${word}`).join(', ');
}

// Banner holds its place for what a person must do; the component of views.js fills it.
export function Banner(props) {
  return slots.banner ? html`<${slots.banner} ...${props} />` : null;
}

function Connection() {
  const conn = use((s) => s.conn);
  const now = useNow(500, conn.phase === 'waiting');
  const words = {
    live: 'live', connecting: 'connecting', waiting: `reconnecting in ${Math.max(1, Math.ceil((conn.retryAt - now) / 1000))}s`,
  }[conn.phase];
  return html`<span id="connection" class=${`conn c-${conn.phase}`} data-state=${conn.phase} role="status" aria-live="polite" title=${conn.phase === 'live' ? 'connected: what happens is shown at once' : 'the server does not answer; is ralphex still running?'}>
    <i aria-hidden="true" /><span class="conn-word" aria-hidden=${conn.phase === 'waiting' ? 'true' : undefined}>${words}</span>${conn.phase === 'waiting' && html`<span class="offscreen">connection lost, reconnecting</span>`}</span>`;
}

const themes = {'': ['auto', 'as the system'], light: ['sun', 'light'], dark: ['moon', 'dark']};

function Theme() {
  const [theme, setTheme] = useState(document.documentElement.dataset.theme ?? '');
  const [icon, word] = themes[theme];
  const next = () => {
    const to = {'': 'light', light: 'dark', dark: ''}[theme];
    if (to) document.documentElement.dataset.theme = to;
    else delete document.documentElement.dataset.theme;
    prefs.set('theme', to);
    setTheme(to);
    dispatchEvent(new Event('themechange')); // what is drawn on a canvas draws itself again
  };
  return html`<button id="theme" class="ghost" onClick=${next} title=${`theme: ${word}`} aria-label=${`Theme: ${word}`}><${Icon} name=${icon} /></button>`;
}

function Bell() {
  const [state, setState] = useState(wanted());
  const can = state === 'on' || state === 'off';
  const text = can ? `tell me when a run needs somebody or ends: ${state}` : state;
  return html`<button class="ghost no-phone" aria-pressed=${state === 'on'} aria-disabled=${!can} aria-label=${`Notifications: ${text}`} title=${text}
    onClick=${async () => {
      if (!can) return say(state);
      const now = await want(state !== 'on');
      setState(now);
      say(now === 'on' ? 'you will be told when a run needs somebody or ends' : now === 'off' ? 'notifications are off' : now);
    }}><${Icon} name="bell" /></button>`;
}
