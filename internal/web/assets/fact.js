// What several views draw with: an answer of the server that is kept up to date, a heading with its figures, an empty view.
import {html, useEffect, useRef, useState} from './lib.js';
import {visible} from './ansi.js';
import {Icon} from './icons.js';
import {copy, cx, number, say} from './util.js';

// useFact asks for something with get(init), and again whenever key is another one. What it had stays until the new answer
// is there, so that nothing blinks; a key that changes all the time is asked for once in `pause` ms at most. Nothing is asked for without a key.
export function useFact(key, get, pause = 1500) {
  const [got, setGot] = useState({value: null, error: null, busy: true});
  const last = useRef(0);
  const [tick, setTick] = useState(0);
  useEffect(() => {
    if (!key) return undefined;
    const abort = new AbortController();
    const wait = Math.max(0, last.current + pause - Date.now());
    const timer = setTimeout(async () => {
      last.current = Date.now();
      setGot((g) => (g.busy ? g : {...g, busy: true}));
      try {
        const value = await get({signal: abort.signal});
        if (!abort.signal.aborted) setGot({value, error: null, busy: false});
      } catch (error) {
        if (!abort.signal.aborted) setGot((g) => ({value: g.value, error, busy: false}));
      }
    }, wait);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [key, tick]);
  return {...got, again: () => setTick((n) => n + 1)};
}

// Trouble says what a view could not get, and what to do about it.
export function Trouble({error, again, what}) {
  return html`<div class="empty" role="alert"><p>${what ? `${what}: ` : ''}${error.message}</p>${error.hint && html`<p class="dim">${error.hint}</p>`}
    ${again && html`<button class="button" onClick=${again}>Try again</button>`}</div>`;
}

export const Reading = ({what}) => html`<p class="empty dim" aria-busy="true">Reading ${what} …</p>`;

export function Nothing({title, children}) {
  return html`<div class="empty"><h2>${title}</h2>${children}</div>`;
}

// CopyButton puts a text on the clipboard.
export function CopyButton({text, what, small = true}) {
  return html`<button class=${cx('ghost', small && 'small')} title=${`copy ${what}`} aria-label=${`Copy ${what}`}
    onClick=${async (e) => {
      e.stopPropagation();
      say((await copy(text)) ? `${what} copied` : 'the browser does not allow copying');
    }}><${Icon} name="copy" /></button>`;
}

// Seg is a row of buttons of which one is chosen: options [[value, label, count], …].
export function Seg({label, value, options, choose}) {
  return html`<div class="seg" role="group" aria-label=${label}>${options.map(([v, word, n]) => html`<button key=${v} aria-pressed=${v === value}
    onClick=${() => choose(v)}>${word}${n !== undefined && html`<span class="seg-n num">${n}</span>`}</button>`)}</div>`;
}

// Select is a quiet list to choose from.
export function Select({label, value, options, choose}) {
  return html`<select class="quiet" aria-label=${label} value=${value} onChange=${(e) => choose(e.currentTarget.value)}>
    ${options.map(([v, word]) => html`<option key=${v} value=${v}>${word}</option>`)}</select>`;
}

// useWidth is the width of an element in px, 0 until it is known.
export function useWidth(ref) {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (!ref.current) return undefined;
    const watch = new ResizeObserver(([e]) => setWidth(Math.round(e.contentRect.width)));
    watch.observe(ref.current);
    return () => watch.disconnect();
  }, []);
  return width;
}

// cutAt keeps a text from filling the page: what is longer ends with how much is missing. What has no form is shown as what it is.
export const cutAt = (text, most) => visible(text.length > most ? `${text.slice(0, most)} … (${number(text.length - most)} more characters)` : text);

// bit is the beginning of a text, for a place that cuts it anyway.
export const bit = (text, most) => visible(String(text ?? '').slice(0, most));

// Long shows the beginning of a text, and the rest to whom wants it.
export function Long({text, most = 700}) {
  const [all, setAll] = useState(false);
  if (text.length <= most * 1.3) return html`<bdi>${visible(text)}</bdi>`;
  return html`<bdi>${visible(all ? text : text.slice(0, most))}</bdi>${!all && ' … '} <button class="plain more" onClick=${() => setAll(!all)}>${all ? 'less' : `${number(text.length - most)} more characters`}</button>`;
}

export const shortRev = (rev) => (rev ?? '').slice(0, 10);
