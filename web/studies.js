// Studies: the folders below the served one, their progress, the report, and matches to replay on the board.

import { call } from './api.js';
import { byId, h } from './dom.js';
import { state } from './store.js';
import { replay } from './tools.js';

/** @typedef {{k: number, game: string, player: string, seat: number, length: number, gain: number[], error: string}} Played */
/** @typedef {{title: string, budget: string, benchmark: string, planned: number, done: number, matches: Played[]}} Progress */

let chosen = '';

export async function showStudies() {
  const view = byId('view-studies');
  const { studies } = await call('GET', 'studies');
  if (studies.length === 0)
    return view.replaceChildren(h('div', { class: 'empty-view' }, h('h2', {}, 'No studies here'), h('p', {}, 'A study compares searches over many matches. Folders with a study.json below the served folder appear here; ', h('code', {}, 'polymax study run studies/quick'), ' plays one.')));
  const list = h('ul', { class: 'folder-list' }, ...studies.map((/** @type {any} */ study) =>
    h('li', {}, h('button', { type: 'button', class: 'folder', 'data-folder': study.folder, 'aria-pressed': study.folder === chosen, onclick: () => showStudy(study.folder) },
      h('strong', {}, study.title), h('span', { class: 'quiet' }, study.error ? study.error : `${study.folder} · ${study.games} games · ${study.players} players · ${study.budget}`)))));
  view.replaceChildren(h('aside', { class: 'folder-side' }, h('h2', {}, 'Studies'), list), h('section', { id: 'study', class: 'folder-main', 'aria-label': 'Study' }, h('p', { class: 'quiet' }, 'Choose a study.')));
  if (chosen) void showStudy(chosen);
}

/** @param {string} folder */
async function showStudy(folder) {
  chosen = folder;
  for (const button of document.querySelectorAll('#view-studies .folder'))
    button.setAttribute('aria-pressed', String(button.getAttribute('data-folder') === folder));
  const main = byId('study');
  main.replaceChildren(h('p', { class: 'quiet' }, 'Reading…'));
  try {
    const progress = /** @type {Progress} */ (await call('GET', `studies/progress?folder=${encodeURIComponent(folder)}`));
    if (chosen !== folder) return;
    main.replaceChildren(...studyParts(folder, progress));
    setTimeout(() => void refresh(folder, progress.done), 4000);
  } catch (error) {
    main.replaceChildren(h('p', { class: 'trouble' }, error instanceof Error ? error.message : String(error)));
  }
}

/** While matches are being played the numbers follow. @param {string} folder @param {number} done */
async function refresh(folder, done) {
  if (chosen !== folder || state.view !== 'studies' || document.hidden) return;
  const progress = await call('GET', `studies/progress?folder=${encodeURIComponent(folder)}`).catch(() => null);
  if (!progress || chosen !== folder || state.view !== 'studies') return;
  if (progress.done !== done) byId('study').replaceChildren(...studyParts(folder, progress));
  setTimeout(() => void refresh(folder, progress.done), 4000);
}

/** @param {string} folder @param {Progress} progress */
function studyParts(folder, progress) {
  const bar = h('progress', { max: Math.max(1, progress.planned), value: progress.done, 'aria-label': 'matches played' });
  const report = progress.done > 0
    ? h('iframe', { class: 'report', title: `report of ${progress.title || folder}`, sandbox: '', src: `/api/studies/report?folder=${encodeURIComponent(folder)}` })
    : h('p', { class: 'quiet' }, `No match was played yet: polymax study run ${folder}`);
  return [
    h('h2', {}, progress.title || folder),
    h('p', { class: 'quiet' }, `${progress.done} of ${progress.planned} matches, ${progress.budget}, against ${progress.benchmark}`),
    bar,
    report,
    progress.matches.length > 0 && matchTable(folder, progress.matches),
  ].filter((part) => part !== false);
}

/** @param {string} folder @param {Played[]} matches */
function matchTable(folder, matches) {
  const watch = async (/** @type {number} */ k) => replay(await call('GET', `studies/match?folder=${encodeURIComponent(folder)}&k=${k}`));
  return h('details', { class: 'played' }, h('summary', {}, `Matches to replay (${matches.length})`),
    h('table', {}, h('thead', {}, h('tr', {}, ...['match', 'game', 'player', 'seat', 'moves', 'result', ''].map((text) => h('th', { scope: 'col' }, text || h('span', { class: 'hidden' }, 'replay'))))),
      h('tbody', {}, ...matches.map((one) => h('tr', {}, h('td', {}, one.k), h('td', {}, one.game), h('td', {}, one.player), h('td', {}, one.seat + 1), h('td', {}, one.length),
        h('td', {}, one.error ? 'failed' : one.gain[one.seat] > 0 ? 'won' : one.gain[one.seat] < 0 ? 'lost' : 'drawn'), h('td', {}, h('button', { type: 'button', onclick: () => watch(one.k) }, 'Replay')))))));
}
