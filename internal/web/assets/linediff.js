// The difference of two texts by lines, as a list of {op: ' ' | '+' | '-', text}. Large texts lose the finer matches, never a line.
const most = 4_000_000; // cells of the table

export function lineDiff(before, after) {
  const a = before.split('\n');
  const b = after.split('\n');
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const x = a.slice(head, a.length - tail);
  const y = b.slice(head, b.length - tail);
  const same = (lines) => lines.map((text) => ({op: ' ', text}));
  return [...same(a.slice(0, head)), ...middle(x, y), ...same(a.slice(a.length - tail))];
}

// middle finds the longest common lines of what is left.
function middle(x, y) {
  const n = x.length;
  const m = y.length;
  if (n * m > most || n === 0 || m === 0) return [...x.map((text) => ({op: '-', text})), ...y.map((text) => ({op: '+', text}))];
  const w = m + 1;
  const t = new Uint32Array((n + 1) * w);
  for (let i = n - 1; i >= 0; i--) {
    for (let j = m - 1; j >= 0; j--) t[i * w + j] = x[i] === y[j] ? t[(i + 1) * w + j + 1] + 1 : Math.max(t[(i + 1) * w + j], t[i * w + j + 1]);
  }
  const out = [];
  let i = 0;
  let j = 0;
  while (i < n || j < m) {
    if (i < n && j < m && x[i] === y[j]) {
      out.push({op: ' ', text: x[i]});
      i++;
      j++;
    } else if (i < n && (j === m || t[(i + 1) * w + j] >= t[i * w + j + 1])) out.push({op: '-', text: x[i++]});
    else out.push({op: '+', text: y[j++]});
  }
  return out;
}

// around keeps the changes and n lines about each; what is left out becomes {op: '…', n}.
export function around(lines, n = 3) {
  const keep = new Uint8Array(lines.length);
  lines.forEach((l, i) => {
    if (l.op !== ' ') for (let k = Math.max(0, i - n); k <= Math.min(lines.length - 1, i + n); k++) keep[k] = 1;
  });
  const out = [];
  let gap = 0;
  lines.forEach((l, i) => {
    if (!keep[i]) {
      gap++;
      return;
    }
    if (gap > 0) out.push({op: '…', n: gap});
    gap = 0;
    out.push(l);
  });
  if (gap > 0) out.push({op: '…', n: gap});
  return out;
}
