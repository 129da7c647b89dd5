// The virtual list of the log: of a million lines only those in sight are elements.
//
// What is shown is an array of codes, a line's index or -(section + 1) for a heading, with the place of each in another
// one. Lines that wrap are estimated, and measured when they are drawn; what is in sight stays where it is then, since
// the difference goes into `offset`, not into the scroll position. A list that is higher than a browser can make an
// element scrolls a shorter one, by the same offset.
import {heading, line, paint} from './logrow.js';

export const lineHeight = 18;
export const headHeight = 30;
const over = 16; // lines drawn beyond the edges
const highest = 8_000_000; // px of the element that is scrolled
const tail = 28; // px of room behind the last line

export class LogList {
  // el: {scroller, space, rows, pin, probe}; told({follow, fresh}) is called when one of them changed.
  constructor(el, told) {
    Object.assign(this, {el, told, wrap: true, follow: true, fresh: 0, offset: 0, top: 0, lastTop: 0, height: 0, width: 0, cols: 80});
    this.drawn = new Map(); // code → element
    this.shownSection = -1;
    el.scroller.addEventListener('scroll', () => this.#scrolled(), {passive: true});
    this.sizes = new ResizeObserver(() => this.resize());
    this.sizes.observe(el.scroller);
  }

  close() {
    this.sizes.disconnect();
    cancelAnimationFrame(this.frame);
    clearTimeout(this.idle);
  }

  // show turns to a log. rules: {phases: Set or null, kinds: bits, search, only (matches), folded(section)}.
  show(log, rules) {
    Object.assign(this, {log, rules, fresh: 0});
    this.lineRows = new Uint16Array(Math.max(1024, log.length));
    this.#forget();
    this.build();
  }

  // build arranges all of it anew. Before and after, the same line stands at the same place.
  build(anchor = this.anchor()) {
    if (!this.log) return;
    this.n = 0;
    this.codes ??= new Int32Array(4096);
    this.y ??= new Float64Array(4097);
    this.s = 0;
    this.opened = false;
    for (const s of this.log.sections) s.hits = 0;
    this.#extend();
    if (this.follow) this.setTop(Infinity);
    else this.restore(anchor);
  }

  // more takes in what was appended to the log.
  more() {
    const before = this.n;
    this.#extend();
    if (this.n === before) return this.redraw();
    if (this.follow) return this.setTop(Infinity);
    this.fresh += this.n - before;
    this.told();
    this.redraw();
  }

  get total() {
    return this.n ? this.y[this.n] + tail : 0;
  }

  get maxTop() {
    return Math.max(0, this.total - this.height);
  }

  #extend() {
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

  // anchor names what stands at the top edge; restore puts it there again.
  anchor() {
    if (!this.n || !this.log) return null;
    const i = this.at(this.top);
    return {code: this.codes[i], dy: this.top - this.y[i]};
  }

  restore(anchor) {
    if (!anchor || !this.n) return this.setTop(0);
    const i = this.indexOf(anchor.code);
    this.setTop(this.y[i] + (this.codes[i] === anchor.code ? anchor.dy : 0));
  }

  // setTop scrolls so that the height y is the upper edge.
  setTop(y) {
    this.top = Math.max(0, Math.min(y, this.maxTop));
    this.#sync();
    this.render();
  }

  // reveal brings a code into sight: at the upper edge, or a third below it.
  reveal(code, third = true) {
    this.follow = false;
    const y = this.y[this.indexOf(code)];
    this.setTop(third ? y - this.height / 3 : y);
    this.setTop(this.y[this.indexOf(code)] - (third ? this.height / 3 : 0)); // by what was measured on the way
    this.told();
  }

  toEnd() {
    this.follow = true;
    this.fresh = 0;
    this.setTop(Infinity);
    this.setTop(Infinity);
    this.told();
  }

  // sync puts the browser's scroll position where top wants it.
  #sync() {
    const {scroller, space} = this.el;
    const height = Math.min(this.total, highest);
    if (this.spaceHeight !== height) {
      this.spaceHeight = height;
      space.style.height = `${height}px`;
    }
    const want = this.total > highest ? (this.top / this.maxTop) * (height - this.height) : this.top;
    if (Math.abs(scroller.scrollTop - want) >= 1) scroller.scrollTop = want;
    this.lastTop = scroller.scrollTop;
    this.offset = this.top - this.lastTop;
  }

