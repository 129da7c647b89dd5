// What the person opened and shut in logs, by the seq of the section; of the last runs it is remembered.
import {prefs} from './store.js';
import {debounce} from './util.js';

const rememberedRuns = 20;

export const folds = {
  all: prefs.json('expandedSections', {}),
  of: (id) => folds.all[id] ?? {},
  save: debounce((id, own) => {
    delete folds.all[id];
    folds.all[id] = own;
    for (const old of Object.keys(folds.all).slice(0, -rememberedRuns)) delete folds.all[old];
    prefs.set('expandedSections', JSON.stringify(folds.all));
  }, 300),
};
