// What the log shows, and where: an array of codes, a line's index or -(section + 1) for a heading, and the height at
// which each begins. A million of them cost two arrays of numbers.

export const lineHeight = 18;
export const headHeight = 30;

export class LogIndex {
  constructor() {
    this.n = 0; // codes
    this.codes = new Int32Array(4096);
    this.y = new Float64Array(4097); // px; y[n] is the end
    this.lineRows = new Uint16Array(1024); // line → rows that it takes, 0 = not known
    this.wrap = true;
    this.cols = 80;
  }

  // show turns to a log. rules: {phases: Set or null, kinds: bits, search, only (matches), folded(section)}.
  show(log, rules) {
    Object.assign(this, {log, rules});
    this.lineRows = new Uint16Array(Math.max(1024, log.length));
    this.build();
  }

  build() {
    this.n = 0;
    this.s = 0; // section that is being arranged
    this.opened = false;
    for (const s of this.log.sections) s.hits = 0;
    this.extend();
  }

  // extend takes in what was appended to the log.
  extend() {
    const {log, rules} = this;
    const {sections} = log;
    const picky = rules.kinds !== 0xffff || rules.only;
    while (this.s < sections.length) {
      const section = sections[this.s];
      if (!this.opened) {
        this.opened = true;
        this.wanted = !rules.phases || rules.phases.has(section.phase);
        this.headed = false;
        this.folded = rules.folded(section);
        this.next = section.first;
        if (this.wanted && !picky) this.#push(-section.i - 1, headHeight);
      }
      const end = log.end(section);
      if (!this.wanted) this.next = end;
      else if (!picky) {
        if (this.folded) this.next = end;
        for (; this.next < end; this.next++) this.#push(this.next, this.rowsOf(this.next) * lineHeight);
      } else {
        for (; this.next < end; this.next++) if (this.#passes(this.next)) this.#take(section);
      }
      if (this.s === sections.length - 1) break;
      this.s++;
      this.opened = false;
    }
  }

  #passes(i) {
    const {kinds, only, search} = this.rules;
    return (kinds >> this.log.kind.a[i]) & 1 && (!only || search.bits[i] === 1);
  }

  #take(section) {
    if (!this.headed) {
      this.headed = true;
      this.#push(-section.i - 1, headHeight);
    }
    section.hits++;
    if (!this.folded) this.#push(this.next, this.rowsOf(this.next) * lineHeight);
  }

  #push(code, height) {
    if (this.n + 1 >= this.codes.length) {
      const codes = new Int32Array(this.codes.length * 2);
      codes.set(this.codes);
      const y = new Float64Array(codes.length + 1);
      y.set(this.y);
      Object.assign(this, {codes, y});
    }
    this.codes[this.n] = code;
    this.y[this.n + 1] = this.y[this.n] + height;
    this.n++;
  }

  // rowsOf is how many rows a line takes: measured, or as words fill columns.
  rowsOf(i) {
    if (!this.wrap) return 1;
    if (i >= this.lineRows.length) {
      const wider = new Uint16Array(Math.max(this.log.length, this.lineRows.length * 2));
      wider.set(this.lineRows);
      this.lineRows = wider;
    }
    return this.lineRows[i] || (this.lineRows[i] = fill(this.log.text[i], this.cols));
  }

  // key orders codes as they stand in the log.
  #key(code) {
    return code >= 0 ? code : this.log.sections[-code - 1].first - 0.5 + -code * 1e-7;
  }

  // indexOf finds a code, or what stands before it when it is not shown.
  indexOf(code) {
    const key = this.#key(code);
    let low = 0;
    let high = this.n - 1;
    while (low < high) {
      const mid = (low + high + 1) >> 1;
      if (this.#key(this.codes[mid]) <= key) low = mid;
      else high = mid - 1;
    }
    return low;
  }

  // at finds the index of what stands at a height.
  at(y) {
    let low = 0;
    let high = this.n - 1;
    while (low < high) {
      const mid = (low + high + 1) >> 1;
      if (this.y[mid] <= y) low = mid;
      else high = mid - 1;
    }
    return Math.max(0, low);
  }

  // refill forgets how lines wrapped.
  refill() {
    this.lineRows.fill(0);
  }

  // measured says how many rows lines take in truth: those of codes start to end, by rows(code). It returns by how much what
  // stands behind them moved, and what stands at the index first.
  measured(start, end, first, rows) {
    let shift = 0;
    let above = 0;
    for (let i = start; i < end; i++) {
      const code = this.codes[i];
      let height = headHeight;
      if (code >= 0) {
        const n = rows(code);
        shift += (n - this.lineRows[code]) * lineHeight;
        this.lineRows[code] = n;
        height = n * lineHeight;
      }
      if (i < first) above = shift;
      this.y[i + 1] = this.y[i] + height;
    }
    if (shift !== 0) for (let i = end; i < this.n; i++) this.y[i + 1] += shift;
    return {shift, above};
  }
}

// fill counts the rows that a text takes: words go to the next row whole, one that is longer than a row breaks.
export function fill(text, cols) {
  if (text.length <= cols) return 1;
  let rows = 1;
  let col = 0;
  for (let at = 0; at < text.length;) {
    let to = text.indexOf(' ', at);
    if (to < 0) to = text.length;
    const word = to - at;
    if (col + word > cols) {
      if (col > 0) rows++;
      col = word;
      if (word > cols) {
        rows += Math.ceil(word / cols) - 1;
        col = word % cols || cols;
      }
    } else {
      col += word;
    }
    at = to;
    while (text.charCodeAt(at) === 32) {
      at++;
      col++;
    }
  }
  return Math.min(rows, 0xffff);
}
