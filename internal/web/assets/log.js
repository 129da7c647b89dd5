// The log of a run: its toolbar, its filters and search, and the list of loglist.js.
import {html, useEffect, useLayoutEffect, useMemo, useRef, useState} from './lib.js';
import {Icon} from './icons.js';
import {useKeys} from './keys.js';
import {groups} from './logdata.js';
import {LogList, headHeight, lineHeight} from './loglist.js';
import {sectionTitle} from './logrow.js';
import {Search} from './logsearch.js';
import {log as logNow} from './session.js';
import {prefs, use} from './store.js';
import {copy, count, debounce, live, number, say} from './util.js';

const all = 0xffff;
const rememberedRuns = 20;

// tabsOf are the phase tabs: those of the public dashboard, by the names of who works here, and those of phases it has none for.
function tabsOf(run, phases, reviewer) {
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

// Folds are what the person opened and shut, by the seq of the section; of the last runs they are remembered.
const folds = {
  all: prefs.json('expandedSections', {}),
  of: (id) => folds.all[id] ?? {},
  save: debounce((id, own) => {
    delete folds.all[id];
    folds.all[id] = own;
    for (const old of Object.keys(folds.all).slice(0, -rememberedRuns)) delete folds.all[old];
    prefs.set('expandedSections', JSON.stringify(folds.all));
  }, 300),
};

export function LogView({run, detail, params, go}) {
  const catching = use((s) => s.catchingUp);
  const log = useMemo(logNow, [run.id]);
  const box = useRef();
  const list = useRef();
  const search = useRef();
  const mine = useRef(log.view.folds ?? (log.view.folds = {...folds.of(run.id)}));
  const [, draw] = useState(0);
  const [phase, setPhase] = useState(log.view.phase ?? 'all');
  const [kinds, setKinds] = useState(log.view.kinds ?? all);
  const [only, setOnly] = useState(prefs.get('searchHides', 'true') === 'true');
  const [wrap, setWrap] = useState(prefs.get('logWrap', 'true') === 'true');
  const [stamps, setStamps] = useState(prefs.get('logTimes', innerWidth > 760 ? 'true' : 'false') === 'true');
  const [text, setText] = useState(log.view.text ?? '');
  const [follow, setFollow] = useState({follow: true, fresh: 0});
  const reviewer = detail?.rounds?.findLast((r) => r.stage === 'external')?.reviewer;
  const tabs = tabsOf(run, log.phases, reviewer);
  const tab = tabs.find((t) => t.id === phase) ?? tabs[0];
  log.live = live(run);

  // A section is open when the person opened it, and otherwise while it is the newest.
  const folded = (s) => {
    if (search.current?.on && only) return mine.current[`?${s.seq}`] === false;
    const choice = mine.current[s.seq];
    return choice === undefined ? s.i !== log.sections.length - 1 : !choice;
  };
  const rules = () => ({phases: tab.phases && new Set(tab.phases), kinds, search: search.current, only: only && Boolean(search.current?.on), folded});

  useLayoutEffect(() => {
    const find = (cls) => box.current.querySelector(`.${cls}`);
    const l = new LogList({scroller: find('log-scroll'), space: find('log-space'), rows: find('log-rows'), pin: find('log-pin'), probe: find('log-probe')},
      () => setFollow({follow: l.follow, fresh: l.fresh}));
    const s = new Search(log, () => found());
    list.current = l;
    search.current = s;
    l.wrap = wrap;
    l.settled = () => remember();
    l.resize();
    l.show(log, rules());
    const place = log.view.place ?? prefs.json(`scroll_${run.id}`, null);
    if (place && !place.follow) {
      l.follow = false;
      log.view.pending = place;
    }
    if (text) s.set(text);

    let sections = log.sections.length;
    let frame = 0;
    let late = 0;
    const grow = () => {
      frame = 0;
      if (log.busy && performance.now() - late < 250) return later(); // a long log is drawn now and then while it is read
      late = performance.now();
      s.go();
      if (log.sections.length !== sections || l.rules.only) {
        // Who reads further up keeps what is open there.
        if (!l.follow && log.sections.length > sections && sections > 0 && !log.busy) mine.current[log.sections[sections - 1].seq] ??= true;
        sections = log.sections.length;
        l.build();
      } else {
        l.more();
      }
      settle();
      draw((n) => n + 1);
    };
    const later = () => {
      if (!frame) frame = requestAnimationFrame(grow);
    };
    // settle goes to where the person was, once the log is long enough for it.
    const settle = () => {
      const to = log.view.pending;
      if (!to) return;
      const hit = log.find(to.seq);
      if (!hit || (log.busy && log.seq < to.seq)) return;
      delete log.view.pending;
      if (to.mark) return reach(to.seq);
      l.restore({code: hit.line < 0 || to.head ? -hit.section.i - 1 : hit.line, dy: to.dy ?? 0});
      setFollow({follow: l.follow, fresh: l.fresh});
    };
    const stop = log.watch((what) => {
      if (what === 'clear') {
        sections = 0;
        s.set(s.text);
        l.show(log, l.rules);
      } else if (what === 'caught-up') {
        late = 0;
        later();
      } else {
        later();
      }
    });
    const found = () => {
      l.rules.only ? l.build() : l.redraw(true);
      draw((n) => n + 1);
    };
    const remember = () => {
      const a = l.anchor();
      if (!a) return;
      const head = a.code < 0;
      const seq = head ? log.sections[-a.code - 1].seq : log.seqs.a[a.code];
      log.view.place = {seq, head, dy: Math.round(a.dy), follow: l.follow};
      prefs.set(`scroll_${run.id}`, JSON.stringify(log.view.place));
    };
    later();
    const clockTimer = setInterval(() => log.live && !document.hidden && l.redraw(), 1000);
    return () => {
      remember();
      stop();
      s.clear();
      l.close();
      clearInterval(clockTimer);
      cancelAnimationFrame(frame);
    };
  }, [log]);

  // The rules of the list follow the toolbar.
  useEffect(() => {
    const l = list.current;
    Object.assign(log.view, {phase, kinds, text});
    l.rules = rules();
    l.build();
  }, [phase, kinds, only]);
  useEffect(() => {
    const l = list.current;
    if (l.wrap === wrap) return;
    l.wrap = wrap;
    l.refill();
  }, [wrap]);
  useLayoutEffect(() => list.current.resize(), [stamps]);
  const seek = useMemo(() => debounce((value) => {
    log.view.text = value;
    const l = list.current;
    const was = search.current.on;
    search.current.set(value);
    l.match = -1;
    l.rules = rules();
    if (l.rules.only || was) l.build();
    l.redraw(true);
    if (value && !l.rules.only) step(0);
  }, 150), [log, only, phase, kinds]);

  // reach shows the event of the address.
  const reach = (seq) => {
    const l = list.current;
    const hit = log.find(seq);
    if (!hit) return;
    if (folded(hit.section) && hit.line >= 0) mine.current[hit.section.seq] = true;
    const code = hit.line < 0 ? -hit.section.i - 1 : hit.line;
    l.marked = code;
    l.build();
    const shown = l.codes[l.indexOf(code)] === code;
    if (!shown && (phase !== 'all' || kinds !== all || l.rules.only)) { // it is filtered away
      log.view.pending = {seq, mark: true};
      setPhase('all');
      setKinds(all);
      setText('');
      seek('');
      setTimeout(() => list.current?.log === log && log.view.pending && (delete log.view.pending, reach(seq)), 200);
      return;
    }
    l.redraw(true);
    l.reveal(code);
  };
  useEffect(() => {
    const seq = Number(params.seq);
    if (!seq) return;
    if (log.seq >= seq && log.length) reach(seq);
    else log.view.pending = {seq, mark: true};
  }, [params.seq, log]);

  const choose = (section, open) => {
    mine.current[search.current?.on && only ? `?${section.seq}` : section.seq] = search.current?.on && only ? folded(section) : open;
    if (!(search.current?.on && only)) folds.save(run.id, mine.current);
    const l = list.current;
    l.follow = l.follow && section.i === log.sections.length - 1;
    l.build();
    l.follow = l.top >= l.maxTop - 4;
    setFollow({follow: l.follow, fresh: l.fresh});
  };
  const every = (open) => {
    for (const s of log.sections) mine.current[s.seq] = open;
    folds.save(run.id, mine.current);
    list.current.build();
  };

  // Sections by keys: the one that has the focus, or that stands at the upper edge.
  const focusSection = (i) => {
    const l = list.current;
    const row = l.drawn.get(-i - 1);
    row?.querySelector('.sec-main').focus({preventScroll: true});
  };
  const here = () => {
    const row = document.activeElement?.closest?.('.sec');
    return row && box.current.contains(row) ? Number(row.dataset.section) : -1;
  };
  const hop = (d) => {
    const l = list.current;
    const at = here();
    const heads = [];
    for (let k = 0; k < l.n; k++) if (l.codes[k] < 0) heads.push(-l.codes[k] - 1);
    if (!heads.length) return;
    const k = heads.indexOf(at);
    const from = k >= 0 ? k : heads.findIndex((i) => i >= (l.current ?? 0)) - (d > 0 ? 1 : 0);
    const next = heads[Math.max(0, Math.min(heads.length - 1, from + d))];
    const y = l.y[l.indexOf(-next - 1)];
    if (y < l.top || y > l.top + l.height - 3 * headHeight) l.reveal(-next - 1, false);
    focusSection(next);
  };
  const toggle = () => {
    const i = here() >= 0 ? here() : list.current.current;
    const s = log.sections[i];
    if (!s) return false;
    choose(s, folded(s));
    focusSection(i);
    return true;
  };
  const step = (d) => {
    const s = search.current;
    const l = list.current;
    if (!s.on || !s.found.length) return;
    let at = s.found.indexOf(l.match);
    if (at < 0) at = s.first(Math.max(0, l.codes[l.at(l.top)])) - (d > 0 ? 1 : 0);
    at = (at + d + s.found.length) % s.found.length;
    s.now = at;
    l.match = s.found[at];
    const section = log.sectionOf(l.match);
    if (folded(section) && !(only && s.on)) mine.current[section.seq] = true;
    l.build();
    l.redraw(true);
    l.reveal(l.match);
    draw((n) => n + 1);
  };
  const put = (name, set) => (value) => {
    set(value);
    prefs.set(name, String(value));
  };
  useKeys('Log', [
    ['j', 'next section', () => hop(1)],
    ['k', 'previous section', () => hop(-1)],
    [[' ', 'Enter'], 'open or shut the section', toggle],
    ['e', 'open all sections', () => every(true)],
    ['c', 'shut all sections', () => every(false)],
    ['/', 'search', () => document.getElementById('search').focus()],
    ['n', 'next match', () => step(1)],
    ['N', 'previous match', () => step(-1)],
    ['h', 'only lines that match', () => put('searchHides', setOnly)(!only)],
    ['w', 'wrap long lines', () => put('logWrap', setWrap)(!wrap)],
    ['i', 'times', () => put('logTimes', setStamps)(!stamps)],
    ['Home', 'beginning', () => {
      list.current.follow = false;
      list.current.setTop(0);
      list.current.told();
    }],
    ['End', 'end, and stay there', () => list.current.toEnd()],
    ['Escape', 'clear the search', () => {
      if (!text) return false;
      setText('');
      seek('');
      return true;
    }],
  ]);

  const click = async (e) => {
    const row = e.target.closest('.sec, .ln');
    if (!row) return;
    const section = row.dataset.section !== undefined && log.sections[row.dataset.section];
    if (e.target.closest('.sec-copy')) {
      const lines = [sectionTitle(section, log.titles), ...log.text.slice(section.first, log.end(section))];
      say((await copy(lines.join('\n'))) ? `${count(lines.length - 1, 'line')} copied` : 'the browser does not allow copying');
    } else if (e.target.closest('.sec-link, .ln-link')) {
      go({view: 'log', seq: row.dataset.seq});
      say((await copy(location.href)) ? 'link copied' : 'the address of the page is a link to this place');
    } else if (e.target.closest('.sec-main')) {
      const pinned = box.current.querySelector('.log-pin').contains(row);
      choose(section, folded(section));
      if (pinned && folded(section)) list.current.reveal(-section.i - 1, false);
      focusSection(section.i);
    } else if (e.target.closest('.ts')) {
      go({view: 'log', seq: row.dataset.seq});
    }
  };

  const s = search.current;
  const matches = s?.on ? (s.found.length ? `${s.now >= 0 ? `${number(s.now + 1)} of ` : ''}${count(s.found.length, 'line')}${s.done ? '' : ' …'}` : s.done ? 'no match' : '…') : '';
  return html`<div class="view log-view">
    <div class="bar-tools log-tools">
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
          onInput=${(e) => {
            setText(e.target.value);
            seek(e.target.value);
          }}
          onKeyDown=${(e) => {
            if (e.key === 'Enter') step(e.shiftKey ? -1 : 1);
            else if (e.key === 'Escape') {
              if (text) {
                setText('');
                seek('');
              } else e.target.blur();
            } else return;
            e.preventDefault();
          }} />
        <span class="find-count num dim" role="status">${matches}</span>
        <button class="ghost small" disabled=${!s?.found.length} onClick=${() => step(-1)} aria-label="Previous match" title="previous match (N)"><${Icon} name="up" /></button>
        <button class="ghost small" disabled=${!s?.found.length} onClick=${() => step(1)} aria-label="Next match" title="next match (n)"><${Icon} name="down" /></button>
        <button class="ghost small word" aria-pressed=${only} onClick=${() => put('searchHides', setOnly)(!only)} title="show only lines that match (h)">only</button>
      </div>
      <div class="seg ends">
        <button onClick=${() => every(true)} aria-label="Open all sections" title="open all sections (e)"><${Icon} name="unfold" /></button>
        <button onClick=${() => every(false)} aria-label="Shut all sections" title="shut all sections (c)"><${Icon} name="fold" /></button>
        <button aria-pressed=${wrap} onClick=${() => put('logWrap', setWrap)(!wrap)} aria-label="Wrap long lines" title="wrap long lines (w)"><${Icon} name="wrap" /></button>
        <button aria-pressed=${stamps} onClick=${() => put('logTimes', setStamps)(!stamps)} aria-label="Times" title="times (i)"><${Icon} name="waiting" /></button>
      </div>
    </div>
    <div id="log" class=${`log${wrap ? ' wrap' : ''}${stamps ? ' stamps' : ''}`} ref=${box} onClick=${click}
      onDblClick=${(e) => e.target.closest('.ts') && copyLine(e, log)}>
      <div class="log-scroll" tabindex="0" role="region" aria-label="Log">
        <div class="log-space"><div class="log-rows" /></div>
        <div class="ln log-ruler" aria-hidden="true"><span class="ts">00:00:00</span><span class="tx"><span class="log-probe">${'0'.repeat(100)}</span></span></div>
      </div>
      <div class="log-pin" hidden></div>
      ${log.length === 0 && html`<div class="empty log-empty">${catching ? html`<p class="dim" aria-busy="true">Reading the log …</p>` : html`<p>Nothing in the log yet.</p>`}</div>`}
      ${log.length > 0 && s && list.current?.n === 0 && html`<div class="empty log-empty"><p>No line ${s.on ? html`has <code>${s.text}</code>` : 'passes the filter'}.</p>
        <button class="button" onClick=${() => {
          setPhase('all');
          setKinds(all);
          setText('');
          seek('');
        }}>Show all</button></div>`}
      ${catching && log.length > 0 && html`<div class="log-reading num" role="status">${number(log.length)} lines …</div>`}
      <button class="log-more" hidden=${follow.follow} onClick=${() => list.current.toEnd()}><${Icon} name="end" />
        ${follow.fresh > 0 ? count(follow.fresh, 'new line') : live(run) ? 'Follow' : 'To the end'}</button>
    </div>
  </div>`;
}

// restOf turns all on again when nothing would be left.
const restOf = (bits) => (groups.every((g) => g.kinds.every((k) => !((bits >> k) & 1))) ? all : bits);

async function copyLine(e, log) {
  const row = e.target.closest('.ln');
  const seq = Number(row.dataset.seq);
  const {line} = log.find(seq);
  say((await copy(log.text[line])) ? 'line copied' : 'the browser does not allow copying');
}

document.documentElement.style.setProperty('--line', `${lineHeight}px`);
document.documentElement.style.setProperty('--head', `${headHeight}px`);
