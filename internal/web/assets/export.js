// The run as one file to keep or pass on. The server makes it; a link is enough to get it.
import {html} from './lib.js';
import {Icon} from './icons.js';

export function Export({run, api}) {
  return html`<a id="export" class="ghost" href=${api.href(api.run(run.id, '/export'))} download title="save the run as one HTML file" aria-label="Save the run as one HTML file"><${Icon} name="end" /></a>`;
}
