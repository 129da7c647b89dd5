// What every module of the page draws with: Preact, its hooks, and htm, which makes elements of template text.
// Text that is put into a template with ${…} becomes a text node or an attribute, never markup.
import {h} from './third_party/preact.js';
import htm from './third_party/htm.js';

export {Fragment, createContext, createRef, h, render} from './third_party/preact.js';
export {
  useCallback, useContext, useEffect, useErrorBoundary, useId, useLayoutEffect, useMemo, useReducer, useRef, useState,
} from './third_party/preact-hooks.js';

export const html = htm.bind(h);
