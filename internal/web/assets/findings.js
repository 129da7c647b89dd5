// What reviewers named, and what became of each.
import {html, useEffect, useMemo, useRef, useState} from './lib.js';
import {bit, CopyButton, Long, Nothing, Reading, Seg, Select, cutAt, shortRev} from './fact.js';
import {Icon} from './icons.js';
import {useKeys} from './keys.js';
import {prefs} from './store.js';
import {copy, count, cx, debounce, say} from './util.js';

const severities = ['critical', 'major', 'minor', 'info', ''];
const severityWords = {critical: 'critical', major: 'major', minor: 'minor', info: 'info', '': 'not said'};
const marks = {open: ['pending', 'open'], fixed: ['completed', 'fixed'], refuted: ['aborted', 'refuted']};
const rank = (f) => {
  const i = severities.indexOf(f.severity ?? '');
  return i < 0 ? severities.length : i;
};
const byFile = (a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : (a.line ?? 0) - (b.line ?? 0));
const sorts = {
  severity: (a, b) => rank(a) - rank(b) || byFile(a, b),
  file: byFile,
  newest: (a, b) => b.seq - a.seq,
  first: (a, b) => a.first_seq - b.first_seq,
};

export const placeOf = (f) => `${f.file}${f.line ? `:${f.line}${f.end_line > f.line ? `-${f.end_line}` : ''}` : ''}`;

export function FindingsView({detail, params, go}) {
  const [state, setState] = useState('all');
  const [severity, setSeverity] = useState('all');
  const [reviewer, setReviewer] = useState('all');
  const [text, setText] = useState('');
  const [sort, setSort] = useState(prefs.get('findingSort', 'severity'));
  const [grouped, setGrouped] = useState(prefs.get('findingGroups', 'true') === 'true');
  const find = useRef();
  const typed = useMemo(() => debounce(setText, 120), []);
  const all = detail?.finding_list ?? [];
  useKeys('Findings', [
    ['/', 'filter', () => find.current?.focus()],
    ['o', 'only open ones, or all', () => setState(state === 'open' ? 'all' : 'open')],
  ]);
  useEffect(() => { // a finding that the address names is shown, whatever is filtered
    if (!params.finding) return;
    setState('all');
    setSeverity('all');
    setReviewer('all');
    setText('');
  }, [params.finding]);
  const reviewers = useMemo(() => [...new Set(all.map((f) => f.reviewer || f.source).filter(Boolean))].sort(), [all]);
  const shown = useMemo(() => {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    return all.filter((f) => (state === 'all' || f.disposition === state) && (severity === 'all' || (f.severity ?? '') === severity)
      && (reviewer === 'all' || (f.reviewer || f.source) === reviewer)
      && words.every((w) => `${f.file} ${f.text} ${f.reason ?? ''} ${f.rule ?? ''}`.toLowerCase().includes(w))).sort(sorts[sort] ?? sorts.severity);
  }, [all, state, severity, reviewer, text, sort]);
  if (!detail) return html`<section class="view"><${Reading} what="findings" /></section>`;
  if (all.length === 0) return html`<section class="view"><${Nothing} title="No findings"><p>${detail.rounds.length > 0 ? `${count(detail.rounds.length, 'review round')}, and nothing was named.` : 'No review has named anything yet.'}</p></></section>`;
  const n = (d) => all.filter((f) => f.disposition === d).length;
  const groups = grouped ? [...shown.reduce((m, f) => m.set(f.file, [...(m.get(f.file) ?? []), f]), new Map())] : [['', shown]];
  const keep = (name, set) => (v) => {
    set(v);
    prefs.set(name, String(v));
  };
  return html`<section class="view">
    <div class="bar-tools">
      <${Seg} label="Disposition" value=${state} choose=${setState} options=${[['all', 'All', all.length], ['open', 'Open', n('open')], ['fixed', 'Fixed', n('fixed')], ['refuted', 'Refuted', n('refuted')]]} />
      <${Select} label="Severity" value=${severity} choose=${setSeverity} options=${[['all', 'any severity'], ...severities.filter((s) => all.some((f) => (f.severity ?? '') === s)).map((s) => [s, `${severityWords[s]} (${all.filter((f) => (f.severity ?? '') === s).length})`])]} />
      ${reviewers.length > 1 && html`<${Select} label="Reviewer" value=${reviewer} choose=${setReviewer} options=${[['all', 'any reviewer'], ...reviewers.map((r) => [r, r.slice(0, 60)])]} />`}
      <div class="find"><${Icon} name="search" /><input ref=${find} class="field" type="search" placeholder="filter by file or words  /" aria-label="Filter findings" onInput=${(e) => typed(e.currentTarget.value)} onKeyDown=${(e) => {
    if (e.key !== 'Escape') return;
    e.currentTarget.value = '';
    setText('');
    e.currentTarget.blur();
  }} /></div>
      <${Select} label="Order" value=${sort} choose=${keep('findingSort', setSort)} options=${[['severity', 'by severity'], ['file', 'by file'], ['newest', 'newest first'], ['first', 'as they came']]} />
      <button class="ghost word" aria-pressed=${grouped} onClick=${() => keep('findingGroups', setGrouped)(!grouped)}>By file</button>
    </div>
    <div class="fill-scroll" tabindex="0" role="region" aria-label="Findings">
      <p class="offscreen" role="status">${count(shown.length, 'finding')} shown</p>
      ${groups.map(([file, list]) => html`<section key=${file} class="fg">
        ${grouped && html`<h2 class="fg-head"><span class="cut"><bdi>${bit(file || 'no file', 400)}</bdi></span><span class="num dim">${list.length}</span>
          ${file && html`<${CopyButton} text=${file} what="path" /><button class="ghost small" title="show its changes" aria-label=${`Show changes of ${file.slice(0, 100)}`} onClick=${() => go({view: 'changes', file})}><${Icon} name="link" /></button>`}</h2>`}
        <ul>${list.map((f) => html`<${Finding} key=${f.id} f=${f} grouped=${grouped} at=${params.finding === f.id} go=${go} />`)}</ul></section>`)}
      ${shown.length === 0 && html`<div class="empty"><p>None of ${count(all.length, 'finding')} is like that.</p></div>`}
    </div>
  </section>`;
}

