// Words and figures as the page writes them, and small things with the browser.

const time = new Intl.DateTimeFormat(undefined, {hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23'});
const dayTime = new Intl.DateTimeFormat(undefined, {month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23'});
const whole = new Intl.DateTimeFormat(undefined, {dateStyle: 'medium', timeStyle: 'medium', hourCycle: 'h23'});

export const ms = (t) => (t ? Date.parse(t) : 0); // RFC 3339 → ms, 0 = none
export const clock = (t) => time.format(t); // "15:04:05"
export const fullTime = (t) => whole.format(t);

// day is the time alone for today, and with its date for others.
export function day(t, now = Date.now()) {
  return new Date(t).toDateString() === new Date(now).toDateString() ? time.format(t).slice(0, 5) : dayTime.format(t);
}

// span words a duration in ms: "8s", "5m 30s", "1h 23m", "2d 4h".
export function span(t) {
  const s = Math.max(0, Math.floor(t / 1000));
  if (s < 60) return `${s}s`;
  if (s < 3600) return `${Math.floor(s / 60)}m ${pad(s % 60)}s`;
  if (s < 86_400) return `${Math.floor(s / 3600)}h ${pad(Math.floor(s / 60) % 60)}m`;
  return `${Math.floor(s / 86_400)}d ${Math.floor(s / 3600) % 24}h`;
}

// ticking words a running clock, in a width that stays: "0:08", "5:30", "1:23:04".
export function ticking(t) {
  const s = Math.max(0, Math.floor(t / 1000));
  const h = Math.floor(s / 3600);
  return `${h ? `${h}:${pad(Math.floor(s / 60) % 60)}` : Math.floor(s / 60)}:${pad(s % 60)}`;
}

// ago words how long ago t was: "now", "4m", "3h", "2d".
export function ago(t, now = Date.now()) {
  const s = Math.max(0, Math.floor((now - t) / 1000));
  if (s < 45) return 'now';
  if (s < 3570) return `${Math.max(1, Math.round(s / 60))}m`;
  if (s < 84_600) return `${Math.round(s / 3600)}h`;
  return `${Math.round(s / 86_400)}d`;
}

const pad = (n) => String(n).padStart(2, '0');

export const money = (usd) => (usd >= 100 ? `$${usd.toFixed(0)}` : `$${usd.toFixed(2)}`);
export const number = (n) => Math.round(n).toLocaleString('en-US');

// short is a count in few letters: 950, 12.3k, 4.1M.
export function short(n) {
  if (n < 1000) return String(n);
  if (n < 999_500) return `${(n / 1000).toPrecision(3)}k`;
  return `${(n / 1e6).toPrecision(3)}M`;
}

export const count = (n, one, many = `${one}s`) => `${number(n)} ${n === 1 ? one : many}`;

// tokens are all that went in and came out, as budgets count them.
export const tokens = (u) => (u ? (u.input_tokens ?? 0) + (u.output_tokens ?? 0) + (u.cache_read_tokens ?? 0) + (u.cache_write_tokens ?? 0) : 0);

// cost is what is known of a run's dollars: those that the agents told, and those by list price, which is marked.
export function cost(run) {
  const list = run.list_usd ?? 0;
  const usd = (run.cost_usd ?? 0) + list;
  if (!usd) return null;
  return {usd, listed: list > 0, text: `${list > 0 ? '≈' : ''}${money(usd)}`};
}

// live tells whether the run still has a process that does something, or holds its place.
export const live = (run) => ['active', 'waiting', 'paused', 'stalled'].includes(run?.state);

// needy tells whether the run does not go on without a person.
export const needy = (run) => run?.state === 'stalled' || (run?.state === 'waiting' && ['input', 'login'].includes(run.waiting?.for));

// elapsed is how long the run took, or has taken by now, in ms.
export const elapsed = (run, now) => (run?.started ? (run.ended ? ms(run.ended) : live(run) ? now : ms(run.last)) - ms(run.started) : 0);

export const base = (path) => (path ?? '').replace(/[/\\]+$/, '').replace(/^.*[/\\]/, '');
export const title = (run) => run.title || base(run.plan) || run.id;
export const clamp = (n, low, high) => Math.max(low, Math.min(high, n));
export const cx = (...names) => names.filter(Boolean).join(' ');

export function debounce(f, wait) {
  let t = 0;
  return (...args) => {
    clearTimeout(t);
    t = setTimeout(() => f(...args), wait);
  };
}

// copy puts text on the clipboard; on plain http from another machine only the old way is allowed.
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    area.className = 'offscreen';
    document.body.append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    return done;
  }
}

// say tells a screen reader, and shows for a moment, what happened.
export function say(text) {
  const region = document.getElementById('say');
  region.textContent = '';
  requestAnimationFrame(() => {
    region.textContent = text;
    region.classList.add('shown');
    clearTimeout(say.timer);
    say.timer = setTimeout(() => region.classList.remove('shown'), 2500);
  });
}
