// The virtual list of the log: of a million lines only those in sight are elements.
//
// What is shown, and where, tells LogIndex. Lines that wrap are estimated, and measured when they are drawn; what is in sight stays where it is then, since
// the difference goes into `offset`, not into the scroll position. A list that is higher than a browser can make an
// element scrolls a shorter one, by the same offset.
import {LogIndex, lineHeight} from './logindex.js';
import {heading, line, paint} from './logrow.js';

const over = 16; // lines drawn beyond the edges
const highest = 8_000_000; // px of the element that is scrolled
const tail = 28; // px of room behind the last line
const printed = 4000; // lines on paper at most: who wants all of a long log exports it

export class LogList {
  // el: {scroller, space, rows, pin, probe}; told({follow, fresh}) is called when one of them changed.
  constructor(el, told) {
    Object.assign(this, {el, told, index: new LogIndex(), follow: true, fresh: 0, offset: 0, top: 0, lastTop: 0, height: 0, width: 0});
    this.drawn = new Map(); // code → element
    this.shownSection = -1;
    el.scroller.addEventListener('scroll', () => this.#scrolled(), {passive: true});
    this.sizes = new ResizeObserver(() => this.resize());
    this.sizes.observe(el.scroller);
    this.paper = matchMedia('print');
    this.onPaper = () => this.render();
    this.paper.addEventListener('change', this.onPaper);
  }

  close() {
    this.sizes.disconnect();
    this.paper.removeEventListener('change', this.onPaper);
    cancelAnimationFrame(this.frame);
    clearTimeout(this.idle);
  }

  // show turns to a log, by the rules of LogIndex.
  show(log, rules) {
    Object.assign(this, {log, fresh: 0});
    this.index.show(log, rules);
    this.#forget();
    this.#arranged(null);
  }

  // build arranges all of it anew. Before and after, the same line stands at the same place.
  build(anchor = this.anchor()) {
    if (!this.log) return;
    this.index.build();
    this.#arranged(anchor);
  }

  #arranged(anchor) {
    if (this.follow) this.setTop(Infinity);
    else this.restore(anchor);
  }

  // more takes in what was appended to the log.
  more() {
    const before = this.index.n;
    this.index.extend();
    if (this.index.n === before) return this.redraw();
    if (this.follow) return this.setTop(Infinity);
    this.fresh += this.index.n - before;
    this.told();
    this.redraw();
  }

  get total() {
    const {n, y} = this.index;
    return n ? y[n] + tail : 0;
  }

  get maxTop() {
    return Math.max(0, this.total - this.height);
  }

  // anchor names what stands at the top edge; restore puts it there again.
  anchor() {
    const {n, codes, y} = this.index;
    if (!n || !this.log) return null;
    const i = this.index.at(this.top);
    return {code: codes[i], dy: this.top - y[i]};
  }

  restore(anchor) {
    if (!anchor || !this.index.n) return this.setTop(0);
    const i = this.index.indexOf(anchor.code);
    this.setTop(this.index.y[i] + (this.index.codes[i] === anchor.code ? anchor.dy : 0));
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
    const {index} = this;
    const above = third ? this.height / 3 : 0;
    this.setTop(index.y[index.indexOf(code)] - above);
    this.setTop(index.y[index.indexOf(code)] - above); // by what was measured on the way
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
    const other = cols !== this.index.cols;
    Object.assign(this, {width, height});
    this.index.cols = cols;
    if (!this.log) return;
    if (other && this.index.wrap) this.refill(anchor);
    else if (this.follow) this.setTop(Infinity);
    else this.setTop(this.top);
  }

  // refill forgets how lines wrapped.
  refill(anchor = this.anchor()) {
    this.index.refill();
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
    const {index} = this;
    if (!index.n) {
      this.#forget();
      this.el.pin.hidden = true;
      return;
    }
    if (this.paper.matches) return this.#place(0, Math.min(index.n, printed));
    const first = index.at(this.top);
    const start = Math.max(0, first - over);
    const bottom = this.top + this.height;
    let end = first;
    while (end < index.n && index.y[end] < bottom) end++;
    end = Math.min(index.n, end + over);
    this.#place(start, end);
    this.el.rows.style.transform = `translateY(${index.y[start] - this.offset}px)`;
    if (index.wrap && this.#measure(start, end, first)) {
      this.el.rows.style.transform = `translateY(${index.y[start] - this.offset}px)`;
      if (this.follow) {
        this.top = this.maxTop;
        this.#sync();
        this.el.rows.style.transform = `translateY(${index.y[start] - this.offset}px)`;
      }
    }
    this.#pin(first);
  }

  // place makes the elements between start and end, and leaves those alone that are there already.
  #place(start, end) {
    const {rows} = this.el;
    const {log, index} = this;
    const keep = new Set();
    for (let i = start; i < end; i++) keep.add(index.codes[i]);
    for (const [code, row] of this.drawn) {
      if (keep.has(code)) continue;
      row.remove();
      this.drawn.delete(code);
    }
    let here = rows.firstChild;
    for (let i = start; i < end; i++) {
      const code = index.codes[i];
      let row = this.drawn.get(code);
      if (!row) {
        row = code < 0 ? heading(log.sections[-code - 1]) : line(log, code, index.rules.search, this.match);
        if (code === this.marked) row.classList.add('marked');
        this.drawn.set(code, row);
      }
      if (code < 0) this.#paint(row, log.sections[-code - 1]);
      if (row === here) here = here.nextSibling;
      else rows.insertBefore(row, here);
    }
  }

  #paint(row, section) {
    paint(row, section, this.log, {folded: this.index.rules.folded(section), hits: this.index.rules.only ? section.hits : null, now: Date.now()});
  }

  // measure looks how high the lines are, and tells whether that was not as thought. What is at the top edge stays there.
  #measure(start, end, first) {
    const {shift, above} = this.index.measured(start, end, first, (code) => Math.max(1, Math.round(this.drawn.get(code).offsetHeight / lineHeight)));
    if (shift === 0) return false;
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
    const code = this.index.codes[first];
    const section = code < 0 ? this.log.sections[-code - 1] : this.log.sectionOf(code);
    const show = this.top > this.index.y[first] || code >= 0;
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
