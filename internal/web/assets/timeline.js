// The timeline: lanes over the time of the run, and the same as a table. The chart is for the eyes; whoever listens to the
// page, or goes by keys, has the table.
import {html, useEffect, useMemo, useRef, useState} from './lib.js';
import {bit, Nothing, Reading, useWidth} from './fact.js';
import {Icon} from './icons.js';
import {useKeys} from './keys.js';
import {lanesOf, shownBars, ticksOf, took} from './spans.js';
import {useNow} from './store.js';
import {clamp, clock, count, cx, day, fullTime, live} from './util.js';

const kinds = [['stage', 'stage'], ['done', 'task'], ['session', 'session'], ['review', 'review'], ['green', 'green'], ['red', 'red'], ['bad', 'failed'], ['cut', 'cut short'], ['active', 'goes on'], ['wait', 'wait'], ['pause', 'pause'], ['commit', 'commit'], ['order', 'order']];
const signs = {green: '✓', red: '✗', bad: '✗', cut: '–'};
const marks = new Set(['commit', 'order']); // moments, which have no length

export function TimelineView({run, detail, go}) {
  const on = live(run);
  const now = useNow(1000, on);
  const plan = useMemo(() => detail && lanesOf(detail, now), [detail, on ? now : 0]);
  const [zoom, setZoom] = useState(null); // {from, to}; null = all of the run
  if (!detail) return html`<section class="view"><${Reading} what="the run" /></section>`;
  if (plan.lanes.length === 0) return html`<section class="view"><${Nothing} title="Nothing yet"><p>The timeline begins with the first stage of the run.</p></></section>`;
  return html`<section class="view tl">
    <${Chart} ...${{plan, zoom, setZoom, on, now, go}} />
    <${Table} ...${{plan, go, on}} />
  </section>`;
}

