// Search over all lines of a log, in slices, so that a million lines never hold the page up.

const slice = 8; // ms of work at a time
const step = 2000; // lines between two looks at the clock

export class Search {
  // changed is called when there is more to show.
  constructor(log, changed) {
    this.log = log;
    this.changed = changed;
    this.clear();
  }

  clear() {
    clearTimeout(this.timer);
    this.text = '';
    this.pattern = null;
    this.at = 0; // lines looked at
    this.found = []; // lines that match, in order
    this.bits = new Uint8Array(0); // line → 1
    this.now = -1; // index in found that the person is at
  }

  get on() {
    return this.pattern !== null;
  }

  get done() {
    return this.at >= this.log.length;
  }

  set(text) {
    this.clear();
    if (text) {
      this.text = text;
      this.pattern = new RegExp(text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'gi');
      this.go();
    }
    this.changed();
  }

  // go looks at the lines that came since, a slice at once and the others later.
  go() {
    clearTimeout(this.timer);
    if (!this.on) return;
    const before = this.found.length;
    const until = performance.now() + slice;
    const {text, length} = this.log;
    if (this.bits.length < length) {
      const wider = new Uint8Array(Math.max(length, this.bits.length * 2));
      wider.set(this.bits);
      this.bits = wider;
    }
    while (this.at < length) {
      const end = Math.min(this.at + step, length);
      for (let i = this.at; i < end; i++) {
        this.pattern.lastIndex = 0;
        if (this.pattern.test(text[i])) {
          this.bits[i] = 1;
          this.found.push(i);
        }
      }
      this.at = end;
      if (performance.now() > until) break;
    }
    if (this.at < length) this.timer = setTimeout(() => this.go(), 0);
    if (this.found.length !== before || this.done) this.changed();
  }

  // parts cuts a line into [text, isMatch] pairs.
  parts(text) {
    const out = [];
    let from = 0;
    this.pattern.lastIndex = 0;
    for (let m = this.pattern.exec(text); m; m = this.pattern.exec(text)) {
      if (m.index > from) out.push([text.slice(from, m.index), false]);
      out.push([m[0], true]);
      from = m.index + m[0].length;
      if (m[0] === '') this.pattern.lastIndex++;
    }
    if (from < text.length) out.push([text.slice(from), false]);
    return out;
  }

  // first returns the index in found of the first match at or behind the line.
  first(line) {
    let low = 0;
    let high = this.found.length;
    while (low < high) {
      const mid = (low + high) >> 1;
      if (this.found[mid] < line) low = mid + 1;
      else high = mid;
    }
    return low;
  }
}
