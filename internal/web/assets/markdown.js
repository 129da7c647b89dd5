// A draft as a person reads it. Markdown becomes elements of a few kinds with text nodes in them; HTML in it stays the text
// that it is, a link shows where it leads and is none, and nothing is ever fetched.
import {html} from './lib.js';
import {visible} from './ansi.js';

const most = 5000; // blocks

// Markdown draws a text.
export function Markdown({text}) {
  return html`<div class="md">${blocks(text.replace(/\r\n?/g, '\n').split('\n'))}</div>`;
}

const fence = /^ {0,3}(`{3,}|~{3,})\s*(.*)$/;
const item = /^( *)([-*+]|\d{1,9}[.)])\s+(.*)$/;
const rule = /^ {0,3}([-*_])( *\1){2,} *$/;
const row = (s) => s.trim().replace(/^\||\|$/g, '').split('|').map((c) => c.trim());

function blocks(lines) {
  const out = [];
  let i = 0;
  const key = () => out.length;
  while (i < lines.length && out.length < most) {
    const line = lines[i];
    let m = fence.exec(line);
    if (m) {
      const body = [];
      for (i++; i < lines.length && !(lines[i].trimStart().startsWith(m[1]) && !lines[i].trim().replace(/[`~]/g, '')); i++) body.push(lines[i]);
      i++;
      out.push(html`<pre key=${key()} tabindex="0"><code>${visible2(body)}</code></pre>`);
    } else if ((m = /^ {0,3}(#{1,6})\s+(.*?)(?:\s+#+)?$/.exec(line))) {
      const Level = `h${Math.min(6, m[1].length + 1)}`;
      out.push(html`<${Level} key=${key()} class=${`md-h${m[1].length}`}><bdi>${inline(m[2])}</bdi></>`);
      i++;
    } else if (rule.test(line)) {
      out.push(html`<hr key=${key()} />`);
      i++;
    } else if (/^ {0,3}>/.test(line)) {
      const body = [];
      for (; i < lines.length && /^ {0,3}>/.test(lines[i]); i++) body.push(lines[i]);
      out.push(html`<blockquote key=${key()}><p><bdi>${inline(body.map((l) => l.replace(/^ {0,3}> ?/, '')).join('\n'))}</bdi></p></blockquote>`);
    } else if (item.test(line)) {
      const body = [];
      for (; i < lines.length && (item.test(lines[i]) || (/^\s+\S/.test(lines[i]) && !fence.test(lines[i].trimStart()))); i++) {
        if (item.test(lines[i])) body.push(lines[i]);
        else body[body.length - 1] += `\n${lines[i].trim()}`;
      }
      out.push(html`<ul key=${key()} class="md-list">${body.map((l, k) => html`<${Item} key=${k} line=${l} />`)}</ul>`);
    } else if (line.includes('|') && /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)+\|?\s*$/.test(lines[i + 1] ?? '')) {
      const head = row(line);
      const body = [];
      for (i += 2; i < lines.length && lines[i].includes('|'); i++) body.push(row(lines[i]));
      out.push(html`<div key=${key()} class="md-table" tabindex="0"><table class="grid"><thead><tr>${head.map((c, k) => html`<th key=${k} scope="col">${inline(c)}</th>`)}</tr></thead>
        <tbody>${body.map((r, k) => html`<tr key=${k}>${head.map((_, n) => html`<td key=${n}>${inline(r[n] ?? '')}</td>`)}</tr>`)}</tbody></table></div>`);
    } else if (!line.trim()) {
      i++;
    } else {
      const body = [];
      for (; i < lines.length && lines[i].trim() && !(body.length > 0 && (fence.test(lines[i]) || item.test(lines[i]) || /^ {0,3}(#{1,6}\s|>)/.test(lines[i]))); i++) body.push(lines[i]);
      out.push(html`<p key=${key()}><bdi>${inline(body.join('\n'))}</bdi></p>`);
    }
  }
  if (i < lines.length) out.push(html`<p key="rest" class="dim">… ${lines.length - i} more lines</p>`);
  return out;
}

const visible2 = (lines) => lines.map(visible).join('\n');

function Item({line}) {
  const [, indent, mark, rest] = item.exec(line.split('\n')[0]);
  const body = [rest, ...line.split('\n').slice(1)].join('\n');
  const box = /^\[([ xX])\]\s+([^]*)$/.exec(body);
  const depth = Math.min(6, Math.floor(indent.length / 2));
  return html`<li style=${{marginLeft: `${depth * 20}px`}}><span class="md-mark" aria-label=${box ? (box[1] === ' ' ? 'open' : 'done') : undefined} role=${box ? 'img' : undefined}>${box ? (box[1] === ' ' ? '☐' : '☑') : /\d/.test(mark) ? mark : '•'}</span><span><bdi>${inline(box ? box[2] : body)}</bdi></span></li>`;
}

// A mark has to stand close to its words; what is never closed is text.
const marks = /(`+)([^`]|[^`][^]*?[^`])\1(?!`)|\*\*(?=\S)([^]{1,2000}?\S)\*\*|(?<![\w*])\*(?=[^\s*])([^*\n]{1,1000}?[^\s*]?)\*(?![\w*])|\[([^\]\n]{1,500})\]\(([^()\s]{1,1000})\)/g;

function inline(text, depth = 0) {
  const out = [];
  let from = 0;
  const short = text.length > 20_000 ? `${text.slice(0, 20_000)} …` : text;
  for (const m of short.matchAll(marks)) {
    if (m.index > from) out.push(visible(short.slice(from, m.index)));
    if (m[2] !== undefined) out.push(html`<code>${visible(m[2])}</code>`);
    else if (m[3] !== undefined) out.push(html`<b>${depth < 3 ? inline(m[3], depth + 1) : visible(m[3])}</b>`);
    else if (m[4] !== undefined) out.push(html`<em>${depth < 3 ? inline(m[4], depth + 1) : visible(m[4])}</em>`);
    else out.push(html`${visible(m[5])} <span class="md-to">(${visible(m[6])})</span>`);
    from = m.index + m[0].length;
  }
  out.push(visible(short.slice(from)));
  return out;
}
