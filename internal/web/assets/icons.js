// Small drawings, 16 × 16, in the colour of their text. Each state has a form of its own, so that nobody needs the colour.
import {html} from './lib.js';
import {cx} from './util.js';

const paths = {
  active: () => html`<circle cx="8" cy="8" r="6.25" class="ring" /><path d="M6.4 5.2v5.6L11 8z" class="full" />`,
  waiting: () => html`<circle cx="8" cy="8" r="6.25" /><path d="M8 4.5V8l2.4 1.6" />`,
  paused: () => html`<path d="M5.5 3.5v9M10.5 3.5v9" class="thick" />`,
  stalled: () => html`<path d="M8 2 14.5 13.5h-13z" /><path d="M8 6.5v3.2M8 11.5v.2" />`,
  completed: () => html`<path d="m3 8.5 3.4 3.5L13 4.5" class="thick" />`,
  failed: () => html`<path d="m4 4 8 8M12 4l-8 8" class="thick" />`,
  aborted: () => html`<circle cx="8" cy="8" r="6.25" /><path d="m3.7 3.7 8.6 8.6" />`,
  killed: () => html`<path d="M9 1.5 3.5 9H8l-1 5.5L12.5 7H8z" />`,
  pending: () => html`<circle cx="8" cy="8" r="5.5" />`,
  left: () => html`<circle cx="8" cy="5.5" r="2.75" /><path d="M2.8 14c.6-3 2.6-4.4 5.2-4.4s4.6 1.4 5.2 4.4" />`,
  skipped: () => html`<path d="M3 3.5 8 8l-5 4.5zM11.5 3.5v9" />`,
  chevron: () => html`<path d="m6 3.5 4.5 4.5L6 12.5" />`,
  panel: () => html`<rect x="1.75" y="2.75" width="12.5" height="10.5" rx="1.5" /><path d="M6 3v10" />`,
  list: () => html`<path d="m2 4 1.2 1.2L5.2 3M2 11l1.2 1.2 2-2.2M8 4.5h6M8 11.5h6" />`,
  search: () => html`<circle cx="7" cy="7" r="4.5" /><path d="m10.5 10.5 3.5 3.5" />`,
  copy: () => html`<rect x="5.25" y="5.25" width="8.5" height="8.5" rx="1" /><path d="M10.5 5V2.5h-8v8H5" />`,
  link: () => html`<path d="M6.5 9.5 9.8 6.2M7 4.5l1.6-1.6a3 3 0 0 1 4.3 4.3L11.3 8.8M9 11.5l-1.6 1.6a3 3 0 0 1-4.3-4.3L4.7 7.2" />`,
  up: () => html`<path d="m3.5 10 4.5-4.5L12.5 10" />`,
  down: () => html`<path d="m3.5 6 4.5 4.5L12.5 6" />`,
  end: () => html`<path d="M8 2.5v8M4 7l4 4 4-4M3.5 13.5h9" />`,
  close: () => html`<path d="m4 4 8 8M12 4l-8 8" />`,
  bell: () => html`<path d="M3 11.5h10l-1.3-1.8V6.8a3.7 3.7 0 0 0-7.4 0v2.9zM6.6 13.7h2.8" />`,
  sun: () => html`<circle cx="8" cy="8" r="3" /><path d="M8 1.5v1.5M8 13v1.5M1.5 8H3M13 8h1.5M3.4 3.4l1 1M11.6 11.6l1 1M12.6 3.4l-1 1M4.4 11.6l-1 1" />`,
  moon: () => html`<path d="M13.5 9.8A5.8 5.8 0 0 1 6.2 2.5a5.8 5.8 0 1 0 7.3 7.3z" />`,
  auto: () => html`<circle cx="8" cy="8" r="6" /><path d="M8 2v12a6 6 0 0 0 0-12z" class="full" />`,
  wrap: () => html`<path d="M2 3.5h12M2 8h9.5a2.25 2.25 0 0 1 0 4.5H8M9.7 10.7 7.9 12.5l1.8 1.8M2 12.5h3" />`,
  branch: () => html`<circle cx="4.5" cy="3.5" r="1.5" /><circle cx="4.5" cy="12.5" r="1.5" /><circle cx="11.5" cy="5" r="1.5" /><path d="M4.5 5v6M11.5 6.5c0 3-4.5 2.5-6.7 4.7" />`,
  more: () => html`<path d="M3.5 8h.01M8 8h.01M12.5 8h.01" class="thick" />`,
  fold: () => html`<path d="m4.5 3 3.5 3 3.5-3M4.5 13 8 10l3.5 3" />`,
  unfold: () => html`<path d="m4.5 6 3.5-3 3.5 3M4.5 10 8 13l3.5-3" />`,
};

// Icon draws one; with label it is told to screen readers, without it they pass over it.
export function Icon({name, label, class: extra}) {
  return html`<svg class=${cx('icon', `i-${name}`, extra)} viewBox="0 0 16 16" role=${label ? 'img' : undefined}
    aria-label=${label} aria-hidden=${label ? undefined : 'true'} focusable="false">${(paths[name] ?? paths.pending)()}</svg>`;
}

// words for the states of a run, for people.
export const stateWords = {
  active: 'running', waiting: 'waiting', paused: 'paused', stalled: 'stalled', completed: 'completed', failed: 'failed',
  aborted: 'stopped', killed: 'killed',
};
