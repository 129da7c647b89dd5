// The review of a draft: the plan as it would be read, what is other than in the last draft, and the decision.
import {html, useMemo, useRef, useState} from './lib.js';
import {Dialog, Wrong, useOrder} from './dialog.js';
import {CopyButton, Seg, cutAt} from './fact.js';
import {around, lineDiff} from './linediff.js';
import {Markdown} from './markdown.js';
import {visible} from './ansi.js';
import {count, cx} from './util.js';

export function DraftReview({draft, run, api, may, close}) {
  const [show, setShow] = useState(draft.previous ? 'diff' : 'text');
  const [mode, setMode] = useState(''); // '', revise, reject
  const [feedback, setFeedback] = useState('');
  const {send, busy, error} = useOrder(api, run);
  const box = useRef();
  const decide = async (action) => {
    if (await send({verb: 'draft', action, seq: draft.seq, ...(action === 'revise' ? {feedback} : {})})) close();
  };
  return html`<${Dialog} title=${`Draft ${draft.n}`} close=${close} wide>
    <div class="row">
      <${Seg} label="Show" value=${show} choose=${setShow} options=${[['text', 'Read'], ['source', 'Source'], ...(draft.previous ? [['diff', 'What changed']] : [])]} />
      ${draft.path && html`<code class="cut dim"><bdi>${draft.path.slice(0, 300)}</bdi></code>`}<${CopyButton} text=${draft.text} what="draft" />
    </div>
    ${draft.problems.length > 0 && html`<ul class="wrong">${draft.problems.slice(0, 50).map((p, i) => html`<li key=${i}><bdi>${visible(cutAt(p, 500))}</bdi></li>`)}</ul>`}
    <div class="draft" ref=${box} tabindex="0" role="region" aria-label="Draft">${show === 'text' ? html`<${Markdown} text=${draft.text} />` : show === 'source' ? html`<pre>${visible2(draft.text)}</pre>` : html`<${Changed} before=${draft.previous} after=${draft.text} />`}</div>
    ${mode === 'revise' && html`<label class="stack"><span class="dim">What is to be another way?</span><textarea class="field" rows="3" maxlength="16000" autofocus ref=${(el) => el && !feedback && el.focus()} value=${feedback} onInput=${(e) => setFeedback(e.currentTarget.value)} onKeyDown=${(e) => (e.ctrlKey || e.metaKey) && e.key === 'Enter' && feedback.trim() && decide('revise')} /></label>`}
    ${mode === 'reject' && html`<p role="alert">No plan is made, and the run ends. It can't be undone.</p>`}
    <${Wrong} error=${error} />
    ${may ? html`<footer class="acts">
      ${mode ? html`<button type="button" class="button" onClick=${() => setMode('')}>Back</button>` : html`<button type="button" class="button danger" data-action="reject" onClick=${() => setMode('reject')}>Reject …</button><button type="button" class="button" data-action="revise" onClick=${() => setMode('revise')}>Revise …</button>`}
      ${mode === 'revise' && html`<button type="button" class="button primary" data-action="send" disabled=${busy || !feedback.trim()} onClick=${() => decide('revise')}>Ask for it</button>`}
      ${mode === 'reject' && html`<button type="button" class="button danger" data-action="send" disabled=${busy} onClick=${() => decide('reject')}>Reject the plan</button>`}
      ${!mode && html`<button type="button" class="button primary" data-action="accept" disabled=${busy} onClick=${() => decide('accept')}>Accept</button>`}
    </footer>` : html`<p class="dim">The decision is taken at the terminal of the run.</p>`}
  </>`;
}

const visible2 = (text) => text.split('\n').map(visible).join('\n');

function Changed({before, after}) {
  const lines = useMemo(() => around(lineDiff(before, after)), [before, after]);
  if (!lines.some((l) => l.op === '+' || l.op === '-')) return html`<p class="dim pad">It is the same as the last one.</p>`;
  return html`<div class="mini">${lines.slice(0, 4000).map((l, i) => (l.op === '…' ? html`<div key=${i} class="dim">… ${count(l.n, 'line')}</div>`
    : html`<div key=${i} class=${cx({'+': 'add', '-': 'del'}[l.op])}><span class="df-op">${l.op === '-' ? '−' : l.op}</span><span>${visible(cutAt(l.text, 4000)) || ' '}</span></div>`))}</div>`;
}
