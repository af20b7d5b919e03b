// Runs of learning below the served folder: where they stand, their curves, and a match against the network as it is now.

import { call, open } from './api.js';
import { brief, byId, h } from './dom.js';
import { set, state } from './store.js';

/** @typedef {{folder: string, game: string, search: string, budget: string, matches: number, steps: number, seconds: number, has_net: boolean, error?: string}} Run */

let chosen = '';

export async function showTraining() {
  const view = byId('view-training');
  const { runs } = await call('GET', 'runs');
  if (runs.length === 0)
    return view.replaceChildren(h('div', { class: 'empty-view' }, h('h2', {}, 'No runs of learning here'), h('p', {}, 'A run teaches a network by self-play. Folders of runs below the served folder appear here; ', h('code', {}, "polymax train 'quadrothello(n=8)' --minutes 5 --out out/quad8"), ' makes one.')));
  const list = h('ul', { class: 'folder-list' }, ...runs.map((/** @type {Run} */ run) =>
    h('li', {}, h('button', { type: 'button', class: 'folder', 'data-folder': run.folder, 'aria-pressed': run.folder === chosen, onclick: () => showRun(run.folder) },
      h('strong', {}, run.game ?? run.folder), h('span', { class: 'quiet' }, run.error ? run.error : `${run.folder} · ${brief(run.matches)} matches · ${brief(run.steps)} steps`)))));
  view.replaceChildren(h('aside', { class: 'folder-side' }, h('h2', {}, 'Training'), list), h('section', { id: 'run', class: 'folder-main', 'aria-label': 'Run' }, h('p', { class: 'quiet' }, 'Choose a run.')));
  if (chosen) void showRun(chosen);
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
    const page = h('iframe', { class: 'report', title: `curves of ${folder}`, sandbox: '', src: reportOf(folder) });
    main.replaceChildren(h('h2', {}, run.game), h('p', { class: 'quiet', id: 'run-facts' }, facts(run)),
      run.has_net ? h('button', { type: 'button', class: 'primary', onclick: () => playAgainst(run) }, 'Play against the network as it is now') : h('p', { class: 'quiet' }, 'The first checkpoint writes the network.'), page);
    setTimeout(() => void refresh(folder, run.matches, page), 5000);
  } catch (error) {
    main.replaceChildren(h('p', { class: 'trouble' }, error instanceof Error ? error.message : String(error)));
  }
}

/** @param {string} folder */
const reportOf = (folder) => `/api/runs/report?folder=${encodeURIComponent(folder)}`;

/** @param {Run} run */
const facts = (run) => `${run.folder}: ${brief(run.matches)} matches, ${brief(run.steps)} steps, ${Math.round(run.seconds / 60)} minutes, ${run.search} with ${run.budget}`;

/** While the run goes on, its curves follow. @param {string} folder @param {number} matches @param {HTMLIFrameElement} page */
async function refresh(folder, matches, page) {
  if (chosen !== folder || state.view !== 'training' || document.hidden) return;
  const run = await call('GET', `runs/progress?folder=${encodeURIComponent(folder)}`).catch(() => null);
  if (!run || chosen !== folder || state.view !== 'training') return;
  if (run.matches !== matches) {
    byId('run-facts').textContent = facts(run);
    page.src = reportOf(folder);
  }
  setTimeout(() => void refresh(folder, run.matches, page), 5000);
}

/** @param {Run} run */
async function playAgainst(run) {
  try {
    const start = await call('POST', 'position', { game: run.game, moves: [] });
    const engine = `unbounded_maxn(eval=network(file="${run.folder}/net.safetensors"))@seconds=1`;
    await open({ game: run.game, seed: 0, seats: Array.from({ length: start.players }, (_, seat) => (seat === 0 ? 'human' : engine)), moves: [] });
    set({ view: 'play', searches: [] });
  } catch (error) {
    set({ trouble: error instanceof Error ? error.message : String(error) });
  }
}
