// The toolbar of the log: phases, what is shown, search, and how it is drawn.
import {html} from './lib.js';
import {Icon} from './icons.js';
import {groups} from './logdata.js';
import {count, number} from './util.js';

export const all = 0xffff; // bits: every kind of line

// tabsOf are the phase tabs: those of the public dashboard, by the names of who works here, and those of phases it has none for.
export function tabsOf(run, phases, reviewer) {
  const who = (name, fallback) => (name ? name[0].toUpperCase() + name.slice(1) : fallback);
  const tabs = [
    {id: 'all', label: 'All', phases: null},
    {id: 'task', label: 'Implementation', phases: ['task']},
    {id: 'review', label: `${who(run.executor, 'Claude')} Review`, phases: ['review']},
    {id: 'codex', label: `${who(reviewer, 'Codex')} Review`, phases: ['codex', 'claude-eval']},
  ];
  if (phases.has('plan')) tabs.splice(1, 0, {id: 'plan', label: 'Planning', phases: ['plan']});
  if (phases.has('finalize')) tabs.push({id: 'finalize', label: 'Finalize', phases: ['finalize']});
  return tabs;
}

// restOf turns all on again when nothing would be left.
const restOf = (bits) => (groups.every((g) => g.kinds.every((k) => !((bits >> k) & 1))) ? all : bits);

// found words how many lines match: "3 of 128 lines".
function found(search) {
  if (!search?.on) return '';
  if (!search.found.length) return search.done ? 'no match' : '…';
  return `${search.now >= 0 ? `${number(search.now + 1)} of ` : ''}${count(search.found.length, 'line')}${search.done ? '' : ' …'}`;
}

export function LogTools({tabs, tab, setPhase, kinds, setKinds, text, look, step, only, flip, every, wrap, stamps, log, search}) {
  return html`<div class="bar-tools log-tools">
    <div class="seg phases" role="group" aria-label="Phase">${tabs.map((t) => html`<button key=${t.id} data-phase=${t.id} class=${t.phases && !t.phases.some((p) => log.phases.has(p)) ? 'none' : ''} aria-pressed=${t.id === tab.id} onClick=${() => setPhase(t.id)}>${t.label}</button>`)}</div>
    <div class="seg kinds" role="group" aria-label="What is shown">${groups.map((g) => {
      const bits = g.kinds.reduce((b, k) => b | (1 << k), 0);
      const on = (kinds & bits) !== 0;
      return html`<button key=${g.id} data-kind=${g.id} aria-pressed=${on} title=${`${on ? 'hide' : 'show'} (with Shift: nothing else)`}
        onClick=${(e) => setKinds(e.shiftKey ? (kinds === bits ? all : bits) : restOf(on ? kinds & ~bits : kinds | bits))}>${g.label}</button>`;
    })}</div>
    <div class="find" role="search">
      <${Icon} name="search" />
      <input id="search" type="search" class="field" placeholder="Search the log" aria-label="Search the log" autocomplete="off" spellcheck="false" value=${text}
        onInput=${(e) => look(e.target.value)}
        onKeyDown=${(e) => {
          if (e.key === 'Enter') step(e.shiftKey ? -1 : 1);
          else if (e.key === 'Escape') {
            if (text) look('');
            else e.target.blur();
          } else return;
          e.preventDefault();
        }} />
      <span class="find-count num dim" role="status">${found(search)}</span>
      <button class="ghost small" disabled=${!search?.found.length} onClick=${() => step(-1)} aria-label="Previous match" title="previous match (N)"><${Icon} name="up" /></button>
      <button class="ghost small" disabled=${!search?.found.length} onClick=${() => step(1)} aria-label="Next match" title="next match (n)"><${Icon} name="down" /></button>
      <button class="ghost small word" aria-pressed=${only} onClick=${flip.only} title="show only lines that match (h)">only</button>
    </div>
    <div class="seg ends">
      <button onClick=${() => every(true)} aria-label="Open all sections" title="open all sections (e)"><${Icon} name="unfold" /></button>
      <button onClick=${() => every(false)} aria-label="Shut all sections" title="shut all sections (c)"><${Icon} name="fold" /></button>
      <button aria-pressed=${wrap} onClick=${flip.wrap} aria-label="Wrap long lines" title="wrap long lines (w)"><${Icon} name="wrap" /></button>
      <button aria-pressed=${stamps} onClick=${flip.stamps} aria-label="Times" title="times (i)"><${Icon} name="waiting" /></button>
    </div>
  </div>`;
}
