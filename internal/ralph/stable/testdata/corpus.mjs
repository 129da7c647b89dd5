// Makes the golden files of this folder: TZ=Asia/Kolkata node corpus.mjs
// Each line is one case; what the runtime answers stands beside what it was asked.
import { writeFileSync } from 'node:fs';

const texts = [
  'null', 'true', ' false ', '0', '-0', '-0.0', '1', '1e0', '10', '1.50', '0.1', '1e21', '1e20', '123456789012345680000', '1e-6', '1e-7', '1.5e-7', '1.5e300',
  '5e-324', '1.7976931348623157e308', '1e400', '-1e400', '9007199254740993', '0.30000000000000004', '1E+2', '1e-10', '1e-100', '1e100', '4.35', '100000000000000000000000',
  '""', '"a"', '"<>&\u2028\u2029\u007f\u0085"', '"\\u003c\\u2028"', '"\\b\\f\\n\\r\\t\\"\\\\\\/"', '"\\u0000\\u0001\\u001f\\u000b"', '"\\ud83d\\ude00"', '"\\ud83d"', '"\\ude00"',
  '"\\ude00\\ud83d"', '"x\\uD83Dy\\uDE00z"', '"\\ud83d\\ud83d\\ude00"', '"\u{1F600} \u00e9 \u4e2d"', '"\\u00E9"', '"\uFEFF"', '"\uFFFD\uFFFF"', '"\\uDBFF\\uDFFF"', '"\\uD800\\uDC00"',
  '[]', '[ ]', '{}', '{ }', '[[]]', '[{}]', '{"a":[]}', '{"a":{}}', '[1,2,[3,[4]]]', '{"b":1,"a":2}', '{"b":1,"a":2,"b":3}', '{"2":1,"a":2,"1":3,"01":4,"-1":5}',
  '{"4294967294":1,"4294967295":2,"x":3,"0":4}', '{"":1,"":2}', '{"__proto__":1,"constructor":2}', '{"Status":1,"status":2}', '{"a":{"b":{"c":[{"d":null}]}}}',
  '\t{\r\n"a" : [ 1 , 2 ] }\n', '["a","b"]', '{"\\u0061":1,"a":2}', '{"k\\n":"v"}', '{"\\ud800":1}',
  JSON.stringify(Object.fromEntries(Array.from({ length: 60 }, (_, i) => ['k' + i, i]))),
  '{' + Array.from({ length: 60 }, (_, i) => `"k${i % 40}":${i}`).join(',') + '}',
];
for (let c = 0; c < 0x100; c++) texts.push(JSON.stringify(String.fromCharCode(c) + 'x'));
let seed = 7;
const rnd = n => (seed = (seed * 1103515245 + 12345) & 0x7fffffff) % n;
const view = new DataView(new ArrayBuffer(8));
for (let i = 0; i < 300; i++) {
  view.setUint32(0, rnd(0x7fffffff) ^ (rnd(2) << 31)); view.setUint32(4, rnd(0x7fffffff));
  const f = view.getFloat64(0);
  if (Number.isFinite(f)) texts.push(String(f));
  texts.push(String((rnd(2000000) - 1000000) / 10 ** rnd(12)));
}
const value = d => {
  switch (rnd(d > 3 ? 5 : 7)) {
    case 0: return null;
    case 1: return rnd(2) === 1;
    case 2: return rnd(100000) / 8;
    case 3: case 4: return Array.from({ length: rnd(6) }, () => String.fromCharCode([rnd(128), rnd(0x800), rnd(0x10000), 0xd800 + rnd(0x800)][rnd(4)])).join('');
    case 5: return Array.from({ length: rnd(5) }, () => value(d + 1));
    default: return Object.fromEntries(Array.from({ length: rnd(5) }, () => ['k' + rnd(20), value(d + 1)]));
  }
};
for (let i = 0; i < 200; i++) texts.push(JSON.stringify(value(0)));
const bad = ['', ' ', '{', '[1,]', '{"a":1,}', "{'a':1}", '01', '1.', '.5', '+1', '-', '1e', '"\t"', '"\\x"', '"\\u12g4"', '"abc', 'nul', 'tru e', '{"a" 1}', '{a:1}', '[1 2]', '1 2', 'NaN', 'Infinity',
  '\uFEFF{}', '\u00a0{}', '//x', '{}x', '"\\', '"\\u12', '-x', '[', '{"a":', '{"a"'];
