// Trust: what the next iteration is about to do, what this run did, and what was mended without being asked. Only to look at.
import {html, useMemo, useRef, useState} from './lib.js';
import {Long, Nothing, Reading, Seg, Select, Trouble, cutAt, useFact} from './fact.js';
import {Icon} from './icons.js';
import {clock, count, cx, debounce, fullTime, ms} from './util.js';

const words = (name) => name.replace(/([a-z\d])([A-Z])/g, '$1 $2').replace(/_/g, ' ').toLowerCase();

export function TrustView({run, detail, api}) {
  const [part, setPart] = useState('timeline');
  // A journal grows all the time: the question is put again when something of weight happened, not at each line.
  const key = detail ? [run.id, run.state, detail.session_list.length, detail.commits.length, detail.gates.length, detail.rounds.length].join() : '';
  const {value, error, again} = useFact(key, (init) => api.get(api.run(run.id, '/trust'), init), 3000);
  if (error && !value) return html`<section class="view"><${Trouble} ...${{error, again}} /></section>`;
  if (!value) return html`<section class="view"><${Reading} what="what was recorded" /></section>`;
  const entries = value.timeline?.entries ?? [];
  const mended = value.remediations ?? [];
  return html`<section class="view">
    <div class="bar-tools">
      <${Seg} label="Part" value=${part} choose=${setPart} options=${[['timeline', 'Timeline', entries.length], ['intent', 'Intent'], ['remediations', 'Remediations', mended.length]]} />
      ${value.note && part !== 'timeline' && html`<span class="dim cut" title=${value.note}>${cutAt(value.note, 300)}</span>`}
    </div>
    ${part === 'timeline' && html`<${Entries} entries=${entries} told=${value.timeline} />`}
    ${part === 'intent' && html`<div class="fill-scroll pad" tabindex="0" role="region" aria-label="Intent">${value.intent ? html`<p class="dim">What the next iteration would do, as <code>ralphex timeline --intent</code> tells it now. Nothing of it has happened.</p><${Tree} value=${value.intent} />`
      : html`<${Nothing} title="Nothing is planned ahead"><p>${cutAt(value.note || 'This run works off a plan of its own.', 300)}</p></>`}</div>`}
    ${part === 'remediations' && html`<div class="fill-scroll pad" tabindex="0" role="region" aria-label="Remediations">${mended.length > 0
      ? mended.map((m, i) => html`<article key=${i} class="card"><${Tree} value=${m} /></article>`)
      : html`<${Nothing} title="Nothing was mended"><p>When the loop stops at the same task again and again, it proposes how to go on. Proposals, and what became of them, stand here.</p></>`}</div>`}
  </section>`;
}

const signs = {
  run_started: 'active', run_completed: 'completed', run_stopped: 'aborted', scm_action: 'branch', task_selected: 'chevron', task_state_changed: 'list', provider_invoked: 'active',
  provider_completed: 'end', verifier_result: 'search', artifact_written: 'copy',
};

function Entries({entries, told}) {
  const [kind, setKind] = useState('all');
  const [text, setText] = useState('');
  const typed = useMemo(() => debounce(setText, 120), []);
  const find = useRef();
  const kinds = useMemo(() => [...new Set(entries.map((e) => e.kind))].sort(), [entries]);
  const shown = entries.filter((e) => (kind === 'all' || e.kind === kind) && (!text || `${e.summary} ${e.taskId ?? ''}`.toLowerCase().includes(text.toLowerCase())));
  const most = 2000;
  if (entries.length === 0) return html`<${Nothing} title="Nothing is recorded yet"><p>The first entry comes with the start of the run.</p></>`;
  return html`<div class="bar-tools">
      <${Select} label="Kind" value=${kind} choose=${setKind} options=${[['all', 'any kind'], ...kinds.map((k) => [k, words(k)])]} />
      <div class="find"><${Icon} name="search" /><input ref=${find} class="field" type="search" placeholder="filter" aria-label="Filter the entries" onInput=${(e) => typed(e.currentTarget.value)} /></div>
      <span class="dim num">${count(shown.length, 'entry', 'entries')}${told?.stopReason ? ` · ended: ${cutAt(told.stopReason, 60)}` : ''}</span>
    </div>
    <div class="fill-scroll" tabindex="0" role="region" aria-label="What it did"><ol class="entries">
      ${shown.slice(0, most).map((e) => html`<li key=${e.seq}><span class="num dim" title=${fullTime(ms(e.timestamp))}>${clock(ms(e.timestamp))}</span>
        <${Icon} name=${signs[e.kind] ?? 'pending'} /><span class="entry-kind dim">${words(e.kind)}</span>
        <span class=${cx('entry-text', /: (failed|timed_out|rejected)/.test(e.summary) && 'minus')}><${Long} text=${e.summary} most=${400} /></span>${e.taskId && html`<span class="chip cut">${cutAt(String(e.taskId), 40)}</span>`}</li>`)}
      ${shown.length > most && html`<li class="dim">${count(shown.length - most, 'more entry', 'more entries')}: filter, or see <code>ralphex timeline</code></li>`}
    </ol></div>`;
}

// Tree shows a JSON value as a list of names and values, whatever it has.
function Tree({value, depth = 0}) {
  if (value === null || value === undefined || value === '') return html`<span class="dim">–</span>`;
  if (typeof value !== 'object') return html`<span class="tree-v"><bdi>${cutAt(String(value), 8000)}</bdi></span>`;
  if (depth > 8) return html`<code>${cutAt(JSON.stringify(value), 2000)}</code>`;
  const rows = Array.isArray(value) ? value.slice(0, 500).map((v, i) => [String(i + 1), v]) : Object.entries(value);
  if (rows.length === 0) return html`<span class="dim">none</span>`;
  if (Array.isArray(value) && value.every((v) => typeof v !== 'object')) return html`<ul class="tree-l">${rows.map(([i, v]) => html`<li key=${i}><bdi>${cutAt(String(v), 2000)}</bdi></li>`)}</ul>`;
  return html`<dl class="tree">${rows.map(([name, v]) => html`<div key=${name}><dt>${Array.isArray(value) ? `${name}.` : cutAt(words(name), 80)}</dt><dd><${Tree} value=${v} depth=${depth + 1} /></dd></div>`)}</dl>`;
}