function Chart({plan, zoom, setZoom, on, now, go}) {
  const space = useRef();
  const width = useWidth(space);
  const [told, setTold] = useState(null);
  const all = {from: plan.from, to: plan.to + (plan.to - plan.from) * 0.01};
  const {from, to} = zoom ?? all;
  const latest = useRef();
  latest.current = {from, to, all, width};

  // view sets the window, within the run and not smaller than 100 ms.
  const view = (f, t) => {
    const {all: a} = latest.current;
    const size = clamp(t - f, 100, a.to - a.from);
    if (size >= (a.to - a.from) * 0.999) return setZoom(null);
    const start = clamp(f, a.from, a.to - size);
    return setZoom({from: start, to: start + size});
  };
  const scale = (factor, at = 0.5) => {
    const {from: f, to: t} = latest.current;
    const fix = f + (t - f) * at;
    view(fix - (fix - f) * factor, fix + (t - fix) * factor);
  };
  const pan = (part) => {
    const {from: f, to: t} = latest.current;
    view(f + (t - f) * part, t + (t - f) * part);
  };
  useKeys('Timeline', [
    [['+', '='], 'zoom in', () => scale(0.6)],
    [['-', '_'], 'zoom out', () => scale(1 / 0.6)],
    [['0', 'f'], 'the whole run', () => setZoom(null)],
    [['ArrowLeft', 'h'], 'earlier', () => pan(-0.25)],
    [['ArrowRight', 'l'], 'later', () => pan(0.25)],
  ]);
  usePointer(space, {latest, view, scale, pan});

  const px = width / (to - from);
  const {ticks, step} = ticksOf(from, to, width);
  const label = (t) => (step >= 86_400_000 ? day(t, 0) : step < 1000 ? `${clock(t)}.${String(Math.floor((t % 1000) / 100))}` : step < 60_000 ? clock(t) : clock(t).slice(0, 5));
  const present = new Set(plan.lanes.flatMap((l) => l.bars.map((b) => b.kind)));
  let group = '';
  return html`<div class="tl-chart" aria-hidden="true">
    <div class="bar-tools tl-tools">
      <div class="tl-legend">${kinds.filter(([k]) => present.has(k)).map(([k, word]) => html`<span key=${k}><i class=${`tl-key b-${k}`}>${signs[k]}</i>${word}</span>`)}</div>
      <span class="tl-range num dim">${clock(from)} – ${clock(to)}</span>
      <button class="ghost" tabindex="-1" title="zoom out (-)" onClick=${() => scale(1 / 0.6)}>−</button>
      <button class="ghost" tabindex="-1" title="zoom in (+)" onClick=${() => scale(0.6)}>+</button>
      <button class="ghost word" tabindex="-1" title="the whole run (0)" disabled=${!zoom} onClick=${() => setZoom(null)}>Fit</button>
    </div>
    <div class="tl-body" onMouseLeave=${() => setTold(null)}>
      <div class="tl-names"><div class="tl-axis" />
        ${plan.lanes.map((l) => {
    const first = l.group !== group;
    group = l.group;
    return html`<div key=${l.id} class=${cx('tl-name cut', first && 'first')} title=${l.label.slice(0, 300)}><bdi>${bit(l.label, 300)}</bdi></div>`;
  })}</div>
      <div class="tl-space" ref=${space}>
        <div class="tl-axis">${ticks.map((t) => html`<span key=${t} class="num" style=${{left: `${(t - from) * px}px`}}>${label(t)}</span>`)}</div>
        ${ticks.map((t) => html`<i key=${`g${t}`} class="tl-grid" style=${{left: `${(t - from) * px}px`}} />`)}
        ${width > 0 && plan.lanes.map((l, i) => html`<div key=${l.id} class=${cx('tl-lane', (i === 0 || plan.lanes[i - 1].group !== l.group) && 'first')}>
          ${shownBars(l.bars, from, to, width).map(({bar, left, width: wide}) => {
    const x = Math.max(left, -2);
    const w = Math.min(left + wide, width + 2) - x;
    return html`<div key=${`${bar.seq} ${bar.from}`} class=${cx('tl-bar', `b-${bar.kind}`, bar.open && 'open')} data-go=${bar.seq}
              style=${marks.has(bar.kind) ? {left: `${left}px`} : {left: `${x}px`, width: `${Math.max(w, 2)}px`}}
              onMouseEnter=${() => setTold(bar)} onClick=${() => bar.seq && go({view: 'log', seq: bar.seq})}>${w > 13 && signs[bar.kind] ? `${signs[bar.kind]} ` : ''}${w > 64 ? bar.label.slice(0, 100) : w > 20 && (/\d[\d.]*\w?/.exec(bar.label)?.[0] ?? '').slice(0, 6)}</div>`;
  })}</div>`)}
        ${on && now >= from && now <= to && html`<i class="tl-now" style=${{left: `${(now - from) * px}px`}} />`}
      </div>
    </div>
    <p class="tl-told cut">${told ? html`<b>${told.label.slice(0, 200)}</b> <span class="num">${clock(told.from)}${told.to > told.from ? ` – ${told.open ? 'now' : clock(told.to)} · ${took(told)}` : ''}</span> <span class="dim"><bdi>${bit(told.note, 400)}</bdi></span>` : html`<span class="dim">drag moves, Ctrl + wheel or a pinch zooms, a click shows the place in the log</span>`}</p>
  </div>`;
}

