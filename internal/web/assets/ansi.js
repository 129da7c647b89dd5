// Terminal escapes in the text of agents and commands: taken out of what is searched and copied, drawn as classes.

const escapes = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[PX^_][^\x1b]*(?:\x1b\\)?|[ -/]*[0-~])?/g;
const controls = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

// strip returns the text without escapes.
export const strip = (s) => (s.includes('\x1b') ? s.replace(escapes, '') : s);

// visible shows what has no form, or turns the direction of a line, as what it is: NUL as ␀, others as their code.
export function visible(s) {
  controls.lastIndex = 0;
  if (!controls.test(s)) return s;
  return s.replace(controls, (c) => {
    const n = c.charCodeAt(0);
    if (n === 13) return '';
    if (n < 32) return String.fromCharCode(0x2400 + n);
    if (n === 127) return '␡';
    return n === 0x200d || n === 0x200c ? c : `⟨${n.toString(16)}⟩`;
  });
}

// styled cuts a line into [{text, cls}] by its colour escapes; cls names a class of styles.css.
export function styled(s) {
  const parts = [];
  let at = 0;
  let look = {};
  const push = (text) => {
    if (text) parts.push({text, cls: classes(look)});
  };
  for (const m of s.matchAll(escapes)) {
    push(s.slice(at, m.index));
    at = m.index + m[0].length;
    if (m[0].startsWith('\x1b[') && m[0].endsWith('m')) look = turn(look, m[0].slice(2, -1));
  }
  push(s.slice(at));
  return parts;
}

// turn applies the numbers of one colour escape.
function turn(look, codes) {
  const n = codes === '' ? [0] : codes.split(/[;:]/).map(Number);
  let next = {...look};
  for (let i = 0; i < n.length; i++) {
    const c = n[i];
    if (c === 0) next = {};
    else if (c === 1) next.bold = true;
    else if (c === 2) next.faint = true;
    else if (c === 3) next.italic = true;
    else if (c === 4) next.line = true;
    else if (c === 9) next.strike = true;
    else if (c === 22) next.bold = next.faint = false;
    else if (c === 23) next.italic = false;
    else if (c === 24) next.line = false;
    else if (c === 29) next.strike = false;
    else if (c >= 30 && c <= 37) next.fg = c - 30;
    else if (c >= 90 && c <= 97) next.fg = c - 82;
    else if (c === 39) next.fg = undefined;
    else if (c === 38 || c === 48) {
      if (n[i + 1] === 5 && c === 38) next.fg = n[i + 2] < 16 ? n[i + 2] : undefined;
      i += n[i + 1] === 5 ? 2 : 4; // of the other 240 colours, and of free ones, none is sure to be legible
    }
  }
  return next;
}

function classes(look) {
  const names = [];
  if (look.fg !== undefined) names.push(`a-fg${look.fg}`);
  for (const name of ['bold', 'faint', 'italic', 'line', 'strike']) if (look[name]) names.push(`a-${name}`);
  return names.join(' ');
}
