// What a person can tell a run: buttons for what it can be told now, and no others.
import {html, useEffect, useRef, useState} from './lib.js';
import {Dialog, Wrong, useOrder} from './dialog.js';
import {Icon} from './icons.js';
import {useKeys} from './keys.js';
import {use} from './store.js';
import {cx, title} from './util.js';

const menu = [
  ['pause', 'Pause …', 'paused'], ['resume', 'Go on', 'active'], ['retry-now', 'Retry now', 'active'], ['note', 'Note to the next session …', 'list'],
  ['budget', 'Add to the budget …', 'unfold'], ['skip', 'Skip the task …', 'skipped'], ['stop', 'Stop …', 'aborted'],
];
const atOnce = {resume: 'going on', 'retry-now': 'retrying'};
const first = ['resume', 'retry-now', 'pause', 'note']; // the one that gets a button of its own: what is wanted most in each state

export function Controls({run, api}) {
  const may = use((s) => s.meta?.control);
  const can = (may && run.can) || [];
  const [dialog, setDialog] = useState('');
  const [open, setOpen] = useState(false);
  const {send, busy} = useOrder(api, run);
  const box = useRef();
  const verbs = menu.filter(([v]) => can.includes(v));
  const pick = (verb) => {
    setOpen(false);
    if (atOnce[verb]) send({verb});
    else setDialog(verb);
  };
  useKeys('Run', [
    ['m', 'what the run can be told', () => {
      if (verbs.length === 0) return false;
      setOpen(true);
      return true;
    }],
  ]);
  useEffect(() => {
    if (!open) return undefined;
    box.current.querySelector('[role=menuitem]')?.focus();
    const out = (e) => box.current?.contains(e.target) || setOpen(false);
    document.addEventListener('pointerdown', out);
    return () => document.removeEventListener('pointerdown', out);
  }, [open]);
  useEffect(() => { // the run went on meanwhile: what can't be told any more is not asked
    if (dialog && !can.includes(dialog)) setDialog('');
  }, [can.join()]);
  const walk = (e) => {
    const items = [...box.current.querySelectorAll('[role=menuitem]')];
    const i = items.indexOf(document.activeElement);
    if (e.key === 'Escape') {
      setOpen(false);
      box.current.querySelector('.ctl-more').focus();
    } else if (e.key === 'Tab') return setOpen(false);
    else if (e.key === 'ArrowDown') items[(i + 1) % items.length].focus();
    else if (e.key === 'ArrowUp') items[(i - 1 + items.length) % items.length].focus();
    else if (e.key === 'Home') items[0].focus();
    else if (e.key === 'End') items[items.length - 1].focus();
    else return undefined;
    e.preventDefault();
    e.stopPropagation();
    return undefined;
  };
  if (verbs.length === 0) return null;
  const lead = first.map((v) => verbs.find(([verb]) => verb === v)).find(Boolean);
  const Box = dialogs[dialog];
  return html`<div id="controls" class="ctl" ref=${box}>
    ${lead && html`<button class="button" data-verb=${lead[0]} aria-label=${lead[1]} disabled=${busy} onClick=${() => pick(lead[0])}><${Icon} name=${lead[2]} /> <span class="ctl-word">${lead[1].replace(' to the next session', '')}</span></button>`}
    ${verbs.length > 1 && html`<button class="ghost ctl-more" aria-haspopup="menu" aria-expanded=${open} aria-label="Control the run" title="control the run (m)" onClick=${() => setOpen(!open)}><${Icon} name="more" /></button>`}
    ${open && html`<div class="menu" role="menu" aria-label="Control the run" onKeyDown=${walk}>${verbs.map(([v, word, icon]) => html`<button key=${v} role="menuitem" tabindex="-1" data-verb=${v} class=${cx((v === 'stop' || v === 'skip') && 'minus')} onClick=${() => pick(v)}><${Icon} name=${icon} /> ${word}</button>`)}</div>`}
    ${Box && html`<${Box} ...${{run, api, close: () => setDialog('')}} />`}
  </div>`;
}

// Form is the body of a dialog that ends with an order. order() makes it, or returns null while something is missing.
function Form({run, api, close, order, word, danger, children}) {
  const {send, busy, error} = useOrder(api, run);
  return html`<form method="dialog" onSubmit=${async (e) => {
    e.preventDefault();
    const o = order();
    if (o && (await send(o))) close();
  }}>
    ${children}
    <${Wrong} error=${error} />
    <footer class="acts"><button type="button" class="button" onClick=${close}>Cancel</button><button class=${cx('button', danger ? 'danger' : 'primary')} disabled=${busy} data-do>${busy ? 'Sending …' : word}</button></footer>
  </form>`;
}

