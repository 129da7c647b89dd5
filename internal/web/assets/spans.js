// The lanes of the timeline: what of a run took how long, as bars. No drawing here.
import {live, ms, span} from './util.js';

const stageWords = {tasks: 'tasks', review: 'review', external: 'external review', review2: 'second review', finalize: 'finalize', plan: 'plan'};

const finished = new Set(['done', 'unproven', 'left']); // of a task: what the agent could do is done

// lanesOf turns what is known of a run into lanes [{id, group, label, bars: [{from, to, kind, label, note, seq, open}]}]. to is
// now for what goes on. Empty lanes are left out.
export function lanesOf(detail, now) {
  const end = live(detail) ? now : ms(detail.ended) || ms(detail.last) || now;
  const bar = (from, to, kind, label, note, seq) => ({
    from: ms(from), to: to ? ms(to) : end, open: !to && live(detail), kind, label, note: (note ?? []).filter(Boolean).join(' · '), seq,
  });
  const lanes = [];
  const lane = (id, group, label, bars) => {
    const good = bars.filter((b) => b.from > 0).map((b) => ({...b, to: Math.max(b.to, b.from), lane: label, group}));
    if (good.length > 0) lanes.push({id, group, label, bars: good});
  };
  lane('stages', 'Stages', 'Stages', detail.stages.filter((s) => s.started && !s.skipped).map((s) => bar(s.started, s.ended,
    s.interrupted || s.err === 'interrupted' ? 'cut' : s.err || s.killed ? 'bad' : 'stage', stageWords[s.stage] ?? s.stage, [s.err, s.killed && 'its process died', s.interrupted && 'interrupted', s.changed && 'changed something'], s.seq)));
  for (const t of detail.task_list) {
    lane(`task-${t.seq}`, 'Tasks', `${t.id || t.pos}  ${t.title}`, t.attempts.map((a) => bar(a.started, a.ended,
      a.killed || a.outcome === 'failed' ? 'bad' : !a.ended ? (live(detail) ? 'active' : 'cut') : finished.has(a.outcome) ? 'done' : 'cut',
      `task ${t.id || t.pos}${t.attempts.length > 1 ? `, attempt ${a.n}` : ''}`,
      [t.title, a.outcome, a.killed && 'killed', a.reason, a.sessions.length > 0 && `sessions ${a.sessions.join(', ')}`], a.seq || t.seq)));
  }
  lane('sessions', 'Sessions', 'Sessions', detail.session_list.map((s) => bar(s.started, s.ended,
    s.failure === 'cancelled' ? 'cut' : s.failure || s.killed || (s.exit && s.exit !== 'exit 0') ? 'bad' : s.ended ? 'session' : live(detail) ? 'active' : 'cut', `session ${s.n}`,
    [s.model ? `${s.executor} ${s.model}` : s.executor, s.task > 0 && `task ${s.task}`, s.phase, s.failure || s.exit, s.killed && 'killed', s.message], s.seq)));
  const rounds = detail.rounds.filter((r) => r.started || r.ended);
  lane('rounds', 'Reviews', 'Reviews', rounds.map((r) => bar(r.started || r.ended, r.ended, r.red ? 'bad' : 'review', `${r.reviewer} ${r.n}`,
    [stageWords[r.stage], `${r.found} found`, r.new > 0 && `${r.new} new`, r.returned > 0 && `${r.returned} came back`, r.changed && 'changed something', r.red && 'validation red', r.result], r.seq)));
  lane('gates', 'Gates', 'Gates', detail.gates.map((g) => bar(g.started, g.ended, g.green === true ? 'green' : g.green === false ? 'red' : g.ended || !live(detail) ? 'cut' : 'active',
    g.green === true ? 'green' : g.green === false ? 'red' : 'gate', [g.task > 0 && `task ${g.task}`, g.phase, g.killed && 'killed', ...g.commands.filter((c) => c.exit !== 0).map((c) => `exit ${c.exit}: ${c.command.slice(0, 120)}`)], g.seq)));
  lane('waits', 'Waits', 'Waits', [
    ...detail.waits.map((w) => bar(w.from, w.until, 'wait', 'wait', [w.reason, w.by], w.seq)),
    ...detail.pauses.map((p) => bar(p.from, p.until, 'pause', 'pause', [p.by && `by ${p.by}`, p.reason], p.seq)),
  ].sort((a, b) => a.from - b.from));
  lane('commits', 'Commits', 'Commits', detail.commits.map((c) => bar(c.time, c.time, 'commit', c.rev.slice(0, 8), [c.message.split('\n')[0], `by ${c.by}`], c.seq)));
  lane('orders', 'Orders', 'Orders', (detail.orders ?? []).map((o) => bar(o.time, o.time, 'order', o.what, [o.after_task && 'after the task', o.by && `by ${o.by}`], o.seq)));
  if (detail.processes.length > 1) lane('processes', 'Processes', 'Processes', detail.processes.map((p) => bar(p.started, p.ended, p.killed ? 'bad' : 'stage', `pid ${p.pid}`, [p.host, p.reason, p.killed && 'killed'], p.seq)));
  return {lanes, from: ms(detail.started), to: Math.max(end, ms(detail.started) + 1000)};
}

const steps = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400, 172_800, 604_800].map((s) => s * 1000);

// ticksOf are the times to label between from and to, about `apart` px from each other.
export function ticksOf(from, to, width, apart = 96) {
  const step = steps.find((s) => (s / (to - from)) * width >= apart) ?? steps[steps.length - 1];
  const zone = new Date(from).getTimezoneOffset() * 60_000;
  const ticks = [];
  for (let t = Math.ceil((from - zone) / step) * step + zone; t <= to && ticks.length < 200; t += step) ticks.push(t);
  return {ticks, step};
}

// shownBars are those of a lane that are to be drawn: within the window, and of many that fall on the same pixel one.
export function shownBars(bars, from, to, width) {
  const px = width / (to - from);
  const shown = [];
  let edge = -1;
  for (const b of bars) {
    if (b.to < from || b.from > to) continue;
    const left = (b.from - from) * px;
    const wide = (b.to - b.from) * px;
    if (wide < 1 && left < edge && b.kind !== 'bad' && b.kind !== 'red') continue;
    edge = left + Math.max(wide, 2);
    shown.push({bar: b, left, width: wide});
  }
  return shown;
}

export const took = (b) => (b.to - b.from < 1000 ? `${b.to - b.from}ms` : span(b.to - b.from));
