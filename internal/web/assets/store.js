// The state of the page: one object, changed by set() only, and watched by components with use().
import {useEffect, useState} from './lib.js';

export const state = {
  meta: null, // of /api/v1/meta
  conn: {phase: 'connecting', retryAt: 0, error: ''}, // connecting, live, waiting (for the next try at retryAt, ms)
  runs: new Map(), // id → Run
  loaded: false, // the list of runs has come
  id: '', // the run that is looked at
  view: 'log',
  params: {}, // what else the address says: seq, file, task …
  detail: null, // of that run
  plan: null, // its plan, as GET …/plan tells it
  planError: '',
  catchingUp: false, // its log is still being read
};

const listeners = new Set();
let told = false;

// set changes the state and tells who watches it, once for all changes of a turn.
export function set(patch) {
  Object.assign(state, patch);
  if (told) return;
  told = true;
  queueMicrotask(() => {
    told = false;
    for (const f of [...listeners]) f();
  });
}

// watch calls f after each change until the returned function is called.
export function watch(f) {
  listeners.add(f);
  return () => listeners.delete(f);
}

// use returns select(state) and draws the component again when that is another value. Return a part of the state or a
// plain value, not a new object.
export function use(select) {
  const [value, setValue] = useState(() => select(state));
  useEffect(() => {
    const look = () => setValue(() => select(state));
    look();
    return watch(look);
  }, []);
  return value;
}

// useNow returns the time in ms, and draws the component again each interval while on is true.
export function useNow(interval = 1000, on = true) {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    if (!on) return undefined;
    setNow(Date.now());
    const t = setInterval(() => setNow(Date.now()), interval);
    return () => clearInterval(t);
  }, [interval, on]);
  return now;
}

// Preferences live in localStorage, by the names of the public dashboard. A browser that has none forgets them.
export const prefs = {
  get(name, fallback = '') {
    try {
      return localStorage.getItem(name) ?? fallback;
    } catch {
      return fallback;
    }
  },
  set(name, value) {
    try {
      localStorage.setItem(name, value);
    } catch { /* full or forbidden: it holds for this visit only */ }
  },
  json(name, fallback) {
    try {
      return JSON.parse(localStorage.getItem(name)) ?? fallback;
    } catch {
      return fallback;
    }
  },
};
