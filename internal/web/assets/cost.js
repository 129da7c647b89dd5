// What the run used up: over its time, by task, phase and model.
import {html, useEffect, useMemo, useRef, useState} from './lib.js';
import {bit, Nothing, Reading, Seg, Trouble, useFact, useWidth} from './fact.js';
import {amounts, dollars as dollarMarks, times} from './axis.js';
import uPlot from './third_party/uplot.js';
import {prefs} from './store.js';
import {clock, count, money, ms, number, short, span, tokens} from './util.js';

const kinds = [['input_tokens', 'input'], ['output_tokens', 'output'], ['cache_read_tokens', 'cache read'], ['cache_write_tokens', 'cache write']];
const usd = (row) => (row.usage?.cost_usd ?? 0) + (row.list_usd ?? 0);
const dollars = (row) => (usd(row) ? `${row.list_usd ? '≈' : ''}${money(usd(row))}` : row.unpriced ? 'unknown' : '–');

export function CostView({run, detail, api, go}) {
  const [unit, setUnit] = useState(prefs.get('costUnit', 'usd'));
  const key = detail ? `${run.id} ${detail.spend.length} ${detail.sessions} ${tokens(detail.usage)} ${run.state}` : '';
  const {value, error, again} = useFact(key, (init) => api.get(api.run(run.id, '/cost'), init), 2000);
  if (error && !value) return html`<section class="view"><${Trouble} ...${{error, again}} /></section>`;
  if (!value) return html`<section class="view"><${Reading} what="the cost" /></section>`;
  const {total} = value;
  if (total.sessions === 0) return html`<section class="view"><${Nothing} title="Nothing used up yet"><p>Figures come with the first session of an agent.</p></></section>`;
  const pick = (u) => {
    setUnit(u);
    prefs.set('costUnit', u);
  };
  const inDollars = unit === 'usd';
  const limit = inDollars ? value.budget?.run?.cost_usd : value.budget?.run?.tokens;
  const used = inDollars ? usd(total) : tokens(total.usage);
  return html`<section class="view"><div class="bar-tools">
      <${Seg} label="Show" value=${unit} choose=${pick} options=${[['usd', 'Dollars'], ['tokens', 'Tokens']]} />
      <span class="num"><b>${inDollars ? dollars(total) : short(used)}</b> <span class="dim">${count(total.sessions, 'session')}, ${span(total.elapsed_ns / 1e6)}</span></span>
      ${limit > 0 && html`<span class="budget num" title=${`budget of the run: ${inDollars ? money(limit) : number(limit)}`}><meter class="meter" min="0" max="1" high="0.8" optimum="0" value=${Math.min(1, used / limit)} aria-label="Share of the budget" />
        <span class="dim">${Math.round((100 * used) / limit)}% of ${inDollars ? money(limit) : short(limit)}</span></span>`}
      ${total.list_usd > 0 && inDollars && html`<span class="dim cut" title="These sessions told no cost. What their tokens cost at the price list of the API is no bill: a subscription is paid another way.">≈ ${money(total.list_usd)} of it by <b>API list price</b></span>`}
      ${total.unpriced > 0 && html`<span class="dim">${count(total.unpriced, 'session')} of unknown cost</span>`}
    </div>
    <div class="fill-scroll cost" tabindex="0" role="region" aria-label="Cost">
      <div class="plots">
        <figure><figcaption>${inDollars ? 'Dollars' : 'Tokens'}, all in all</figcaption><${Over} points=${value.points} money=${inDollars} limit=${limit} used=${used} /></figure>
        <figure><figcaption>${inDollars ? 'Dollars' : 'Tokens'} by task</figcaption><${Tasks} rows=${value.tasks} money=${inDollars} /></figure>
      </div>
      <${Table} title="Tasks" rows=${value.tasks} total=${total} name=${(r) => (r.pos ? `${r.pos}  ${r.name}` : r.name || 'no task: reviews and plans')} open=${(r) => r.pos > 0 && go({view: 'changes', task: r.pos})} />
      <${Table} title="Phases" rows=${value.phases} />
      <${Table} title="Models" rows=${value.models} />
    </div>
  </section>`;
}