// usePointer moves and zooms by mouse, pen, fingers and wheel. A click that did not move stays a click.
function usePointer(space, {latest, view, scale, pan}) {
  const act = useRef();
  act.current = {view, scale, pan};
  useEffect(() => {
    const el = space.current;
    const down = new Map(); // pointer id → x
    let moved = 0;
    let start = null;
    const begin = () => {
      const xs = [...down.values()];
      start = {xs, from: latest.current.from, to: latest.current.to};
    };
    const on = (name, f, opt) => el.addEventListener(name, f, opt);
    const place = (e) => e.clientX - el.getBoundingClientRect().left;
    on('pointerdown', (e) => {
      if (e.button !== 0) return;
      down.set(e.pointerId, place(e));
      moved = 0;
      begin();
    });
    on('pointermove', (e) => {
      if (!down.has(e.pointerId)) return;
      down.set(e.pointerId, place(e));
      const xs = [...down.values()];
      const {width} = latest.current;
      const size = start.to - start.from;
      moved = Math.max(moved, Math.abs(xs[0] - start.xs[0]));
      if (moved > 4 && !el.hasPointerCapture(e.pointerId)) el.setPointerCapture(e.pointerId);
      if (xs.length === 1 && moved > 4) {
        const by = ((start.xs[0] - xs[0]) / width) * size;
        act.current.view(start.from + by, start.to + by);
      } else if (xs.length === 2) {
        moved = 99;
        const apart = Math.max(8, Math.abs(start.xs[0] - start.xs[1]));
        const factor = apart / Math.max(8, Math.abs(xs[0] - xs[1]));
        const middle = (start.xs[0] + start.xs[1]) / 2;
        const fix = start.from + (middle / width) * size;
        const f = fix - ((xs[0] + xs[1]) / 2 / width) * size * factor;
        act.current.view(f, f + size * factor);
      }
    });
    const up = (e) => {
      down.delete(e.pointerId);
      if (down.size > 0) begin();
    };
    on('pointerup', up);
    on('pointercancel', up);
    on('click', (e) => {
      if (moved > 4) e.stopPropagation();
    }, {capture: true});
    on('dblclick', (e) => act.current.scale(0.4, place(e) / latest.current.width));
    on('wheel', (e) => {
      const sideways = e.shiftKey ? e.deltaY || e.deltaX : Math.abs(e.deltaX) > Math.abs(e.deltaY) ? e.deltaX : 0;
      if (e.ctrlKey || e.metaKey) act.current.scale(Math.exp(clamp(e.deltaY, -60, 60) / 150), place(e) / latest.current.width);
      else if (sideways) act.current.pan(sideways / latest.current.width);
      else return; // the page's own
      e.preventDefault();
    }, {passive: false});
  }, []);
}

const most = 400; // rows that are shown before somebody asks for all

function Table({plan, go, on}) {
  const [all, setAll] = useState(false);
  const bars = useMemo(() => plan.lanes.flatMap((l) => l.bars).sort((a, b) => (on ? b.from - a.from : a.from - b.from) || a.seq - b.seq), [plan]);
  const shown = all ? bars : bars.slice(0, most);
  return html`<div class="tl-table" tabindex="0" role="region" aria-label="Timeline as a table">
    <table class="grid"><caption class="offscreen">What the run did, ${on ? 'newest first' : 'in order'}</caption>
      <thead><tr><th scope="col">Begin</th><th scope="col" class="r">Took</th><th scope="col">Lane</th><th scope="col">What</th><th scope="col" class="fill">Result</th></tr></thead>
      <tbody>${shown.map((b) => html`<tr key=${`${b.group} ${b.seq} ${b.from}`}>
        <td class="num dim" title=${fullTime(b.from)}>${clock(b.from)}</td>
        <td class="num r">${b.to > b.from ? took(b) : ''}${b.open ? ' …' : ''}</td>
        <td class="dim">${b.group}</td>
        <td><button class="plain" onClick=${() => go({view: 'log', seq: b.seq})} title="show in the log"><i class=${`tl-key b-${b.kind}`} aria-hidden="true">${signs[b.kind]}</i><bdi>${bit(b.label, 200)}</bdi></button></td>
        <td class="fill"><div class="cut dim" title=${b.note.slice(0, 600)}><bdi>${bit(b.note, 400)}</bdi></div></td></tr>`)}</tbody></table>
    ${bars.length > shown.length && html`<p class="more"><button class="button" onClick=${() => setAll(true)}><${Icon} name="down" /> Show all ${count(bars.length, 'row')}</button></p>`}
  </div>`;
}
