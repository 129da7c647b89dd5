// Changes: what a run, a task or a commit changed. Only the rows that are in sight are in the page.
import {html, useLayoutEffect, useMemo, useRef, useState} from './lib.js';
import {CopyButton, Nothing, Reading, Seg, Select, Trouble, cutAt, shortRev, useFact, useWidth} from './fact.js';
import {changed, foldedAtFirst, headLine, line, linesOf, rowAt, rowsOf, treeOf, widest} from './diffrows.js';
import {visible} from './ansi.js';
import {Icon} from './icons.js';
import {useKeys} from './keys.js';
import {prefs} from './store.js';
import {count, cx, live, number} from './util.js';

const letters = {added: 'A', deleted: 'D', modified: 'M', renamed: 'R', copied: 'C', type: 'T'};

export function ChangesView({run, detail, api, params, go}) {
  const of = params.commit ? `?commit=${encodeURIComponent(params.commit)}` : params.task ? `?task=${encodeURIComponent(params.task)}` : '';
  // A working tree changes without an event; while the run goes on, what it told is taken as a sign to look again.
  const sign = detail && live(run) ? [detail.commits.length, detail.gates.length, detail.session_list.length, detail.task_list.map((t) => t.ticks).join()].join('-') : run.state;
  const {value, error, again} = useFact(`${run.id} ${of} ${sign}`, (init) => api.get(api.run(run.id, `/diff${of}`), init), 3000);
  const [mode, setMode] = useState(prefs.get('diffMode', 'auto'));
  const [kept, setKept] = useState(prefs.get('diffTree', 'true') === 'true');
  const [pulled, setPulled] = useState(false); // where there is no room for both, files are shown instead of changes
  const box = useRef();
  const width = useWidth(box);
  const split = mode === 'split' || (mode === 'auto' && width >= 900);
  const roomy = width >= 640;
  const tree = roomy ? kept : pulled;
  const files = value?.files ?? [];
  const [folds, setFolds] = useState({key: null, set: new Set()});
  const key = `${run.id} ${of}`;
  const folded = useMemo(() => (folds.key === key ? folds.set : new Set(files.filter(foldedAtFirst).map((f) => f.path))), [folds, key, files]);
  const fold = (paths, on) => {
    const next = new Set(folded);
    for (const p of paths) (on ? next.add(p) : next.delete(p));
    setFolds({key, set: next});
  };
  const list = useRef();
  const jump = (i) => {
    if (roomy) return list.current?.to(i);
    setPulled(false);
    return go({view: 'changes', task: params.task, commit: params.commit, file: files[i].path});
  };
  useKeys('Changes', [
    ['n', 'next file', () => list.current?.step(1)],
    ['b', 'file before', () => list.current?.step(-1)],
    ['e', 'unfold all files', () => fold(files.map((f) => f.path), false)],
    ['c', 'fold all files', () => fold(files.map((f) => f.path), true)],
    ['u', 'side by side, or one column', () => pickMode(split ? 'unified' : 'split')],
  ]);
  const pickMode = (m) => {
    setMode(m);
    prefs.set('diffMode', m);
  };
  const scope = params.commit ? `c${(detail?.commits ?? []).find((c) => c.rev.startsWith(params.commit))?.rev ?? params.commit}` : params.task ? `t${params.task}` : 'run';
  const options = [['run', 'the whole run'], ...(detail?.task_list ?? []).filter((t) => !t.replaced).map((t) => [`t${t.pos}`, `task ${t.id || t.pos}: ${t.title.slice(0, 60)}`]),
    ...(detail?.commits ?? []).filter((c) => !c.replaced).map((c) => [`c${c.rev}`, `${c.rev.slice(0, 8)} ${c.message.split('\n')[0].slice(0, 60)}`])];
  if (!options.some(([v]) => v === scope)) options.push([scope, scope.slice(1, 60)]);
  const plus = files.reduce((n, f) => n + f.additions, 0);
  const minus = files.reduce((n, f) => n + f.deletions, 0);
  return html`<section class="view" ref=${box}>
    <div class="bar-tools">
      <button class="ghost word" aria-pressed=${tree} aria-controls="diff-tree" onClick=${() => {
    if (!roomy) return setPulled(!pulled);
    setKept(!kept);
    return prefs.set('diffTree', String(!kept));
  }}>${count(files.length, 'file')}</button>
      <span class="num"><span class="plus">+${number(plus)}</span> <span class="minus">−${number(minus)}</span></span>
      <${Select} label="Changes of" value=${scope} options=${options} choose=${(v) => go({view: 'changes', ...(v[0] === 't' ? {task: v.slice(1)} : v[0] === 'c' ? {commit: v.slice(1)} : {})})} />
      <span class="dim cut df-range" title=${value ? `${value.base} … ${value.head || 'working tree'}` : ''}>${value && html`<code>${shortRev(value.base)}</code> … ${value.head ? html`<code>${shortRev(value.head)}</code>` : 'working tree'}`}</span>
      <${Seg} label="Layout" value=${split ? 'split' : 'unified'} choose=${pickMode} options=${[['unified', 'Unified'], ['split', 'Split']]} />
      <button class="ghost" title="look again" aria-label="Look again" onClick=${again}>↻</button>
    </div>
    ${value?.note && html`<p class="df-note dim">${cutAt(value.note, 500)}</p>`}
    ${error && (!value || !live(run)) ? html`<${Trouble} ...${{error, again}} />` : !value ? html`<${Reading} what="the changes" />`
      : files.length === 0 ? html`<${Nothing} title="No changes"><p>${live(run) ? 'Nothing has been changed yet.' : 'Nothing was changed here.'}</p></>`
        : html`<div class="df">
          ${tree && html`<${Tree} files=${files} jump=${jump} roomy=${roomy} />`}
          ${(roomy || !tree) && html`<${Rows} key=${of} ...${{files, folded, fold, split, list, target: params.file, row: Number(params.line) || 0}} />`}
        </div>`}
  </section>`;
}

