// The log of a run: its toolbar, its filters and search, and the list of loglist.js.
import {html, useEffect, useLayoutEffect, useMemo, useRef, useState} from './lib.js';
import {Icon} from './icons.js';
import {useKeys} from './keys.js';
import {folds} from './logfolds.js';
import {headHeight, lineHeight} from './logindex.js';
import {LogList} from './loglist.js';
import {lineTools, sectionTitle} from './logrow.js';
import {Search} from './logsearch.js';
import {LogTools, all, tabsOf} from './logtools.js';
import {log as logNow} from './session.js';
import {prefs, use} from './store.js';
import {copy, count, debounce, live, number, say} from './util.js';

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
    l.index.wrap = wrap;
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
      if (log.sections.length !== sections || l.index.rules.only) {
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
      if (!hit || (log.busy && log.length < hit.line + 300)) return; // and a screen of what follows
      delete log.view.pending;
      if (to.mark) return reach(to.seq);
      l.restore({code: hit.line < 0 || to.head ? -hit.section.i - 1 : hit.line, dy: to.dy ?? 0});
      setFollow({follow: l.follow, fresh: l.fresh});
    };
    const stop = log.watch((what) => {
      if (what === 'clear') {
        sections = 0;
        s.set(s.text);
        l.show(log, l.index.rules);
      } else if (what === 'caught-up') {
        late = 0;
        later();
      } else {
        later();
      }
    });
    let arranged = 0;
    const found = () => {
      if (!s.done && performance.now() - arranged < 200) return; // it goes on: a long log is arranged now and then
      arranged = performance.now();
      if (l.index.rules.only) l.build();
      else l.redraw(true);
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
    l.index.rules = rules();
    l.build();
  }, [phase, kinds, only]);
  useEffect(() => {
    const l = list.current;
    if (l.index.wrap === wrap) return;
    l.index.wrap = wrap;
    l.refill();
  }, [wrap]);
  useLayoutEffect(() => list.current.resize(), [stamps]);
  const seek = useMemo(() => debounce((value) => {
    log.view.text = value;
    const l = list.current;
    const was = search.current.on;
    search.current.set(value);
    l.match = -1;
    l.index.rules = rules();
    if (l.index.rules.only || was) l.build();
    l.redraw(true);
    if (value && !l.index.rules.only) step(0);
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
    const shown = l.index.codes[l.index.indexOf(code)] === code;
    if (!shown && (phase !== 'all' || kinds !== all || l.index.rules.only)) { // it is filtered away
      log.view.pending = {seq, mark: true};
      showAll();
      setTimeout(() => list.current?.log === log && log.view.pending && (delete log.view.pending, reach(seq)), 200);
      return;
    }
    l.redraw(true);
    l.reveal(code);
  };
  useEffect(() => {
    const seq = Number(params.seq);
    if (!seq) return;
    if (log.seq >= seq && log.length && !log.busy) reach(seq);
    else log.view.pending = {seq, mark: true};
  }, [params, log]);

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
    for (let k = 0; k < l.index.n; k++) if (l.index.codes[k] < 0) heads.push(-l.index.codes[k] - 1);
    if (!heads.length) return;
    const k = heads.indexOf(at);
    const from = k >= 0 ? k : heads.findIndex((i) => i >= (l.current ?? 0)) - (d > 0 ? 1 : 0);
    const next = heads[Math.max(0, Math.min(heads.length - 1, from + d))];
    const y = l.index.y[l.index.indexOf(-next - 1)];
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
    if (at < 0) at = s.first(Math.max(0, l.index.codes[l.index.at(l.top)])) - (d > 0 ? 1 : 0);
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
  // flip turns a switch of the toolbar over, for good.
  const flip = {
    only: () => turn('searchHides', setOnly, !only),
    wrap: () => turn('logWrap', setWrap, !wrap),
    stamps: () => turn('logTimes', setStamps, !stamps),
  };
  const look = (value) => {
    setText(value);
    seek(value);
  };
  const showAll = () => {
    setPhase('all');
    setKinds(all);
    look('');
  };
  // scroll moves the log for who has the focus nowhere; within the log the browser does it.
  const scroll = (key) => {
    if (document.activeElement && document.activeElement !== document.body) return false;
    const {el, height} = list.current;
    el.scroller.scrollTop += {PageDown: height - 60, PageUp: 60 - height, ArrowDown: 3 * lineHeight, ArrowUp: -3 * lineHeight}[key];
    return true;
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
    ['h', 'only lines that match', flip.only],
    ['w', 'wrap long lines', flip.wrap],
    ['i', 'times', flip.stamps],
    ['y', 'copy the line that is marked', () => list.current.marked >= 0 && copied([log.text[list.current.marked]])],
    [['PageDown', 'PageUp', 'ArrowDown', 'ArrowUp'], 'scroll', (e) => scroll(e.key)],
    ['Home', 'beginning', () => {
      list.current.follow = false;
      list.current.setTop(0);
      list.current.told();
    }],
    ['End', 'end, and stay there', () => list.current.toEnd()],
    ['Escape', 'clear the search', () => {
      if (!text) return false;
      look('');
      return true;
    }],
  ]);

  const tools = useMemo(lineTools, []);
  const point = (e) => {
    const row = e.target.closest('.log-rows .ln');
    if (row) row.append(tools);
    tools.hidden = !row;
  };
  const link = async (seq) => {
    go({view: 'log', seq});
    say((await copy(location.href)) ? 'link copied' : 'the address of the page is a link to this place');
  };
  const click = (e) => {
    const row = e.target.closest('.sec, .ln');
    if (!row) return;
    const section = row.dataset.section !== undefined && log.sections[row.dataset.section];
    const at = (cls) => e.target.closest(cls);
    if (at('.sec-copy')) copied([sectionTitle(section, log.titles), ...log.text.slice(section.first, log.end(section))]);
    else if (at('.ln-copy')) copied([log.text[row.dataset.line]]);
    else if (at('.sec-link, .ln-link')) link(row.dataset.seq);
    else if (at('.ts')) go({view: 'log', seq: row.dataset.seq});
    else if (at('.sec-main')) {
      const pinned = at('.log-pin');
      choose(section, folded(section));
      if (pinned && folded(section)) list.current.reveal(-section.i - 1, false);
      focusSection(section.i);
    }
  };

  const s = search.current;
  return html`<div class="view log-view">
    <${LogTools} ...${{tabs, tab, setPhase, kinds, setKinds, text, look, step, only, flip, every, wrap, stamps, log, search: search.current}} />
    <div id="log" class=${`log${wrap ? ' wrap' : ''}${stamps ? ' stamps' : ''}`} ref=${box} onClick=${click}
      onPointerOver=${point} onPointerLeave=${point}>
      <div class="log-scroll" tabindex="0" role="region" aria-label="Log">
        <div class="log-space"><div class="log-rows" /></div>
        <div class="ln log-ruler" aria-hidden="true"><span class="ts">00:00:00</span><span class="tx"><span class="log-probe">${'0'.repeat(100)}</span></span></div>
      </div>
      <div class="log-pin" hidden></div>
      ${log.length === 0 && html`<div class="empty log-empty">${catching ? html`<p class="dim" aria-busy="true">Reading the log …</p>` : html`<p>Nothing in the log yet.</p>`}</div>`}
      ${log.length > 0 && s && list.current?.index.n === 0 && html`<div class="empty log-empty"><p>No line ${s.on ? html`has <code>${s.text}</code>` : 'passes the filter'}.</p>
        <button class="button" onClick=${showAll}>Show all</button></div>`}
      ${catching && log.length > 0 && html`<div class="log-reading num" role="status">${number(log.length)} lines …</div>`}
      <button class="log-more" hidden=${follow.follow} onClick=${() => list.current.toEnd()}><${Icon} name="end" />
        ${follow.fresh > 0 ? count(follow.fresh, 'new line') : live(run) ? 'Follow' : 'To the end'}</button>
    </div>
  </div>`;
}

function turn(name, set, value) {
  set(value);
  prefs.set(name, String(value));
}

async function copied(lines) {
  say((await copy(lines.join('\n'))) ? `${count(lines.length, 'line')} copied` : 'the browser does not allow copying');
}

document.documentElement.style.setProperty('--line', `${lineHeight}px`);
document.documentElement.style.setProperty('--head', `${headHeight}px`);
