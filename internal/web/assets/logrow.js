// The elements of the log: a line, a section's heading. Text comes in by text nodes only.
import {styled, visible} from './ansi.js';
import {ESCAPES, MORE, kinds} from './logdata.js';
import {clock, count, fullTime, short, span} from './util.js';

const chips = {task: 'task', review: 'review', codex: 'external', 'claude-eval': 'eval', plan: 'plan', finalize: 'finalize'};

// marks and colours of what became of a section; a result that has none is neither good nor bad.
const marks = {done: '✓', green: '✓', clean: '✓', red: '✗', failed: '✗', timeout: '✗', no_output: '✗'};
const good = new Set(['done', 'green', 'clean']);
const ill = new Set(['red', 'failed', 'timeout', 'no_output']);

function el(tag, cls, text) {
  const e = document.createElement(tag);
  if (cls) e.className = cls;
  if (text !== undefined) e.textContent = text;
  return e;
}

// icon draws one of the few pictures of the log; Preact's are for components.
function icon(d, cls = 'icon') {
  const ns = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(ns, 'svg');
  svg.setAttribute('viewBox', '0 0 16 16');
  svg.setAttribute('class', cls);
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(ns, 'path');
  path.setAttribute('d', d);
  svg.append(path);
  return svg;
}

// sectionTitle words a heading: a task's by its title in the plan, as far as that is known.
export function sectionTitle(section, titles) {
  if (!section.task) return section.label;
  const t = titles?.get(section.task);
  const name = `Task ${t?.id || section.task}${t?.title ? `: ${t.title}` : ''}`;
  return section.again > 1 ? `${name} (session ${section.again})` : name;
}

// duration is how long a section took, or takes by now.
export function duration(section, log, now) {
  const end = section.ended || log.ended || (log.live ? now : log.last);
  return span(Math.max(0, end - section.time));
}

// line makes the row of line i. search (or null) marks its matches, at is the line of the one that the person is at.
export function line(log, i, search, at) {
  const kind = kinds[log.kind.a[i]];
  const flags = log.flags.a[i];
  const text = log.text[i];
  const row = el('div', `ln k-${kind}`);
  if (flags & MORE) row.classList.add('more');
  if (kind === 'gate') row.classList.toggle(/\bred\b|: exit [1-9]|timed out|signal:/.test(text) ? 'red' : 'green', /green|red|exit \d|timed out|signal:/.test(text));
  row.dataset.seq = log.seqs.a[i];
  row.dataset.line = i;
  const time = log.times.a[i];
  const said = clock(time);
  row.append(el('span', 'ts', i !== log.sectionOf(i).first && clock(log.times.a[i - 1]) === said ? '' : said));
  const box = el('span', 'tx');
  if (search?.on && search.bits[i]) {
    if (i === at) row.classList.add('at');
    for (const [part, match] of search.parts(text)) box.append(match ? el('mark', '', part) : document.createTextNode(part));
  } else if (flags & ESCAPES && log.raw.has(i)) {
    for (const part of styled(log.raw.get(i))) box.append(part.cls ? el('span', part.cls, visible(part.text)) : document.createTextNode(visible(part.text)));
  } else {
    box.textContent = text;
  }
  row.append(box);
  return row;
}

// heading makes the row of a section; paint fills it, again whenever something of it changed.
export function heading(section) {
  const row = el('div', 'sec');
  row.dataset.seq = section.seq;
  row.dataset.section = section.i;
  const main = el('button', 'sec-main');
  main.type = 'button';
  main.append(icon('m6 3.5 4.5 4.5L6 12.5', 'icon i-chevron'), el('span', 'chip'), el('span', 'sec-title cut'), el('span', 'sec-result'), el('span', 'sec-bad'), el('span', 'sec-meta num'));
  const link = el('button', 'ghost small sec-link');
  link.type = 'button';
  link.title = 'copy a link to this section';
  link.setAttribute('aria-label', link.title);
  link.append(icon('M6.5 9.5 9.8 6.2M7 4.5l1.6-1.6a3 3 0 0 1 4.3 4.3L11.3 8.8M9 11.5l-1.6 1.6a3 3 0 0 1-4.3-4.3L4.7 7.2'));
  const copy = el('button', 'ghost small sec-copy');
  copy.type = 'button';
  copy.title = 'copy the text of this section';
  copy.setAttribute('aria-label', copy.title);
  copy.append(icon('M5.25 5.25h8.5v8.5h-8.5zM10.5 5V2.5h-8v8H5'));
  row.append(main, link, copy);
  return row;
}

// lineTools are the two buttons that appear at the line under the pointer: one pair for all lines.
export function lineTools() {
  const box = el('div', 'ln-tools');
  box.hidden = true;
  for (const [cls, title, path] of [
    ['ln-link', 'copy a link to this line', 'M6.5 9.5 9.8 6.2M7 4.5l1.6-1.6a3 3 0 0 1 4.3 4.3L11.3 8.8M9 11.5l-1.6 1.6a3 3 0 0 1-4.3-4.3L4.7 7.2'],
    ['ln-copy', 'copy this line', 'M5.25 5.25h8.5v8.5h-8.5zM10.5 5V2.5h-8v8H5'],
  ]) {
    const b = el('button', `ghost small ${cls}`);
    b.type = 'button';
    b.tabIndex = -1;
    b.title = title;
    b.setAttribute('aria-label', title);
    b.append(icon(path));
    box.append(b);
  }
  return box;
}

// paint shows a section as it is now: {folded, hits (matching lines, or null), now}.
export function paint(row, section, log, {folded, hits, now}) {
  const [main] = row.children;
  const [, chip, title, result, bad, meta] = main.children;
  put(chip, chips[section.phase] ?? (section.phase || 'run'));
  chip.className = `chip p-${section.phase || 'none'}`;
  put(title, sectionTitle(section, log.titles));
  title.title = `${section.label}, ${fullTime(section.time)}`;
  put(result, section.result ? `${marks[section.result] ?? '·'} ${String(section.result).replaceAll('_', ' ')}` : '');
  result.classList.toggle('good', good.has(section.result));
  result.classList.toggle('ill', ill.has(section.result));
  put(bad, section.problems ? `⚠ ${short(section.problems)}` : '');
  bad.title = section.problems ? count(section.problems, 'warning or error', 'warnings and errors') : '';
  const lines = log.end(section) - section.first;
  put(meta, [hits === null ? count(lines, 'line') : count(hits, 'match', 'matches'), duration(section, log, now)].join(' · '));
  row.classList.toggle('folded', folded);
  row.classList.toggle('current', section.i === log.sections.length - 1 && !log.ended && log.live);
  main.setAttribute('aria-expanded', String(!folded));
}

function put(node, text) {
  if (node.textContent !== text) node.textContent = text;
}