function Table({title, rows, total, name = (r) => r.name || 'not named', open}) {
  if (!rows?.length) return null;
  const most = Math.max(...rows.map(usd), 0.0001);
  return html`<table class="grid costs"><caption>${title}</caption>
    <thead><tr><th scope="col" class="fill">${title.slice(0, -1)}</th><th scope="col" class="r">Sessions</th><th scope="col" class="r">Time</th>${kinds.map(([k, word]) => html`<th key=${k} scope="col" class="r k">${word}</th>`)}<th scope="col" class="r">Cost</th><th scope="col" class="share" aria-hidden="true" /></tr></thead>
    <tbody>${rows.map((r, i) => html`<tr key=${i}><th scope="row" class="fill"><div class="cut" title=${name(r).slice(0, 400)}>${open && r.pos > 0 ? html`<button class="plain" title="show its changes" onClick=${() => open(r)}><bdi>${bit(name(r), 200)}</bdi></button>` : html`<bdi>${bit(name(r), 200)}</bdi>`}</div></th>
      <${Cells} r=${r} /><td class="share" aria-hidden="true"><i style=${{width: `${(100 * usd(r)) / most}%`}} /></td></tr>`)}</tbody>
    ${total && rows.length > 1 && html`<tfoot><tr><th scope="row">All</th><${Cells} r=${total} /><td class="share" /></tr></tfoot>`}</table>`;
}

function Cells({r}) {
  return html`<td class="num r">${r.sessions}</td><td class="num r">${span(r.elapsed_ns / 1e6)}</td>
    ${kinds.map(([k]) => html`<td key=${k} class="num r k" title=${number(r.usage?.[k] ?? 0)}>${r.usage?.[k] ? short(r.usage[k]) : '–'}</td>`)}
    <td class="num r" title=${r.list_usd ? `${money(r.list_usd)} of it by API list price` : ''}>${dollars(r)}</td>`;
}

// inks are the colours of the theme as canvas takes them: a custom property of two values has to be asked of an element.
function inks() {
  const probe = document.createElement('i');
  document.body.append(probe);
  const ink = (name) => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  const all = {text: ink('dim'), grid: ink('edge'), line: ink('accent'), soft: ink('accent-soft'), limit: ink('failed'), series: ['c1', 'c2', 'c3', 'c4'].map(ink)};
  probe.remove();
  return all;
}

// usePlot keeps a plot in an element: made anew when make changes or the theme does, made wider and narrower with the page.
function usePlot(box, make, data) {
  const width = useWidth(box);
  const plot = useRef(null);
  const [theme, setTheme] = useState(0);
  useEffect(() => {
    const again = () => setTheme((n) => n + 1);
    const dark = matchMedia('(prefers-color-scheme: dark)');
    addEventListener('themechange', again);
    dark.addEventListener('change', again);
    return () => {
      removeEventListener('themechange', again);
      dark.removeEventListener('change', again);
    };
  }, []);
  useEffect(() => {
    if (!width) return undefined;
    const p = new uPlot({width, height: tall, ...make(inks())}, data, box.current);
    plot.current = p;
    return () => {
      plot.current = null;
      p.destroy();
    };
  }, [width > 0, theme, make]);
  useEffect(() => {
    if (plot.current && width) plot.current.setSize({width, height: tall});
  }, [width]);
  useEffect(() => plot.current?.setData(data), [data]);
}

const tall = 240;
const font = '11px system-ui, sans-serif';
const axis = (ink, more) => ({stroke: ink.text, grid: {stroke: ink.grid, width: 1}, ticks: {show: false}, font, ...more});
const amount = (isMoney) => (_, vs) => (isMoney ? dollarMarks(vs) : amounts(vs));

