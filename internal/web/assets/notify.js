// What tells of a run while nobody looks at the page: the tab's title and icon, and the browser's notifications for who
// asked for them.
import {stateWords} from './icons.js';
import {prefs} from './store.js';
import {live, needy, title} from './util.js';

const marks = {active: '▶', waiting: '◷', paused: 'Ⅱ', stalled: '⚠', completed: '✓', failed: '✗', aborted: '⊘', killed: '⚡'};
const colours = {
  active: '#4b8dff', waiting: '#d79921', paused: '#8f86e0', stalled: '#e8762c', completed: '#35a05c', failed: '#e0483e', aborted: '#8a919e', killed: '#c74fa0',
};
const forms = {
  active: '<circle cx="23" cy="23" r="7.5"/>',
  waiting: '<circle cx="23" cy="23" r="7.5"/><path d="M23 18.5V23l3 2" stroke="#fff" stroke-width="2" fill="none"/>',
  paused: '<rect x="16" y="16" width="5" height="14"/><rect x="25" y="16" width="5" height="14"/>',
  stalled: '<path d="M23 14l9 16H14z"/>',
  completed: '<path d="M15 23l6 6 10-12" stroke-width="5" fill="none" stroke="COLOUR"/>',
  failed: '<path d="M16 16l14 14M30 16L16 30" stroke-width="5" stroke="COLOUR"/>',
  aborted: '<rect x="16" y="16" width="14" height="14"/>',
  killed: '<path d="M25 13l-9 11h6l-2 8 10-12h-6z"/>',
};

// badge shows the state of the run in the tab's title and icon; needing others are counted.
export function badge(run, runs) {
  const others = [...runs.values()].filter((r) => r.id !== run?.id && needy(r)).length;
  const t = run?.tasks ?? {};
  const parts = [];
  if (others) parts.push(`(${others})`);
  if (run) parts.push(marks[run.state] ?? '', needy(run) ? 'needs you:' : '', live(run) && t.total ? `${t.done}/${t.total}` : '', title(run), '·');
  document.title = [...parts, 'ralphex'].filter(Boolean).join(' ');
  icon(run?.state);
}

let drawn;
function icon(state) {
  if (state === drawn) return;
  drawn = state;
  const link = document.getElementById('favicon');
  if (!forms[state]) return link.setAttribute('href', '/static/icon.svg');
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="28" height="28" rx="6" fill="#27303d"/>'
    + '<path d="M9 20V8h5.5a4 4 0 0 1 0 8H9" fill="none" stroke="#9fc1ff" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round"/>'
    + `<g fill="COLOUR" stroke="none">${forms[state]}</g></svg>`;
  link.setAttribute('href', `data:image/svg+xml,${encodeURIComponent(svg.replaceAll('COLOUR', colours[state]))}`);
}

// wanted tells whether notifications are on: "on", "off", or why they can't be.
export function wanted() {
  if (typeof Notification === 'undefined') return 'this browser has no notifications';
  if (!isSecureContext) return 'browsers allow notifications on localhost and https only';
  if (Notification.permission === 'denied') return 'the browser forbids them for this page';
  return prefs.get('notifications') === 'on' && Notification.permission === 'granted' ? 'on' : 'off';
}

// want turns them on or off; the browser asks the person the first time.
export async function want(on) {
  if (on && (await Notification.requestPermission()) !== 'granted') return wanted();
  prefs.set('notifications', on ? 'on' : 'off');
  return wanted();
}

// transition tells of a run that needs somebody or ended, when it did not before.
export function transition(before, after) {
  if (!before || wanted() !== 'on') return;
  const ended = live(before) && !live(after);
  const needs = needy(after) && !needy(before);
  if (!ended && !needs) return;
  const n = new Notification(`${title(after)} ${needs ? 'needs you' : stateWords[after.state]}`, {
    body: [after.project, after.why || after.waiting?.text].filter(Boolean).join(' · '),
    tag: `ralphex ${after.id}`,
    icon: '/static/icon.svg',
  });
  n.onclick = () => {
    window.focus();
    location.hash = `#run=${encodeURIComponent(after.id)}`;
    n.close();
  };
}