function Finding({f, grouped, at, go}) {
  const row = useRef();
  const [icon, word] = marks[f.disposition] ?? ['pending', f.disposition];
  useEffect(() => {
    if (at) row.current.scrollIntoView({block: 'center'});
  }, [at]);
  const where = [f.source && f.source !== f.reviewer ? `${f.reviewer ?? ''} · ${f.source}` : f.reviewer, f.stage && `${f.stage} ${f.round ? `round ${f.round}` : 'first pass'}`].filter(Boolean).join(' · ');
  const link = `${location.origin}${location.pathname}#${new URLSearchParams({...Object.fromEntries(new URLSearchParams(location.hash.slice(1))), view: 'findings', finding: f.id})}`;
  return html`<li ref=${row} class=${cx('fd', `f-${f.disposition}`, at && 'marked')} data-finding=${f.id}>
    <span class="fd-state" title=${word}><${Icon} name=${icon} label=${word} /></span>
    <div class="fd-main">
      <p class="fd-head">
        <span class=${`sev sev-${f.severity || 'none'}`}>${severityWords[f.severity ?? ''] ?? cutAt(f.severity, 24)}</span>
        <button class="plain mono cut" title="show in the changes" onClick=${() => go({view: 'changes', file: f.file, line: f.line})}><bdi>${grouped ? (f.line ? `line ${f.line}${f.end_line > f.line ? `–${f.end_line}` : ''}` : 'the file') : bit(placeOf(f), 400)}</bdi></button>
        ${f.also?.length > 0 && html`<span class="dim">and ${f.also.slice(0, 12).join(', ')}</span>`}
        ${f.rule && html`<span class="chip">${cutAt(f.rule, 40)}</span>`}
        <span class="fd-where dim cut">${where}</span>
      </p>
      <p class="fd-text"><${Long} text=${f.text} /></p>
      ${(f.disposition !== 'open' || f.reason) && html`<p class="fd-end"><b>${word}</b>${f.commit && html` in <button class="plain mono" title="show the commit" onClick=${() => go({view: 'changes', commit: f.commit})}>${shortRev(f.commit)}</button>`}${f.reason && html`<span>: <${Long} text=${f.reason} most=${500} /></span>`}</p>`}
    </div>
    <span class="fd-tools"><${CopyButton} text=${placeOf(f)} what="place" /><button class="ghost small" title="copy a link to it" aria-label="Copy a link" onClick=${async () => {
    say((await copy(link)) ? 'link copied' : 'the browser does not allow copying');
  }}><${Icon} name="link" /></button>
    <button class="ghost small" title="show in the log" aria-label="Show in the log" onClick=${() => go({view: 'log', seq: f.seq})}><${Icon} name="list" /></button></span>
  </li>`;
}