  #scrolled() {
    if (!this.log) return;
    const at = this.el.scroller.scrollTop;
    const d = at - this.lastTop;
    if (d === 0) return;
    this.lastTop = at;
    const far = Math.max(0, this.spaceHeight - this.height);
    if (this.total > highest && Math.abs(d) > 4 * this.height) this.offset = (far ? (at / far) * this.maxTop : 0) - at; // the bar was dragged
    this.top = Math.max(0, Math.min(at + this.offset, this.maxTop));
    const follow = this.top >= this.maxTop - 4;
    if (follow !== this.follow || (follow && this.fresh)) {
      this.follow = follow;
      if (follow) this.fresh = 0;
      this.told();
    }
    const stuck = (at <= 0 && this.top > 1) || (at >= far - 1 && this.top < this.maxTop - 1);
    if (stuck) this.#sync();
    clearTimeout(this.idle);
    this.idle = setTimeout(() => {
      if (Math.abs(this.offset) > 0.5) {
        this.#sync();
        this.render();
      }
      this.settled?.();
    }, 200);
    this.render();
  }

  // resize measures the list and its letters again.
  resize() {
    const {scroller, probe} = this.el;
    const {clientWidth: width, clientHeight: height} = scroller;
    if (!width) return;
    scroller.parentElement.style.setProperty('--scrollbar', `${scroller.offsetWidth - width}px`);
    scroller.parentElement.style.setProperty('--log-width', `${width}px`);
    const letter = probe.getBoundingClientRect().width / 100;
    const room = probe.parentElement.getBoundingClientRect().width;
    const cols = Math.max(10, Math.floor(room / (letter || 8)));
    const anchor = this.anchor();
    const other = cols !== this.cols;
    Object.assign(this, {width, height, cols});
    if (!this.log) return;
    if (other && this.wrap) this.refill(anchor);
    else if (this.follow) this.setTop(Infinity);
    else this.setTop(this.top);
  }

  // refill forgets how lines wrapped.
  refill(anchor = this.anchor()) {
    this.lineRows?.fill(0);
    this.#forget();
    this.build(anchor);
  }

  #forget() {
    this.drawn.clear();
    this.el.rows.textContent = '';
  }

  // redraw draws what is in sight again, with new marks.
  redraw(lines = false) {
    if (lines) {
      for (const [code, row] of this.drawn) {
        if (code < 0) continue;
        row.remove();
        this.drawn.delete(code);
      }
    }
    this.render();
  }

  render() {
    if (!this.log || !this.height) return;
    if (!this.n) {
      this.#forget();
      this.el.pin.hidden = true;
      return;
    }
    const first = this.at(this.top);
    const start = Math.max(0, first - over);
    const bottom = this.top + this.height;
    let end = first;
    while (end < this.n && this.y[end] < bottom) end++;
    end = Math.min(this.n, end + over);
    this.#place(start, end);
    this.el.rows.style.transform = `translateY(${this.y[start] - this.offset}px)`;
    if (this.wrap && this.#measure(start, end, first)) {
      this.el.rows.style.transform = `translateY(${this.y[start] - this.offset}px)`;
      if (this.follow) {
        this.top = this.maxTop;
        this.#sync();
        this.el.rows.style.transform = `translateY(${this.y[start] - this.offset}px)`;
      }
    }
    this.#pin(first);
  }

  // place makes the elements between start and end, and leaves those alone that are there already.
  #place(start, end) {
    const {rows} = this.el;
    const {log, rules} = this;
    const keep = new Set();
    for (let i = start; i < end; i++) keep.add(this.codes[i]);
    for (const [code, row] of this.drawn) {
      if (keep.has(code)) continue;
      row.remove();
      this.drawn.delete(code);
    }
    let here = rows.firstChild;
    for (let i = start; i < end; i++) {
      const code = this.codes[i];
      let row = this.drawn.get(code);
      if (!row) {
        row = code < 0 ? heading(log.sections[-code - 1]) : line(log, code, rules.search, this.match);
        if (code === this.marked) row.classList.add('marked');
        this.drawn.set(code, row);
      }
      if (code < 0) this.#paint(row, log.sections[-code - 1]);
      if (row === here) here = here.nextSibling;
      else rows.insertBefore(row, here);
    }
  }

  #paint(row, section) {
    paint(row, section, this.log, {folded: this.rules.folded(section), hits: this.rules.only ? section.hits : null, now: Date.now()});
  }

  // measure looks how high the lines are, and tells whether that was not as thought. What is at the top edge stays there.
  #measure(start, end, first) {
    let shift = 0;
    let above = 0;
    for (let i = start; i < end; i++) {
      const code = this.codes[i];
      let height = headHeight;
      if (code >= 0) {
        const rows = Math.max(1, Math.round(this.drawn.get(code).offsetHeight / lineHeight));
        if (rows !== this.lineRows[code]) {
          shift += (rows - this.lineRows[code]) * lineHeight;
          this.lineRows[code] = rows;
        }
        height = rows * lineHeight;
      }
      if (i < first) above = shift;
      this.y[i + 1] = this.y[i] + height;
    }
    if (shift === 0) return false;
    for (let i = end; i < this.n; i++) this.y[i + 1] += shift;
    this.top += above;
    this.offset += above;
    const height = Math.min(this.total, highest);
    if (height > this.spaceHeight || this.follow) {
      this.spaceHeight = height;
      this.el.space.style.height = `${height}px`;
    }
    return true;
  }

  // pin keeps the heading of the section in sight whose lines are at the upper edge.
  #pin(first) {
    const {pin} = this.el;
    const code = this.codes[first];
    const section = code < 0 ? this.log.sections[-code - 1] : this.log.sectionOf(code);
    const show = this.top > this.y[first] || code >= 0;
    if (pin.hidden === show) pin.hidden = !show;
    this.current = section.i;
    if (!show) return;
    let row = pin.firstChild;
    if (this.shownSection !== section || !row) {
      row = heading(section);
      pin.replaceChildren(row);
      this.shownSection = section;
    }
    this.#paint(row, section);
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
