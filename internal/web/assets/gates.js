// Gates and receipts: what validation commands said of the tree, and what proves a task.
import {html, useEffect, useMemo, useRef, useState} from './lib.js';
import {bit, CopyButton, cutAt, Nothing, Reading, Seg, shortRev, Trouble, useFact} from './fact.js';
import {Icon} from './icons.js';
import {strip} from './ansi.js';
import {clock, count, cx, fullTime, money, ms, short, span} from './util.js';

const ns = (n) => (n < 1e9 ? `${Math.round(n / 1e6)}ms` : span(n / 1e6));

export function GatesView({run, detail, api, params, go}) {
  const [show, setShow] = useState('all');
  if (!detail) return html`<section class="view"><${Reading} what="gates" /></section>`;
  const gates = [...detail.gates].reverse();
  const red = gates.filter((g) => g.green === false).length;
  const shown = show === 'red' ? gates.filter((g) => g.green === false) : gates;
  return html`<section class="view">
    <div class="bar-tools">
      <${Seg} label="Show" value=${show} choose=${setShow} options=${[['all', 'Gates', gates.length], ['red', 'Red', red], ['receipts', 'Receipts']]} />
      <span class="dim cut">${show === 'receipts' ? 'what proves each task' : detail.commands?.length > 0 ? `${count(detail.commands.length, 'validation command')}, frozen at the start of the run` : ''}</span>
    </div>
    ${show === 'receipts' ? html`<${Receipts} ...${{run, detail, api, go}} />` : html`<div class="fill-scroll" tabindex="0" role="region" aria-label="Gates">
      ${shown.map((g) => html`<${Gate} key=${g.seq} ...${{g, run, api, go, detail, at: params.gate === String(g.seq)}} />`)}
      ${shown.length === 0 && html`<${Nothing} title=${show === 'red' ? 'No gate was red' : 'No gate has run'}>${show !== 'red' && html`<p>A gate is a run of the plan's validation commands by ralphex itself. They stand in the plan:</p><pre><code>${'## Validation Commands\n- `go test ./...`'}</code></pre>`}</>`}
    </div>`}
  </section>`;
}

function Gate({g, run, api, go, detail, at}) {
  const box = useRef();
  useEffect(() => {
    if (at) box.current.scrollIntoView({block: 'start'});
  }, [at]);
  const state = g.green === true ? 'green' : g.green === false ? 'red' : g.killed || g.ended ? 'cut' : 'on';
  const word = {green: 'green', red: 'red', cut: 'cut off', on: 'running'}[state];
  const task = g.task > 0 && detail.task_list.find((t) => t.pos === g.task && !t.replaced);
  return html`<article ref=${box} class=${cx('gate', `gate-${state}`, at && 'marked')} data-gate=${g.seq}>
    <header><${Icon} name=${{green: 'completed', red: 'failed', cut: 'aborted', on: 'active'}[state]} label=${word} /><b>${word}</b>
      <span class="cut"><bdi>${g.task > 0 ? `task ${task?.id || g.task}${task ? `: ${task.title.slice(0, 200)}` : ''}` : g.phase || 'before the first task'}</bdi></span>
      <span class="num dim" title=${fullTime(ms(g.started))}>${clock(ms(g.started))}</span>
      <span class="num dim">${g.ended ? ns(g.elapsed_ns || 1e6 * (ms(g.ended) - ms(g.started))) : '…'}</span>
      <button class="ghost small" title="show in the log" aria-label="Show the gate in the log" onClick=${() => go({view: 'log', seq: g.seq})}><${Icon} name="list" /></button></header>
    <ol>${g.commands.map((c, i) => html`<${Command} key=${i} ...${{c, i, g, run, api}} />`)}
      ${g.total > g.commands.length && html`<li class="cmd dim"><span>${count(g.total - g.commands.length, 'command')} ${state === 'on' ? 'to go' : 'not run'}</span></li>`}</ol>
    ${(g.tree || g.evidence || g.created?.length > 0) && html`<p class="gate-foot dim">${g.tree && html`<span>tree <code title=${g.tree}>${shortRev(g.tree)}</code></span>`}${g.evidence && html`<span>evidence <code title=${g.evidence}>${shortRev(g.evidence)}</code></span>`}
      ${g.created?.length > 0 && html`<span class="cut" title=${g.created.join('\n').slice(0, 2000)}>it made ${count(g.created.length, 'file')}</span>`}</p>`}
  </article>`;
}

const mostShown = 200_000; // characters of an output in the page; all of it is a link away

function Command({c, i, g, run, api}) {
  const bad = c.exit !== 0 || Boolean(c.cause);
  const [out, setOut] = useState(null); // {text} or {error}
  const [open, setOpen] = useState(bad && Boolean(c.tail));
  const path = api.run(run.id, `/gates/${g.seq}/output?command=${i + 1}`);
  const load = async () => {
    setOpen(true);
    try {
      setOut({text: await api.text(path)});
    } catch (error) {
      setOut({error});
    }
  };
  const text = strip(out?.text ?? c.tail ?? '');
  return html`<li class=${cx('cmd', bad && 'bad')}>
    <div class="cmd-head"><span class="cmd-exit num" title=${c.cause || `exit code ${c.exit}`}>${bad ? `✗ ${c.cause ? cutAt(c.cause, 30) : c.exit}` : '✓ 0'}</span>
      <code class="cut" title=${c.command.slice(0, 1000)}><bdi>${bit(c.command, 1000)}</bdi></code>
      <span class="num dim">${ns(c.elapsed_ns)}</span><${CopyButton} text=${c.command} what="command" />
      ${(c.output_file || c.tail) && html`<button class="ghost word" aria-expanded=${open} onClick=${() => (open ? setOpen(false) : out || !c.output_file ? setOpen(true) : load())}>output</button>`}</div>
    ${open && html`<div class="cmd-out">
      ${out?.error && html`<p class="minus" role="alert">${out.error.message}${out.error.hint && html` <span class="dim">${out.error.hint}</span>`}</p>`}
      <pre tabindex="0" aria-label=${`Output of command ${i + 1}`}>${cutAt(text, mostShown) || '(it printed nothing)'}</pre>
      <p class="dim">${!out?.text && c.output_file && c.tail && html`<button class="plain" onClick=${load}>the end; show all</button>`}
        <a href=${api.href(path)} target="_blank" rel="noreferrer">as a file</a>${c.output_sha256 && html`<span>sha256 <code title=${c.output_sha256}>${shortRev(c.output_sha256)}</code></span>`}<${CopyButton} text=${text} what="output" /></p>
    </div>`}
  </li>`;
}

function Receipts({run, detail, api, go}) {
  const key = useMemo(() => detail.task_list.map((t) => t.seq + t.state + (t.commit ?? '')).join(), [detail]);
  const {value, error, again} = useFact(`${run.id} ${key}`, (init) => api.get(api.run(run.id, '/receipts'), init));
  if (error && !value) return html`<${Trouble} ...${{error, again, what: 'Receipts'}} />`;
  if (!value) return html`<${Reading} what="receipts" />`;
  const tasks = value.tasks ?? [];
  if (tasks.length === 0) return html`<${Nothing} title="No receipts"><p>A task has one when it is done. <code>ralphex receipt</code> prints it.</p></>`;
  return html`<div class="fill-scroll wide" tabindex="0" role="region" aria-label="Receipts"><table class="grid">
    <thead><tr><th scope="col">Task</th><th scope="col">Outcome</th><th scope="col">Validation</th><th scope="col">Tree</th><th scope="col">Commits</th><th scope="col" class="r">Sessions</th><th scope="col" class="r">Tokens</th><th scope="col" class="r">Cost</th><th scope="col" class="r">Took</th></tr></thead>
    <tbody>${tasks.map((t) => html`<tr key=${t.position}>
      <th scope="row"><div class="cut name" title=${String(t.title).slice(0, 400)}><bdi>${t.id || t.position}  ${String(t.title).slice(0, 200)}</bdi></div></th>
      <td>${cutAt(t.outcome ?? '', 30)}</td>
      <td class="cmds">${(t.validation ?? []).map((c, i) => html`<div key=${i} class=${cx('cut', c.exit !== 0 && 'minus')} title=${`${c.command.slice(0, 400)}\noutput sha256 ${c.output_sha256 ?? ''}`}>${c.exit === 0 ? '✓' : `✗ ${c.exit}`} <code><bdi>${bit(c.command, 120)}</bdi></code></div>`)}
        ${!t.validation?.length && html`<span class="dim">${t.validation_green ? 'green' : 'none'}</span>`}</td>
      <td><code title=${t.tree}>${shortRev(t.tree)}</code></td>
      <td>${(t.commits ?? []).map((c) => html`<button key=${c} class="plain mono" title="show the commit" onClick=${() => go({view: 'changes', commit: c})}>${shortRev(c)}</button> `)}</td>
      <td class="num r" title=${(t.sessions ?? []).map((s) => `${s.n}: ${s.executor} ${s.model ?? ''} ${s.exit ?? ''}`).join('\n').slice(0, 2000)}>${t.sessions?.length ?? 0}${t.repeated_sessions > 0 && html`<span class="dim"> (${t.repeated_sessions} repeated)</span>`}</td>
      <td class="num r">${t.tokens ? short(t.tokens) : '–'}</td>
      <td class="num r" title=${t.list_usd ? `${money(t.list_usd)} of it by API list price` : ''}>${t.usd || t.list_usd ? `${t.list_usd ? '≈' : ''}${money((t.usd ?? 0) + (t.list_usd ?? 0))}` : '–'}</td>
      <td class="num r">${t.elapsed_ns ? span(t.elapsed_ns / 1e6) : '–'}</td></tr>`)}</tbody></table>
    <p class="dim pad">The same in a terminal: <code>ralphex receipt --all ${run.run || ''}</code></p></div>`;
}