function Tree({files, jump, roomy}) {
  const rows = useMemo(() => treeOf(files), [files]);
  return html`<nav id="diff-tree" class=${cx('df-tree', !roomy && 'alone')} aria-label="Files"><ul>${rows.slice(0, 3000).map((r, i) => html`<li key=${i}>${r.file
    ? html`<button style=${{paddingLeft: `${8 + r.depth * 12}px`}} title=${r.file.old_path ? `${r.file.old_path} → ${r.file.path}` : r.file.path.slice(0, 1000)} onClick=${() => jump(r.i)}>
        <b class=${`df-l l-${r.file.status}`} title=${r.file.status}>${letters[r.file.status] ?? '?'}</b><span class="cut"><bdi>${visible(r.name.slice(0, 300))}</bdi></span>
        <span class="num"><span class="plus">+${r.file.additions}</span> <span class="minus">−${r.file.deletions}</span></span></button>`
    : html`<span class="df-dir dim cut" style=${{paddingLeft: `${8 + r.depth * 12}px`}} title=${r.name.slice(0, 1000)}><bdi>${visible(r.name.slice(0, 300))}</bdi></span>`}</li>`)}</ul></nav>`;
}

const over = 12; // rows drawn beyond each edge

function Rows({files, folded, fold, split, list, target, row}) {
  const scroll = useRef();
  const layer = useRef();
  const ruler = useRef();
  const [seen, setSeen] = useState({top: 0, height: 800, width: 0});
  const {rows, tops, at} = useMemo(() => rowsOf(files, folded, split), [files, folded, split]);
  const chars = useMemo(() => widest(rows), [rows]);
  const height = tops[rows.length];
  const first = Math.max(0, rowAt(tops, seen.top) - over);
  const last = Math.min(rows.length, rowAt(tops, seen.top + seen.height) + over);

  useLayoutEffect(() => {
    const el = scroll.current;
    let asked = 0;
    const look = () => {
      asked = 0;
      layer.current?.style.setProperty('--x', `${-el.scrollLeft}px`);
      setSeen((s) => (s.top === el.scrollTop && s.height === el.clientHeight && s.width === el.clientWidth ? s : {top: el.scrollTop, height: el.clientHeight, width: el.clientWidth}));
    };
    const soon = () => {
      if (!asked) asked = requestAnimationFrame(look);
    };
    el.addEventListener('scroll', soon, {passive: true});
    const watch = new ResizeObserver(look);
    watch.observe(el);
    look();
    return () => {
      cancelAnimationFrame(asked);
      el.removeEventListener('scroll', soon);
      watch.disconnect();
    };
  }, []);
  const to = (i) => {
    const file = files[i];
    if (file && folded.has(file.path) && file.hunks.length > 0 && !foldedAtFirst(file)) fold([file.path], false);
    scroll.current.scrollTop = tops[at[i]];
    scroll.current.focus({preventScroll: true});
  };
  list.current = {
    to,
    step: (d) => {
      const i = rows[rowAt(tops, scroll.current.scrollTop + 1)]?.i ?? 0;
      const within = scroll.current.scrollTop > tops[at[i]] + 1;
      const next = d > 0 ? i + 1 : within ? i : i - 1;
      if (next >= 0 && next < files.length) to(next);
    },
  };
  const aim = useRef('');
  useLayoutEffect(() => { // what the address names is shown once
    const wish = `${target}:${row}`;
    const i = target ? files.findIndex((f) => f.path === target || f.old_path === target) : -1;
    if (i < 0 || aim.current === wish) return;
    if (folded.has(files[i].path) && files[i].hunks.length > 0) return void fold([files[i].path], false);
    aim.current = wish;
    let k = at[i];
    if (row) {
      const hit = rows.findIndex((r) => r.i === i && r.type === 'line' && ((r.line ?? r.right)?.new ?? 0) >= row);
      if (hit > 0) k = hit;
    }
    scroll.current.scrollTop = Math.max(0, tops[k] - (row ? headLine + 3 * line : 0));
  });

  const unit = ruler.current ? ruler.current.getBoundingClientRect().width / 10 : 7.2;
  const gutter = split ? 56 : 100;
  const room = (split ? seen.width / 2 : seen.width) - gutter - 24;
  const extra = Math.max(0, Math.min(chars, 4200) * unit - room);
  const current = rows[rowAt(tops, seen.top)];
  const head = current && seen.top > tops[at[current.i]] ? files[current.i] : null;
  return html`<div class="df-box">
    ${head && html`<div class="df-pin"><${FileHead} ...${{file: head, folded: folded.has(head.path), fold, pinned: () => to(current.i)}} /></div>`}
    <div class="df-scroll" ref=${scroll} tabindex="0" role="region" aria-label=${`Changes of ${count(files.length, 'file')}`}>
      <span class="df-ruler" ref=${ruler} aria-hidden="true">0000000000</span>
      <div class="df-space" style=${{height: `${height}px`, width: `${seen.width + extra}px`}}>
        <div class=${cx('df-layer', split && 'split')} ref=${layer} style=${{width: seen.width ? `${seen.width}px` : '100%', transform: `translateY(${tops[first]}px)`}}>
          ${rows.slice(first, last).map((r, k) => html`<${Row} key=${first + k} ...${{r, split, fold, folded, mark: row > 0 && r.type === 'line' && (r.line ?? r.right)?.new === row && files[r.i].path === target}} />`)}
        </div>
      </div>
    </div>
  </div>`;
}

