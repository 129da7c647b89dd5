// The plan at the right: tasks with their boxes, and where the run is.
//
// The run names a task by its position in the plan, counted from 1 (the seed's TaskNum), not by the number in its
// heading: "Task 2.5" and "Task 2a" are no integers, and a plan may be edited while the run goes on.
import {html, useEffect, useRef, useState} from './lib.js';
import {Icon} from './icons.js';
import {use} from './store.js';
import {base, cx, live, span} from './util.js';

// taskState joins what the plan says with what the run says of the position. Only a run that goes on has an active task.
function taskState(task, known, run) {
  if (live(run) && run.task === task.pos && run.phase === 'task') return 'active';
  const boxes = task.checkboxes ?? [];
  if (boxes.length > 0 && boxes.every((b) => b.checked)) return 'done';
  if (known && ['failed', 'skipped', 'left'].includes(known.state) && sameTask(task, known)) return known.state;
  return task.status === 'done' ? 'done' : task.status === 'failed' ? 'failed' : 'pending';
}

// sameTask is false when the plan was edited, so that another task stands at the position now.
const sameTask = (task, known) => !known.title || known.title === task.title || (known.id && known.id === String(task.id ?? task.number));

const marks = {active: ['active', 'in work'], done: ['completed', 'done'], failed: ['failed', 'failed'], left: ['left', 'done, but for items of a person'], skipped: ['skipped', 'skipped'], pending: ['pending', 'not begun']};

export function Plan({run, detail, plan, go, open, close}) {
  const error = use((s) => s.planError);
  const tasks = (plan?.tasks ?? []).map((t, i) => ({...t, pos: i + 1}));
  const known = new Map((detail?.task_list ?? []).map((t) => [t.pos, t]));
  const active = run && live(run) && run.phase === 'task' ? run.task : 0;
  const list = useRef();
  useEffect(() => {
    const el = active && open && list.current?.querySelector(`[data-task-num="${active}"]`);
    if (el) el.scrollIntoView({block: 'nearest', behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth'});
  }, [active, open, tasks.length]);
  const boxes = tasks.flatMap((t) => t.checkboxes ?? []);
  const done = boxes.filter((b) => b.checked).length;
  return html`<aside id="plan" class="plan" aria-label="Plan" inert=${!open}>
    <header class="plan-head">
      <h2 class="cut" title=${plan?.path || run?.plan_path}><bdi>${plan?.title || base(run?.plan) || 'Plan'}</bdi></h2>
      <span class="num dim">${boxes.length > 0 ? `${done}/${boxes.length}` : ''}</span>
      <button class="ghost narrow-plan" onClick=${close} aria-label="Close the plan"><${Icon} name="close" /></button>
    </header>
    ${plan?.archived && html`<p class="plan-note dim">archived as <bdi>${plan.path}</bdi></p>`}
    <ol class="plan-list" ref=${list}>
      ${tasks.map((t) => html`<${Task} key=${t.pos} task=${t} known=${known.get(t.pos)} state=${taskState(t, known.get(t.pos), run)} go=${go} />`)}
    </ol>
    ${tasks.length === 0 && html`<div class="empty">${run && !run.plan && !plan ? html`<p>This run has no plan.</p>`
      : error ? html`<p>${error}</p>` : plan ? html`<p>The plan has no tasks.</p><p class="dim">A task is a heading and its boxes:</p><pre><code>${'### Task 1: what to do\n- [ ] a step'}</code></pre>` : html`<p class="dim">${run ? 'Reading the plan …' : ''}</p>`}</div>`}
  </aside>`;
}

function Task({task, known, state, go}) {
  const [icon, word] = marks[state];
  const [mine, setMine] = useState(null); // what the person chose, over what is usual
  const boxes = task.checkboxes ?? [];
  const begun = boxes.some((b) => b.checked) && !boxes.every((b) => b.checked);
  const open = mine ?? (state === 'active' || state === 'failed' || begun);
  const name = task.id || task.number || task.pos;
  const took = known?.elapsed_ns ? span(known.elapsed_ns / 1e6) : '';
  const tries = known?.attempts?.length > 1 ? `${known.attempts.length} attempts` : '';
  const ticked = boxes.length && !open ? `${boxes.filter((b) => b.checked).length}/${boxes.length}` : '';
  const meta = [ticked, took, tries, state === 'done' ? '' : known?.reason].filter(Boolean).join(' · ');
  return html`<li class=${cx('task', `t-${state}`)} data-task-num=${task.pos} data-state=${state} aria-current=${state === 'active' ? 'step' : undefined}>
    <div class="task-head">
      <${Icon} name=${icon} label=${word} class="state" />
      <button class="task-title" aria-expanded=${open} onClick=${() => setMine(!open)}><bdi>Task ${name}: ${task.title}</bdi></button>
      ${known?.seq > 0 && html`<button class="ghost small" title="show in the log" aria-label=${`Show task ${name} in the log`} onClick=${() => go({view: 'log', seq: known.seq})}><${Icon} name="link" /></button>`}
    </div>
    ${meta && html`<p class="task-meta dim num">${meta}</p>`}
    ${boxes.length > 0 && open && html`<ul class="boxes">${boxes.map((b, i) => html`<li key=${i} class=${cx(b.checked && 'checked', b.manual && 'manual')}>
        <span class="box" role="img" aria-label=${b.checked ? 'done' : 'open'}>${b.checked ? '☑' : '☐'}</span><span><bdi>${b.text}</bdi>${b.manual && html` <span class="chip">person</span>`}</span></li>`)}</ul>`}
  </li>`;
}
