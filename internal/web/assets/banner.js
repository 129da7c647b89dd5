// What a run needs a person for: a question, a draft, a login; or that it waits, and until when.
import {html, useEffect, useState} from './lib.js';
import {Wrong, useOrder} from './dialog.js';
import {visible} from './ansi.js';
import {DraftReview} from './draft.js';
import {enter} from './control.js';
import {cutAt} from './fact.js';
import {Icon} from './icons.js';
import {use, useNow} from './store.js';
import {day, live, ms, ticking} from './util.js';

export function Need({run, detail, api, params, go}) {
  const may = use((s) => s.meta?.control) && run.can?.length > 0;
  const q = live(run) && detail?.question;
  const draft = live(run) && detail?.draft;
  if (q) return html`<${Question} key=${q.seq} ...${{q, run, api, may: may && run.can.includes('answer')}} />`;
  if (draft) return html`<${Draft} key=${draft.seq} ...${{draft, run, api, params, go, may: may && run.can.includes('draft')}} />`;
  if (run.waiting?.for === 'login') return html`<${Bar} kind="stalled" icon="left" title="Somebody has to log in" text=${run.waiting.text || run.why} />`;
  if (run.state === 'stalled') return html`<${Bar} kind="stalled" icon="stalled" title="Nothing has been heard for a while" text=${run.why} go=${() => go({view: 'log'})} word="Show the log" />`;
  if (run.state === 'paused') return html`<${Act} ...${{run, api, verb: 'resume', word: 'Go on', kind: 'paused', title: run.why ? run.why[0].toUpperCase() + run.why.slice(1, 200) : 'Paused', may}} />`;
  if (run.state === 'waiting' && run.waiting?.for !== 'input') return html`<${Waits} ...${{run, api, may}} />`;
  if (run.state === 'waiting') return html`<${Bar} kind="waiting" icon="waiting" title="The run waits for a person at its terminal" text=${run.waiting.text || run.why} />`;
  return null;
}

function Bar({kind, icon, title, text, go, word, children}) {
  return html`<section class=${`banner s-${kind}`} data-need=${kind} aria-label="The run needs somebody"><${Icon} name=${icon} /><div class="banner-main"><b>${title}</b>${text && html` <span class="banner-text"><bdi>${visible(cutAt(text, 600))}</bdi></span>`}</div>
    ${go && html`<button class="button" onClick=${go}>${word}</button>`}${children}</section>`;
}

function Act({run, api, verb, word, may, kind, title, text}) {
  const {send, busy, error} = useOrder(api, run);
  return html`<${Bar} ...${{kind, icon: kind, title, text}}><${Wrong} error=${error} />
    ${may && run.can.includes(verb) && html`<button class="button" data-verb=${verb} disabled=${busy} onClick=${() => send({verb})}>${word}</button>`}</>`;
}

function Waits({run, api, may}) {
  const until = ms(run.waiting.until);
  const now = useNow(1000, until > 0);
  const left = until > now ? `, ${ticking(until - now)} to go` : '';
  const who = run.waiting.agent ? ` of ${run.waiting.agent.slice(0, 40)}` : '';
  return html`<${Act} ...${{run, api, may, verb: 'retry-now', word: 'Retry now', kind: 'waiting', title: `${run.waiting.for === 'limit' ? `Waiting for the limit${who}` : 'Waiting before the next try'}${until ? ` until ${day(until, now)}${left}` : ''}`, text: run.waiting.text}} />`;
}

function Question({q, run, api, may}) {
  const [option, setOption] = useState(0); // from 1; 0 = own words
  const [text, setText] = useState('');
  const [small, setSmall] = useState(false);
  const {send, busy, error} = useOrder(api, run);
  const own = option === 0;
  return html`<section class="banner s-waiting question" data-need="question" aria-label="A question of the run">
    <${Icon} name="waiting" /><form class="banner-main" onSubmit=${(e) => {
    e.preventDefault();
    if (own ? text.trim() : option) send({verb: 'answer', seq: q.seq, ...(own ? {text} : {option})});
  }}>
      <p class="q-text"><b tabindex=${q.question.length > 400 ? 0 : undefined}><bdi>${visible(cutAt(q.question, 4000))}</bdi></b><button type="button" class="ghost word" aria-expanded=${!small} onClick=${() => setSmall(!small)}>${small ? 'Answer …' : 'Later'}</button></p>
      ${!small && html`
        ${q.context && html`<details><summary class="dim">Why it asks</summary><p class="q-context"><bdi>${visible(cutAt(q.context, 8000))}</bdi></p></details>`}
        <fieldset class="choices" disabled=${!may || busy}><legend class="offscreen">Answer</legend>
          ${q.options.map((o, i) => html`<label key=${i}><input type="radio" name="option" checked=${option === i + 1} onChange=${() => setOption(i + 1)} /> <span><bdi>${visible(cutAt(o, 2000))}</bdi></span></label>`)}
          <label class="q-own">${q.options.length > 0 && html`<input type="radio" name="option" checked=${own} aria-label="Own words" onChange=${() => setOption(0)} />`}
            <textarea class="field" rows="2" maxlength="16000" placeholder=${q.options.length > 0 ? 'in other words …' : 'the answer'} aria-label="Answer in own words" value=${text} onFocus=${() => setOption(0)} onInput=${(e) => setText(e.currentTarget.value)} onKeyDown=${enter} /></label></fieldset>
        <${Wrong} error=${error} />
        <div class="acts start">${may ? html`<button class="button primary" data-verb="answer" disabled=${busy || (own && !text.trim())}>${busy ? 'Sending …' : 'Answer'}</button><span class="dim">Whoever answers first, here or at the terminal, is heard.</span>`
    : html`<span class="dim">It is answered at the terminal of the run.</span>`}</div>`}
    </form></section>`;
}

function Draft({draft, run, api, params, go, may}) {
  const [open, setOpen] = useState(params.draft === String(draft.n));
  useEffect(() => {
    if (params.draft === String(draft.n)) setOpen(true);
  }, [params.draft]);
  return html`<${Bar} kind="waiting" icon="list" title=${`Draft ${draft.n} of the plan waits for a decision`} text=${draft.problems.length > 0 ? `it breaks rules of the format: ${draft.problems.join('; ')}` : ''} go=${() => setOpen(true)} word="Review the draft">
    ${open && html`<${DraftReview} ...${{draft, run, api, may, close: () => setOpen(false)}} />`}</>`;
}
