// Runs of learning below the served folder: where they stand, their curves, and a match against the network as it is now.

import { call, open, orTell } from './api.js';
import { brief, byId, h, toTop } from './dom.js';
import { report } from './report.js';
import { set, state } from './store.js';

/** @typedef {{folder: string, game: string, search: string, budget: string, matches: number, steps: number, seconds: number, has_net: boolean, error?: string}} Run */

let chosen = '';

export async function showTraining() {
  const view = byId('view-training');
  const { runs } = await call('GET', 'runs');
  if (runs.length === 0)
    return view.replaceChildren(h('div', { class: 'empty-view' }, h('h2', {}, 'No runs of learning here'), h('p', {}, 'A run teaches a network by self-play. Folders of runs below the served folder appear here; ', h('code', {}, "polymax train 'quadrothello(n=8)' --minutes 5 --out out/quad8"), ' makes one.')));
  const list = h('ul', { class: 'folder-list' }, ...runs.map((/** @type {Run} */ run) =>
    h('li', {}, h('button', { type: 'button', class: 'folder', 'data-folder': run.folder, 'aria-pressed': run.folder === chosen, onclick: () => (showRun(run.folder), toTop('run')) },
      h('strong', {}, run.game ?? run.folder), h('span', { class: 'quiet' }, run.error ? run.error : `${run.folder} · ${brief(run.matches)} matches · ${brief(run.steps)} steps`)))));
  view.replaceChildren(h('aside', { class: 'folder-side' }, h('h2', {}, 'Training'), list), h('section', { id: 'run', class: 'folder-main', 'aria-label': 'Run' }, h('p', { class: 'quiet' }, 'Choose a run.')));
  if (chosen || runs.length === 1) void showRun(chosen || runs[0].folder);
}

/** @param {string} folder */
async function showRun(folder) {
  chosen = folder;
  for (const button of document.querySelectorAll('#view-training .folder'))
    button.setAttribute('aria-pressed', String(button.getAttribute('data-folder') === folder));
  const main = byId('run');
  try {
    const run = /** @type {Run} */ (await call('GET', `runs/progress?folder=${encodeURIComponent(folder)}`));
    if (chosen !== folder) return;
    const page = report(`curves of ${folder}`, `/api/runs/report?folder=${encodeURIComponent(folder)}`);
    main.replaceChildren(h('h2', {}, run.game), h('p', { class: 'quiet', id: 'run-facts' }, facts(run)),
      run.has_net ? h('button', { type: 'button', class: 'primary', onclick: () => playAgainst(run) }, 'Play against the network as it is now') : h('p', { class: 'quiet' }, 'The first checkpoint writes the network.'), page.room);
    setTimeout(() => void refresh(run, page), 5000);
  } catch (error) {
    main.replaceChildren(h('p', { class: 'trouble' }, error instanceof Error ? error.message : String(error)));
  }
}

/** @param {Run} run */
const facts = (run) => `${run.folder}: ${brief(run.matches)} matches, ${brief(run.steps)} steps, ${duration(run.seconds)}, ${run.search} with ${run.budget}`;

/** @param {number} seconds */
const duration = (seconds) => (seconds < 90 ? `${Math.round(seconds)} seconds` : seconds < 5400 ? `${Math.round(seconds / 60)} minutes` : `${(seconds / 3600).toFixed(1)} hours`);

/** While the run goes on, its curves follow. @param {Run} before @param {import('./report.js').Report} page */
async function refresh(before, page) {
  const gone = () => chosen !== before.folder || state.view !== 'training' || !page.room.isConnected;
  if (gone()) return;
  const run = document.hidden ? null : await call('GET', `runs/progress?folder=${encodeURIComponent(before.folder)}`).catch(() => null);
  if (gone()) return;
  if (run && run.has_net !== before.has_net) return showRun(before.folder);
  if (run && (run.matches !== before.matches || run.steps !== before.steps)) {
    byId('run-facts').textContent = facts(run);
    page.renew();
  }
  setTimeout(() => void refresh(run ?? before, page), 5000);
}

/** @param {Run} run */
async function playAgainst(run) {
  await orTell(async () => {
    const start = await call('POST', 'position', { game: run.game, moves: [] });
    const engine = `unbounded_maxn(eval=network(file="${run.folder}/net.safetensors"))@seconds=1`;
    await open({ game: run.game, seed: 0, seats: Array.from({ length: start.players }, (_, seat) => (seat === 0 ? 'human' : engine)), moves: [] });
    set({ view: 'play', searches: [] });
  });
}
