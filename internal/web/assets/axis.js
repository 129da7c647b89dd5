// What stands at the axes of a plot: labels that tell two neighbours apart, however short the span is.
import {clock, short} from './util.js';

const day = new Intl.DateTimeFormat(undefined, {month: 'short', day: 'numeric'});
const steps = (vs) => (vs.length > 1 ? Math.min(...vs.slice(1).map((v, i) => v - vs[i])) : Infinity);

// times are labels of seconds since 1970: with seconds where two would be the same minute, and the day where it is another one than before.
export function times(vs) {
  const step = steps(vs);
  const days = vs.map((v) => day.format(v * 1000));
  if (step >= 86_400 && vs.length > 1) return days;
  return vs.map((v, i) => {
    const text = step < 60 ? clock(v * 1000) : clock(v * 1000).slice(0, 5);
    return i > 0 && days[i] !== days[i - 1] ? `${days[i]} ${text}` : text;
  });
}

// dollars are labels in whole dollars or in cents; with as many more digits as it takes to say what they stand at.
export function dollars(vs) {
  const near = steps(vs) / 100;
  const digits = [0, 2, 3, 4, 5, 6, 7].find((n) => vs.every((v) => Math.abs(Number(v.toFixed(n)) - v) < near)) ?? 8;
  return vs.map((v) => (v === 0 ? '$0' : `$${v.toFixed(digits)}`));
}

// amounts are labels of whole things: there is no half of a token.
export const amounts = (vs) => vs.map((v) => (Number.isInteger(v) ? short(v) : ''));
