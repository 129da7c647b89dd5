// The log of one run: the server's rows as lines and sections, in arrays that hold a million lines without a million objects.
import {strip, visible} from './ansi.js';
import {ms} from './util.js';

// kinds of lines, and the group that a filter turns on and off together.
export const kinds = ['agent', 'stderr', 'tool', 'command', 'gate', 'note', 'warning', 'problem', 'help', 'mark'];
const K = Object.fromEntries(kinds.map((k, i) => [k, i]));
export const groups = [
  {id: 'agent', label: 'Agent', kinds: [K.agent]},
  {id: 'tools', label: 'Tools', kinds: [K.tool]},
  {id: 'commands', label: 'Commands', kinds: [K.command, K.gate, K.stderr]},
  {id: 'notes', label: 'Notes', kinds: [K.note, K.mark]},
  {id: 'problems', label: 'Problems', kinds: [K.warning, K.problem, K.help]},
];

export const START = 1; // flag of a line: the first of its event
export const MORE = 2; // it goes on with the line before, which was too long for one
export const ESCAPES = 4; // there are terminal colours for it in `raw`

const longest = 4000; // characters of a line; a longer one is shown as several
const heldLongest = 4096; // of a line that has not ended yet, as the terminal's view holds it
const sources = {'': K.agent, stderr: K.stderr, tool: K.tool, command: K.command};

// inText are the facts that may happen in the middle of an agent's line; all others end it (event.EndsText).
export const inText = new Set(['output', 'spent', 'claimed', 'tick', 'note', 'order', 'commit', 'set_aside', 'survivor']);

class Grow {
  constructor(type) {
    this.a = new type(1024);
  }

  put(i, v) {
    if (i >= this.a.length) {
      const wider = new this.a.constructor(this.a.length * 2);
      wider.set(this.a);
      this.a = wider;
    }
    this.a[i] = v;
  }
}

export class Log {
  constructor(id) {
    this.id = id;
    this.listeners = new Set();
    this.view = {}; // what the view keeps while another run is looked at
    this.clear();
  }

  clear() {
    this.length = 0; // lines
    this.seq = 0; // of the newest row
    this.text = [];
    this.raw = new Map(); // line → text with its terminal colours
    this.seqs = new Grow(Float64Array);
    this.times = new Grow(Float64Array);
    this.kind = new Grow(Uint8Array);
    this.flags = new Grow(Uint8Array);
    this.sections = [];
    this.begun = new Map(); // task → number of its sections
    this.phases = new Set();
    this.ended = 0; // ms; the run is over
    this.last = 0; // ms of the newest row
    this.held = new Map(); // source → {text, seq, time} of a line that goes on
    this.long = null; // source whose line goes on in the next line of the log
    this.busy = true;
    this.tell('clear');
  }

  watch(f) {
    this.listeners.add(f);
    return () => this.listeners.delete(f);
  }

  tell(what) {
    for (const f of this.listeners ?? []) f(what);
  }

  catching() {
    this.busy = true;
  }

  caughtUp() {
    this.busy = false;
    this.tell('caught-up');
  }

  // told takes what the server says of the run, for what the rows alone don't tell.
  told(detail) {
    this.titles = new Map((detail.task_list ?? []).map((t) => [t.pos, t]));
    this.ended = detail.ended ? ms(detail.ended) : 0;
    this.coarse = detail.source === 'progress'; // a text log: what its lines are is only to be seen by how they begin
    this.tell('titles');
  }

  append(rows) {
    for (const row of rows) {
      if (row.seq <= this.seq) continue; // read twice
      this.seq = row.seq;
      if (row.time !== this.lastTime) {
        this.lastTime = row.time;
        this.last = ms(row.time);
      }
      this.#row(row);
    }
    this.tell('rows');
  }

  // sectionOf finds the section of a line.
  sectionOf(line) {
    let low = 0;
    let high = this.sections.length - 1;
    while (low < high) {
      const mid = (low + high + 1) >> 1;
      if (this.sections[mid].first <= line) low = mid;
      else high = mid - 1;
    }
    return this.sections[low];
  }

  // end of a section: the line behind its last one.
  end(section) {
    return this.sections[section.i + 1]?.first ?? this.length;
  }

  // find returns {line, section} of an event: its first line, or what stands behind it. A heading has no line (-1).
  find(seq) {
    const at = this.sections.find((s) => s.seq === seq);
    if (at) return {line: -1, section: at};
    let low = 0;
    let high = this.length;
    while (low < high) {
      const mid = (low + high) >> 1;
      if (this.seqs.a[mid] < seq) low = mid + 1;
      else high = mid;
    }
    if (low === this.length) low--;
    return low < 0 ? null : {line: low, section: this.sectionOf(low)};
  }

