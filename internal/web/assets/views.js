// The views of a run, in the order of their tabs, and the pieces that other modules put into the shell. app.js tells
// what each is given. A view is loaded when its tab is first opened.

import {Need} from './banner.js';
import {Controls} from './control.js';
import {Export} from './export.js';

export const views = [
  {id: 'log', label: 'Log', key: '1', load: () => import('./log.js').then((m) => m.LogView)},
  {id: 'timeline', label: 'Timeline', key: '2', load: () => import('./timeline.js').then((m) => m.TimelineView)},
  {id: 'cost', label: 'Cost', key: '3', load: () => import('./cost.js').then((m) => m.CostView)},
  {id: 'findings', label: 'Findings', key: '4', load: () => import('./findings.js').then((m) => m.FindingsView)},
  {id: 'changes', label: 'Changes', key: '5', load: () => import('./diff.js').then((m) => m.ChangesView)},
  {id: 'gates', label: 'Gates', key: '6', load: () => import('./gates.js').then((m) => m.GatesView)},
  {id: 'trust', label: 'Trust', key: '7', load: () => import('./trust.js').then((m) => m.TrustView)},
];

// slots are components that the shell draws when they are there, each with the same properties as a view:
//   controls  buttons for what the run can be told to do, at the right end of the run's header
//   banner    what needs a person (a question, a draft), between the header and the tabs
//   exporter  the export button, in the header
export const slots = {controls: Controls, banner: Need, exporter: Export};