// When asks whether the task is to end first.
function When({after, setAfter, now, later}) {
  return html`<fieldset class="choices"><legend class="offscreen">When</legend>
    <label><input type="radio" name="when" checked=${after} onChange=${() => setAfter(true)} autofocus /> <span>after the task<br /><small class="dim">${later}</small></span></label>
    <label><input type="radio" name="when" checked=${!after} onChange=${() => setAfter(false)} /> <span>now<br /><small class="dim">${now}</small></span></label></fieldset>`;
}

function Pause(p) {
  const [after, setAfter] = useState(true);
  return html`<${Dialog} title="Pause the run" close=${p.close}><${Form} ...${p} word="Pause" order=${() => ({verb: 'pause', after_task: after})}>
    <${When} ...${{after, setAfter, later: 'the session goes on until its task is over', now: 'the session is ended; its task begins again when the run goes on'}} /></></>`;
}

function Stop(p) {
  const [after, setAfter] = useState(true);
  return html`<${Dialog} title="Stop the run" close=${p.close}><${Form} ...${p} word="Stop the run" danger order=${() => ({verb: 'stop', after_task: after})}>
    <p><b><bdi>${title(p.run).slice(0, 200)}</bdi></b> ends. What is committed stays, and the same command goes on later.</p>
    <${When} ...${{after, setAfter, later: 'the task is worked off first', now: 'the session is ended; what it did is kept'}} /></></>`;
}

function Skip(p) {
  const task = useRef(p.run.task).current; // that was shown when the question was put: another one by now is not skipped
  return html`<${Dialog} title="Skip the task" close=${p.close}><${Form} ...${p} word=${`Skip task ${task || ''}`} danger order=${() => ({verb: 'skip', task})}>
    <p>Task ${task}${p.run.task === task && p.run.task_title ? html` (<bdi>${p.run.task_title.slice(0, 200)}</bdi>)` : ''} is left as it is, with its boxes open, and the run goes on with the next one. This run does not come back to it.</p></></>`;
}

function Note(p) {
  const [text, setText] = useState('');
  return html`<${Dialog} title="Note to the next session" close=${p.close}><${Form} ...${p} word="Leave the note" order=${() => (text.trim() ? {verb: 'note', text} : null)}>
    <label class="stack"><span class="dim">It stands in the prompt of the next session, and in no other.</span><textarea class="field" rows="5" maxlength="16000" required autofocus value=${text} onInput=${(e) => setText(e.currentTarget.value)} onKeyDown=${enter} /></label></></>`;
}

function Budget(p) {
  const [add, setAdd] = useState({});
  const field = (name, label, step, unit) => html`<label class="row"><span>${label}</span><input class="field" type="number" inputmode="decimal" min="0" step=${step} value=${add[name] ?? ''} onInput=${(e) => setAdd({...add, [name]: e.currentTarget.value})} /><span class="dim">${unit}</span></label>`;
  const n = (name, by = 1) => (Number(add[name]) > 0 ? Number(add[name]) * by : undefined);
  return html`<${Dialog} title="Add to the budget" close=${p.close}><${Form} ...${p} word="Add" order=${() => {
    const o = {cost_usd: n('usd'), tokens: n('tokens') && Math.round(n('tokens', 1000)), time_ns: n('minutes') && Math.round(n('minutes', 60e9)), sessions: n('sessions') && Math.round(n('sessions'))};
    return Object.values(o).some(Boolean) ? {verb: 'budget', ...o} : null;
  }}><p class="dim">It is added to the limits that the run has. What is not limited stays so.</p>
    ${field('usd', 'Dollars', '0.01', '$')}${field('tokens', 'Tokens', '1', 'thousand')}${field('minutes', 'Time', '1', 'minutes')}${field('sessions', 'Sessions', '1', '')}</></>`;
}

// enter sends a form from a text of several lines.
export function enter(e) {
  if (e.key === 'Enter' && (e.ctrlKey || e.metaKey)) e.currentTarget.form.requestSubmit();
}

const dialogs = {pause: Pause, stop: Stop, skip: Skip, note: Note, budget: Budget};
