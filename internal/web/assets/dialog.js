// A dialog of the page: the element of the browser, which keeps the focus and gives it back, and Escape closes.
import {html, useEffect, useRef, useState} from './lib.js';
import {Icon} from './icons.js';
import {say} from './util.js';

let serial = 0;

// Dialog is open while it is drawn. close is called when it is left, by whatever way.
export function Dialog({title, close, wide, children}) {
  const el = useRef();
  const [id] = useState(() => `dialog-${++serial}`);
  useEffect(() => {
    const back = document.activeElement;
    el.current.showModal();
    return () => back?.isConnected && back.focus();
  }, []);
  return html`<dialog ref=${el} class=${wide ? 'sheet wide' : 'sheet ask'} aria-labelledby=${id} onClose=${close} onMouseDown=${(e) => {
    if (e.target === el.current) el.current.close();
  }}><div class="sheet-in"><header><h2 id=${id}>${title}</h2><button type="button" class="ghost" aria-label="Close" onClick=${() => el.current.close()}><${Icon} name="close" /></button></header>${children}</div></dialog>`;
}

// useOrder gives orders to a run and tells what became of them: {send(order) → true when it was taken, busy, error, clear}.
export function useOrder(api, run) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState(null);
  const here = useRef(true);
  useEffect(() => () => {
    here.current = false;
  }, []);
  const send = async (order) => {
    setBusy(true);
    setError(null);
    try {
      const reply = await api.control(run.id, order);
      say([reply.text || 'taken', reply.hint].filter(Boolean).join('; '));
      return true;
    } catch (err) {
      if (here.current) setError(err);
      say(err.message);
      return false;
    } finally {
      if (here.current) setBusy(false);
    }
  };
  return {send, busy, error, clear: () => setError(null)};
}

export const Wrong = ({error}) => error && html`<p class="wrong" role="alert"><${Icon} name="failed" /> <span>${error.message}${error.hint && html`<br /><span class="dim">${error.hint}</span>`}</span></p>`;