// Over is the sum over the time.
function Over({points, money: isMoney, limit, used}) {
  const box = useRef();
  const near = limit > 0 && used > limit * 0.25; // a budget that is far away would press the line to the floor
  const data = useMemo(() => {
    const xs = points.map((p) => ms(p.time) / 1000);
    return [xs, points.map((p) => (isMoney ? p.usd : p.tokens)), ...(near ? [xs.map(() => limit)] : [])];
  }, [points, isMoney, near, limit]);
  const make = useMemo(() => (ink) => ({
    scales: {x: {time: true}, y: {range: (_, low, high) => [0, (high || 1) * 1.08]}},
    axes: [axis(ink, {size: 30, values: (_, vs) => times(vs), space: 76}), axis(ink, {size: 54, values: amount(isMoney)})],
    cursor: {points: {size: 7}, drag: {x: true, y: false}},
    series: [{label: 'Time', value: (_, v) => (v ? clock(v * 1000) : '–')},
      {label: isMoney ? 'Dollars' : 'Tokens', stroke: ink.line, width: 2, fill: ink.soft, paths: uPlot.paths.stepped({align: 1}), points: {show: points.length < 60, size: 5, fill: ink.line}, value: (_, v) => (v == null ? '–' : isMoney ? money(v) : number(v))},
      ...(near ? [{label: 'Budget', stroke: ink.limit, width: 1.5, dash: [6, 4], points: {show: false}, value: () => (isMoney ? money(limit) : short(limit))}] : [])],
  }), [isMoney, near, limit, points.length < 60]);
  usePlot(box, make, data);
  if (points.length < 1) return html`<p class="dim">No session has told figures yet.</p>`;
  return html`<div class="plot" ref=${box} role="img" aria-label=${`${isMoney ? money(used) : number(used)} by now; the tables below have the figures`} />`;
}

// Tasks are bars: of tokens by their kind, one upon the other.
function Tasks({rows, money: isMoney}) {
  const box = useRef();
  const shown = useMemo(() => rows.filter((r) => (isMoney ? usd(r) : tokens(r.usage)) > 0).slice(0, 60), [rows, isMoney]);
  const parts = isMoney ? [['reported', (r) => r.usage?.cost_usd ?? 0], ['API list price', (r) => r.list_usd ?? 0]] : kinds.map(([k, word]) => [word, (r) => r.usage?.[k] ?? 0]);
  const data = useMemo(() => {
    const sums = shown.map(() => 0);
    const stacks = parts.map(([, get]) => shown.map((r, i) => (sums[i] += get(r))));
    return [shown.map((_, i) => i), ...stacks.reverse()]; // the highest is drawn first, the others before it
  }, [shown, isMoney]);
  const make = useMemo(() => (ink) => ({
    scales: {x: {time: false, range: () => [-0.6, Math.max(shown.length - 0.4, 1.4)]}, y: {range: (_, low, high) => [0, (high || 1) * 1.08]}},
    axes: [axis(ink, {size: 30, grid: {show: false}, splits: () => shown.map((_, i) => i), values: (_, vs) => vs.map((i) => (shown[i] ? (shown[i].pos ? `${shown[i].pos}` : 'review') : ''))}), axis(ink, {size: 54, values: amount(isMoney)})],
    cursor: {points: {show: false}, drag: {x: false, y: false}, y: false},
    legend: {markers: {width: 8}},
    series: [{label: 'Task', value: (_, v) => (shown[v] ? (shown[v].pos || 'review') : '–')},
      ...parts.map(([word, get], k) => ({label: word, stroke: ink.series[k], fill: ink.series[k], width: 0, points: {show: false}, paths: uPlot.paths.bars({size: [0.6, 56]}),
        value: (_, v, s, i) => (i == null || !shown[i] ? '–' : isMoney ? money(get(shown[i])) : short(get(shown[i])))})).reverse()],
  }), [shown, isMoney]);
  usePlot(box, make, data);
  if (shown.length === 0) return html`<p class="dim">No task has told figures yet.</p>`;
  return html`<div class="plot" ref=${box} role="img" aria-label="the table of tasks has the figures" />`;
}
