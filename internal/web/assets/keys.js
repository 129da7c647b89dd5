// The keyboard: one table of what is bound now, the listener that serves it, and the help sheet that shows it.
import {html, useEffect, useLayoutEffect, useRef} from './lib.js';
import {Icon} from './icons.js';

const bindings = []; // {group, keys, label, run}; the newest binding of a key wins

// bind gives keys (as KeyboardEvent.key names them) to run until the returned function is called. run may return false
// when it has nothing to do with the key just now. Keys of one group stand together on the help sheet.
export function bind(group, keys, label, run) {
  const b = {group, keys: [].concat(keys), label, run};
  bindings.unshift(b);
  return () => bindings.splice(bindings.indexOf(b), 1);
}

// useKeys binds a table [[keys, label, run], …] while the component is drawn.
export function useKeys(group, table) {
  const latest = useRef(table);
  latest.current = table;
  useEffect(() => {
    const undo = table.map(([keys, label], i) => bind(group, keys, label, (e) => latest.current[i]?.[2](e))).reverse();
    return () => undo.forEach((f) => f());
  }, [group, table.length]);
}

const typing = (el) => el instanceof HTMLElement && (el.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(el.tagName)) && el.type !== 'checkbox';
const pressing = (el) => el instanceof Element && el.closest('button, a[href], summary, [role=tab], [role=button]');

export function listen() {
  document.addEventListener('keydown', (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || e.isComposing || e.defaultPrevented) return;
    if (typing(e.target) || e.target.closest?.('dialog[open]')) return;
    if ((e.key === ' ' || e.key === 'Enter') && pressing(e.target)) return; // the button's own
    for (const b of bindings) {
      if (b.keys.includes(e.key) && b.run(e) !== false) {
        e.preventDefault();
        return;
      }
    }
  });
}

const order = ['Page', 'Views', 'Runs', 'Log']; // of the help sheet; others stand behind
const names = {' ': 'Space', Escape: 'Esc', ArrowUp: '↑', ArrowDown: '↓', ArrowLeft: '←', ArrowRight: '→', PageUp: 'PgUp', PageDown: 'PgDn'};

// Help is the sheet of all keys.
export function Help({open, close}) {
  const dialog = useRef();
  useLayoutEffect(() => { // before the next event: one that tells of the shutting finds it open again
    if (open && !dialog.current.open) dialog.current.showModal();
    if (!open && dialog.current.open) dialog.current.close();
  }, [open]);
  const groups = new Map(order.map((name) => [name, new Map()]));
  for (const b of [...bindings].reverse()) {
    const rows = groups.get(b.group) ?? new Map();
    if (b.label) rows.set(b.label, [...new Set([...(rows.get(b.label) ?? []), ...b.keys])]);
    groups.set(b.group, rows);
  }
  const shown = (keys) => keys.filter((k) => k.length > 1 || k === k.toLowerCase() || !keys.includes(k.toLowerCase()));
  return html`<dialog id="help" ref=${dialog} class="sheet" aria-labelledby="help-title" onClose=${() => dialog.current.open || close()}
      onCancel=${(e) => {
        e.preventDefault(); // the state first, or a key that comes before the dialog's own event is lost
        close();
      }}
      onClick=${(e) => e.target === dialog.current && close()}
      onKeyDown=${(e) => e.key === '?' && close()}>
    <div class="sheet-in">
      <header><h2 id="help-title">Keyboard</h2>
        <button class="ghost" onClick=${close} aria-label="Close"><${Icon} name="close" /></button></header>
      <div class="keys">${open && [...groups].map(([group, rows]) => rows.size > 0 && html`<section key=${group}><h3>${group}</h3><dl>
        ${[...rows].map(([label, keys]) => html`<div key=${label}><dt>${shown(keys).map((k, i) => html`${i > 0 ? ' ' : ''}<kbd>${names[k] ?? k}</kbd>`)}</dt><dd>${label}</dd></div>`)}
      </dl></section>`)}</div>
      <p class="dim">In a search field <kbd>Enter</kbd> and <kbd>Shift</kbd> <kbd>Enter</kbd> go to the next and previous match, <kbd>Esc</kbd> clears it.</p>
    </div>
  </dialog>`;
}