  #row(row) {
    const d = row.data ?? {};
    if (!inText.has(row.type)) this.#flush();
    if (row.phase) this.phases.add(row.phase);
    this.#result(row, d);
    switch (row.type) {
      case 'output': return this.#output(row, d);
      case 'section': return this.#section(row, d);
      case 'run_start': return this.#say(row, K.mark, `run started${d.mode ? `: ${d.mode}` : ''}${d.executor ? ` with ${d.executor}` : ''}`);
      case 'run_restart': return this.#say(row, K.warning, `run started again${d.reason ? `: ${d.reason}` : ''}`);
      case 'run_end': return this.#runEnd(row, d);
      case 'session_start': return this.#say(row, K.mark, `session ${d.n}: ${[d.executor, d.model].filter(Boolean).join(' ')}`);
      case 'session_end': if (!d.failure) return undefined;
    }
    for (const line of row.lines ?? []) {
      if (line.style === 'fileonly' || line.style === 'heading') continue;
      const kind = {warning: K.warning, problem: K.problem, help: K.help}[line.style] ?? (row.type.startsWith('gate') ? K.gate : K.note);
      this.#say(row, kind, line.text);
    }
    return undefined;
  }

  // result keeps what became of the newest section: the verdict of ralphex's own commands, or the end of the task.
  #result(row, d) {
    const section = this.sections.at(-1);
    if (!section) return;
    if (row.type === 'gate_end' && d.commands > 0) section.result = d.green ? 'green' : 'red';
    if (row.type === 'task_end') section.result = ['done', 'unproven', 'left'].includes(d.outcome) ? 'done' : d.outcome;
    if (row.type === 'review_round') section.result = d.red ? 'red' : d.result;
  }

  #runEnd(row, d) {
    this.ended = this.last;
    const good = ['done', 'unproven', 'left'].includes(d.outcome);
    this.#say(row, good ? K.mark : K.problem, `run ${good ? 'completed' : d.outcome || 'ended'}${d.reason ? `: ${d.reason}` : ''}`);
    for (const line of row.lines ?? []) if (line.style !== 'fileonly') this.#say(row, K.note, line.text);
  }

  #section(row, d) {
    const before = this.sections.at(-1);
    if (before) before.ended = this.last;
    const task = d.task_num || 0;
    const again = task ? (this.begun.get(task) ?? 0) + 1 : 0; // counts the sections of the task
    if (task) this.begun.set(task, again);
    this.sections.push({
      i: this.sections.length, seq: row.seq, time: this.last, ended: 0, first: this.length, label: d.label ?? '', type: d.section_type ?? '',
      task, again, iteration: d.iteration || 0, phase: row.phase ?? '', problems: 0,
    });
  }

  #say(row, kind, text) {
    let first = START;
    for (const line of String(text).split('\n')) {
      this.#line(line, kind, row.seq, this.last, first);
      first = 0;
    }
  }

  // output makes lines of text that may end in the middle of one.
  #output(row, d) {
    const source = d.source ?? '';
    let kind = sources[source] ?? K.agent;
    if (this.coarse) kind = /^error: /.test(d.text) ? K.problem : /^warn(ing)?: /.test(d.text) ? K.warning : kind;
    let text = d.text ?? '';
    if (this.long !== null && this.long !== source) this.long = null;
    const held = this.held.get(source);
    if (held) {
      this.held.delete(source);
      text = held + text;
    }
    let from = 0;
    let flag = START;
    for (;;) {
      const to = text.indexOf('\n', from);
      const line = from === 0 && to < 0 ? text : text.slice(from, to < 0 ? undefined : to);
      if (to < 0 && d.partial) {
        if (this.long === null && line.length <= heldLongest) this.held.set(source, line);
        else {
          this.#line(line, kind, row.seq, this.last, (this.long === source ? MORE : 0) | flag);
          this.long = source;
        }
        return;
      }
      this.#line(line, kind, row.seq, this.last, (this.long === source ? MORE : 0) | flag);
      this.long = null;
      flag = 0;
      if (to < 0) return;
      from = to + 1;
    }
  }

  // flush writes the lines that never ended, before a fact that comes behind all text.
  #flush() {
    this.long = null;
    if (this.held.size === 0) return;
    for (const source of Object.keys(sources)) {
      const text = this.held.get(source);
      if (text) this.#line(text, sources[source], this.seq, this.last, START);
    }
    this.held.clear();
  }

  #line(text, kind, seq, time, flags) {
    if (this.sections.length === 0) {
      this.sections.push({i: 0, seq: 0, time, ended: 0, first: 0, label: 'Start', type: '', task: 0, again: 0, iteration: 0, phase: '', problems: 0});
    }
    if (text.endsWith('\r')) text = text.slice(0, -1);
    const last = text.lastIndexOf('\r'); // a progress bar draws over itself: the last drawing counts
    if (last >= 0) text = text.slice(last + 1);
    if (text.length > longest) {
      const plain = visible(strip(text));
      for (let at = 0; at < plain.length || at === 0; at += longest) {
        this.#put(plain.slice(at, at + longest), kind, seq, time, at === 0 ? flags : MORE);
      }
      return;
    }
    if (text.includes('\x1b')) {
      this.raw.set(this.length, text);
      flags |= ESCAPES;
      text = strip(text);
    }
    this.#put(visible(text), kind, seq, time, flags);
  }

  #put(text, kind, seq, time, flags) {
    const i = this.length++;
    this.text.push(text);
    this.seqs.put(i, seq);
    this.times.put(i, time);
    this.kind.put(i, kind);
    this.flags.put(i, flags);
    if (kind === K.problem || kind === K.warning) this.sections.at(-1).problems++;
  }
}