function Row({r, split, fold, folded, mark}) {
  if (r.type === 'file') return html`<${FileHead} ...${{file: r.file, folded: folded.has(r.file.path), fold}} />`;
  if (r.type === 'note') return html`<div class="df-row df-why dim">${r.text}</div>`;
  if (r.type === 'hunk') {
    const h = r.hunk;
    return html`<div class="df-row df-hunk dim cut">@@ −${h.old_start},${h.old_lines} +${h.new_start},${h.new_lines} @@ <bdi>${visible((h.section ?? '').slice(0, 200))}</bdi></div>`;
  }
  if (!split) {
    const l = r.line;
    return html`<div class=${cx('df-row', ops[l.op], mark && 'marked')}><span class="df-n" data-n=${l.old || ''} /><span class="df-n" data-n=${l.new || ''} /><${Text} l=${l} other=${r.other} /></div>`;
  }
  return html`<div class=${cx('df-row df-pair', mark && 'marked')}>
    <div class=${cx('df-half', r.left ? ops[r.left.op] : 'none')}>${r.left && html`<span class="df-n" data-n=${r.left.old || ''} /><${Text} l=${r.left} other=${r.left !== r.right && r.right} />`}</div>
    <div class=${cx('df-half', r.right ? ops[r.right.op] : 'none')}>${r.right && html`<span class="df-n" data-n=${r.right.new || ''} /><${Text} l=${r.right} other=${r.left !== r.right && r.left} />`}</div></div>`;
}

const ops = {'+': 'add', '-': 'del', ' ': ''};

function Text({l, other}) {
  const part = other ? changed(l.text, other.text) : null;
  return html`<span class="df-op">${l.op === '-' ? '−' : l.op}</span><code class="df-t"><span class="df-shift">${part && part[1] > part[0]
    ? html`${visible(l.text.slice(0, part[0]))}<b>${visible(l.text.slice(...part))}</b>${visible(l.text.slice(part[1]))}` : visible(l.text)}</span></code>`;
}

function FileHead({file, folded, fold, pinned}) {
  const n = linesOf(file);
  return html`<div class="df-file">
    <button class="df-fold" aria-expanded=${!folded} onClick=${() => {
    pinned?.();
    fold([file.path], !folded);
  }}><${Icon} name="chevron" /><b class=${`df-l l-${file.status}`} title=${file.status}>${letters[file.status] ?? '?'}</b>
      <span class="cut mono" title=${file.path.slice(0, 1000)}>${file.old_path && file.old_path !== file.path && html`<span class="dim"><bdi>${visible(file.old_path.slice(0, 500))}</bdi> → </span>`}<bdi>${visible(file.path.slice(0, 500))}</bdi></span></button>
    ${folded && n > 0 && html`<span class="dim df-hint">${count(n, 'line')}</span>`}
    <${CopyButton} text=${file.path} what="path" />
    <span class="num"><span class="plus">+${number(file.additions)}</span> <span class="minus">−${number(file.deletions)}</span></span>
  </div>`;
}