const lines = texts.map(t => ({ in: t, pretty: JSON.stringify(JSON.parse(t), null, 2) + '\n', compact: JSON.stringify(JSON.parse(t)) }));
for (const t of bad) {
  let ok = true;
  try { JSON.parse(t); } catch { ok = false; }
  lines.push({ in: t, bad: !ok });
}
writeFileSync('json.jsonl', lines.map(l => JSON.stringify(l) + '\n').join(''));

// String functions: the text as its UTF-16 units.
const strings = ['', 'abc', ' a ', '\u00a0a\u0085\u0085', '\uFEFFa\u3000\u2003\u2028\u2029\v\f', 'a\u200b', '\u180ea', '\u{1F600}', 'x\u{1F600}y\u{10FFFF}', '\ud800', 'a\udc00\ud800b', '\u00e9\u4e2d\n'];
writeFileSync('strings.jsonl', strings.map(s => JSON.stringify({
  in: JSON.stringify(s), trim: JSON.stringify(s.trim()), trimEnd: JSON.stringify(s.trimEnd()), len: s.length,
  cut: Array.from({ length: 6 }, (_, n) => JSON.stringify(s.slice(0, n))),
}) + '\n').join(''));

const times = [
  '2026-03-17T12:00:00.000Z', '2026-03-17T12:00:00Z', '2026-03-17T12:00Z', '2026-03-17', '2026-03', '2026', '2026-03-17T12:00:00.123456789Z', '2026-03-17T12:00:00.1Z', '2026-03-17T12:00:00+05:30',
  '2026-03-17T12:00:00-0800', '2026-03-17T12:00:00', '2026-03-17T12:00', '2026-03-17 12:00:00', '2026-03-17 12:00', '2026-03-17T24:00:00Z', '2026-03-17T24:00:01Z', '2026-02-30', '2026-02-29T00:00:00Z', '2026-13-01',
  '+002026-03-17T12:00:00Z', '-000001-01-01T00:00:00Z', '-000000-01-01T00:00:00Z', '+275760-09-13T00:00:00.000Z', '+275760-09-13T00:00:00.001Z', '0000-01-01', '0099-01-01',
  'Tue, 17 Mar 2026 12:00:00 GMT', 'Tue, 17 Mar 2026 12:00:00 +0100', 'Tue Mar 17 2026 12:00:00 GMT+0000 (Coordinated Universal Time)', 'Mar 17, 2026', 'March 17, 2026 10:00 PM', '17 March 2026', '3/17/2026', '03/17/2026 12:00:00',
  '2026/03/17', '2026/03/17 12:00:00', '2026-3-7', 'Mar 17 2026 12:00 UTC', 'Mar 17 2026 12:00 EST', '17 Mar 26', '1/2/49', '1/2/50', '12:00', 'Tue', '', ' ', 'yesterday', '20260317', '1773748800000', '2026-03-17T', '2026-03-17T12',
  '2026-03-17T12:00:00.Z', '2026-03-17T25:00:00Z', '2026-03-17T12:60:00Z', '2026-03-17t12:00:00z', ' 2026-03-17T12:00:00Z', '2026-03-17T12:00:00Z ', '2026-03-17T12:00:00 Z', 'null', '(comment) Mar 17 2026', 'Mar 17 2026 12:00 AM', 'Mar 17 2026 0:30 PM', 'Mar 17 2026 13:00 PM',
  'Mar 17 2026 12:00:00 GMT+1', 'Mar 17 2026 12:00:00 GMT+0530', 'Mar 17 2026 12:00:00.5', 'Sept 1 2026', 'foo 17 Mar 2026', 'Mar 17 2026 foo', 'Mar 32 2026', 'Mar 31 2026', 'Feb 31 2026', '2026-03-17T12:00:00+01', '2026-03-17T12:00:00+24:00', '2026-03-17T12:00:00+23:59', '2026-W12', '2026-076',
];
writeFileSync('times.jsonl', times.map(t => {
  const n = Date.parse(t);
  return JSON.stringify({ in: t, ms: Number.isNaN(n) ? null : n, iso: Number.isNaN(n) ? null : new Date(n).toISOString() }) + '\n';
}).join(''));
