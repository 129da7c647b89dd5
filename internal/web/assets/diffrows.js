// A diff as rows of known height, so that any part of it can be drawn by itself. No drawing here.

export const line = 20; // px, of a row
export const headLine = 36; // of a file's head

export const manyLines = 1500; // a file with more begins folded

export const linesOf = (f) => f.hunks.reduce((n, h) => n + h.lines.length, 0);

// foldedAtFirst tells which files begin folded: large ones, and what is not to be read.
export const foldedAtFirst = (f) => f.binary || f.too_big || linesOf(f) > manyLines || f.hunks.length === 0;

// rowsOf is the diff as rows: {type: 'file', file, i}, {type: 'hunk', hunk}, {type: 'line', left, right} (split) or
// {type: 'line', line} (unified), {type: 'note', text}; tops[i] is where row i begins, tops[rows.length] the height of all.
export function rowsOf(files, folded, split) {
  const rows = [];
  const at = []; // index of the head of each file
  files.forEach((file, i) => {
    at.push(rows.length);
    rows.push({type: 'file', file, i});
    if (folded.has(file.path)) return;
    const note = whyNothing(file);
    if (note) rows.push({type: 'note', text: note, i});
    for (const hunk of file.hunks) {
      rows.push({type: 'hunk', hunk, i});
      if (split) pairs(hunk.lines, (left, right) => rows.push({type: 'line', left, right, i}));
      else unified(hunk.lines, (l, other) => rows.push({type: 'line', line: l, other, i}));
    }
  });
  const tops = new Float64Array(rows.length + 1);
  rows.forEach((r, i) => {
    tops[i + 1] = tops[i] + (r.type === 'file' ? headLine : line);
  });
  return {rows, tops, at};
}

export function whyNothing(f) {
  if (f.binary) return 'a binary file: its bytes are not shown';
  if (f.too_big) return 'too large to be shown here: git diff has it';
  if (f.hunks.length > 0) return '';
  return f.status === 'renamed' || f.status === 'copied' ? `${f.status} without a change` : 'no lines changed: its mode, or it is empty';
}

// runs calls take(minus, plus) for each stretch of removed and added lines, and same(line) for the others.
function runs(lines, take, same) {
  let minus = [];
  let plus = [];
  const flush = () => {
    if (minus.length + plus.length > 0) take(minus, plus);
    minus = [];
    plus = [];
  };
  for (const l of lines) {
    if (l.op === '-') {
      if (plus.length > 0) flush();
      minus.push(l);
    } else if (l.op === '+') plus.push(l);
    else {
      flush();
      same(l);
    }
  }
  flush();
}

function pairs(lines, add) {
  runs(lines, (minus, plus) => {
    for (let i = 0; i < Math.max(minus.length, plus.length); i++) add(minus[i] ?? null, plus[i] ?? null);
  }, (l) => add(l, l));
}

// unified keeps the order of the diff; each line gets the one it stands against, if there is one.
function unified(lines, add) {
  runs(lines, (minus, plus) => {
    minus.forEach((l, i) => add(l, plus[i]));
    plus.forEach((l, i) => add(l, minus[i]));
  }, (l) => add(l, null));
}

// rowAt is the index of the row at a height.
export function rowAt(tops, y) {
  let low = 0;
  let high = tops.length - 2;
  while (low < high) {
    const mid = (low + high + 1) >> 1;
    if (tops[mid] <= y) low = mid;
    else high = mid - 1;
  }
  return Math.max(0, low);
}

// changed is where a line differs from the one it stands against: [begin, end) of text, or null when they are not alike.
export function changed(text, other) {
  if (!other || text.length > 2000) return null;
  const most = Math.min(text.length, other.length);
  let head = 0;
  while (head < most && text[head] === other[head]) head++;
  let tail = 0;
  while (tail < most - head && text[text.length - 1 - tail] === other[other.length - 1 - tail]) tail++;
  if (head + tail < Math.max(text.trim().length, 1) * 0.3) return null;
  if (head > 0 && /[\ud800-\udbff]/.test(text[head - 1])) head--;
  if (tail > 0 && /[\udc00-\udfff]/.test(text[text.length - tail])) tail--;
  return [head, text.length - tail];
}

// widest is the length of the longest line that is shown, in characters, with tabs as four.
export function widest(rows) {
  let n = 0;
  for (const r of rows) {
    if (r.type !== 'line') continue;
    for (const l of [r.line, r.left, r.right]) {
      if (l && l.text.length > n) n = l.text.length + 3 * (l.text.split('\t').length - 1);
    }
  }
  return n;
}

// treeOf puts files into folders: [{name, depth, file, i}], a folder has no file; folders with one folder in them are one row.
export function treeOf(files) {
  const root = {dirs: new Map(), files: []};
  files.forEach((file, i) => {
    const parts = file.path.split('/');
    let dir = root;
    for (const p of parts.slice(0, -1)) {
      if (!dir.dirs.has(p)) dir.dirs.set(p, {dirs: new Map(), files: []});
      dir = dir.dirs.get(p);
    }
    dir.files.push({name: parts[parts.length - 1], file, i});
  });
  const list = [];
  const walk = (dir, depth) => {
    for (let [name, d] of [...dir.dirs].sort((a, b) => (a[0] < b[0] ? -1 : 1))) {
      while (d.files.length === 0 && d.dirs.size === 1) {
        const [only] = d.dirs;
        name += `/${only[0]}`;
        d = only[1];
      }
      list.push({name: `${name}/`, depth});
      if (depth < 40) walk(d, depth + 1);
    }
    for (const f of dir.files) list.push({...f, depth});
  };
  walk(root, 0);
  return list;
}
