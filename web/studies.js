// Studies: the folders below the served one, their progress, the report, and matches to replay on the board.

import { call, orTell } from './api.js';
import { byId, h, setText, toTop } from './dom.js';
import { report } from './report.js';
import { state } from './store.js';
import { replay } from './tools.js';

/** @typedef {{k: number, game: string, player: string, seat: number, length: number, gain: number[], error: string}} Played */
/** @typedef {{title: string, budget: string, benchmark: string, planned: number, done: number, with_moves: number, games: string[], players: string[], matches: Played[]}} Progress */
/** @typedef {{facts: HTMLElement, update: (progress: Progress) => void}} Study */

const kEvery = 4000;       // of the numbers
const kReportEvery = 15000;  // of the report, which costs the server more

const kListed = 400;         // matches that the server lists at most

let chosen = '';

export async function showStudies() {
  const view = byId('view-studies');
  const { studies } = await call('GET', 'studies');
  if (studies.length === 0)
    return view.replaceChildren(h('div', { class: 'empty-view' }, h('h2', {}, 'No studies here'), h('p', {}, 'A study compares searches over many matches. Folders with a study.json below the served folder appear here; ', h('code', {}, 'polymax study run studies/quick'), ' plays one.')));
  const list = h('ul', { class: 'folder-list' }, ...studies.map((/** @type {any} */ study) =>
    h('li', {}, h('button', { type: 'button', class: 'folder', 'data-folder': study.folder, 'aria-pressed': study.folder === chosen, onclick: () => (showStudy(study.folder), toTop('study')) },
      h('strong', {}, study.title), h('span', { class: 'quiet' }, study.error ? study.error : `${study.folder} · ${study.games} games · ${study.players} players · ${study.budget}`)))));
  view.replaceChildren(h('aside', { class: 'folder-side' }, h('h2', {}, 'Studies'), list), h('section', { id: 'study', class: 'folder-main', 'aria-label': 'Study' }, h('p', { class: 'quiet' }, 'Choose a study.')));
  if (chosen || studies.length === 1) void showStudy(chosen || studies[0].folder);
}

/** Which of its matches are listed. */
let game = '', player = '';

/** @param {string} folder @returns {Promise<Progress>} */
const progressOf = (folder) => call('GET', `studies/progress?${new URLSearchParams({ folder, game, player })}`);

/** A list to choose from; the first entry means all. @param {string} label @param {string[]} names @param {(name: string) => void} use */
function filter(label, names, use) {
  const select = h('select', { 'aria-label': label, onchange: () => use(select.value) }, h('option', { value: '' }, `all ${label}`), ...[...new Set(names)].map((name) => h('option', { value: name }, name)));
  return select;
}

/** @param {string} folder */
async function showStudy(folder) {
  chosen = folder;
  game = player = '';
  for (const button of document.querySelectorAll('#view-studies .folder'))
    button.setAttribute('aria-pressed', String(button.getAttribute('data-folder') === folder));
  const main = byId('study');
  main.replaceChildren(h('p', { class: 'quiet' }, 'Reading…'));
  try {
    const progress = await progressOf(folder);
    if (chosen !== folder) return;
    const study = build(folder, main, progress);
    setTimeout(() => void follow(folder, study), kEvery);
  } catch (error) {
    main.replaceChildren(h('p', { class: 'trouble' }, error instanceof Error ? error.message : String(error)));
  }
}

/** While matches are being played the numbers follow. @param {string} folder @param {Study} study */
async function follow(folder, study) {
  const gone = () => state.view !== 'studies' || !study.facts.isConnected;
  if (gone()) return;
  const progress = document.hidden ? null : await progressOf(folder).catch(() => null);
  if (gone()) return;
  if (progress) study.update(progress);
  setTimeout(() => void follow(folder, study), kEvery);
}

/** @param {string} folder @param {HTMLElement} main @param {Progress} first @returns {Study} */
function build(folder, main, first) {
  const facts = h('p', { class: 'quiet', id: 'study-facts' });
  const bar = h('progress', { max: Math.max(1, first.planned), 'aria-label': 'matches played' });
  const none = h('p', { class: 'quiet' }, 'No match was played yet: ', h('code', {}, `polymax study run ${folder}`));
  const summary = h('summary', {}, 'Matches to replay'), rows = h('tbody'), some = h('span', { class: 'quiet' });
  const list = (/** @type {Progress} */ progress) => {
    setText(some, progress.matches.length < kListed ? `${progress.matches.length} matches` : `the first ${kListed} matches`);
    rows.replaceChildren(...[...progress.matches].sort((a, b) => a.k - b.k).map((one) => matchRow(folder, one)));
  };
  const again = () => void orTell(async () => list(await progressOf(folder)));
  const filters = h('div', { class: 'filters' }, filter('games', first.games, (name) => ((game = name), again())), filter('players', first.players, (name) => ((player = name), again())), some);
  const played = h('details', { class: 'played' }, summary, filters, h('div', { class: 'played-room', tabindex: 0, role: 'region', 'aria-label': 'Matches' }, h('table', {}, h('thead', {}, h('tr', {}, ...['match', 'game', 'player', 'seat', 'moves', 'result', ''].map((text) => h('th', { scope: 'col' }, text || h('span', { class: 'hidden' }, 'replay'))))), rows)));
  const moveless = h('p', { class: 'quiet', id: 'moveless' }, 'No match can be replayed: published results hold no moves.');
  main.replaceChildren(h('h2', {}, first.title || folder), facts, bar, none, moveless, played);
  /** @type {import('./report.js').Report|null} */
  let page = null;
  let done = -1, renewed = 0;
  const update = (/** @type {Progress} */ progress) => {
    setText(facts, `${progress.done.toLocaleString('en')} of ${progress.planned.toLocaleString('en')} matches, ${progress.budget} a move, against ${progress.benchmark}`);
    bar.value = progress.done;
    none.hidden = progress.done > 0;
    played.hidden = progress.with_moves === 0;
    moveless.hidden = progress.done === 0 || progress.with_moves > 0;
    if (progress.done === 0 || (progress.done === done && page)) return;
    if (progress.done !== done) list(progress);
    if (page && Date.now() - renewed < kReportEvery && progress.done < progress.planned) return;
    done = progress.done;
    renewed = Date.now();
    if (page) return page.renew();
    page = report(`report of ${first.title || folder}`, `/api/studies/report?folder=${encodeURIComponent(folder)}`);
    main.append(page.room);
  };
  update(first);
  return { facts, update };
}

/** @param {string} folder @param {Played} one */
function matchRow(folder, one) {
  const watch = () => orTell(async () => replay(await call('GET', `studies/match?folder=${encodeURIComponent(folder)}&k=${one.k}`)));
  return h('tr', {}, h('td', {}, one.k), h('td', {}, one.game), h('td', {}, one.player), h('td', {}, one.seat + 1), h('td', {}, one.length),
    h('td', {}, one.error ? 'failed' : one.gain[one.seat] > 0 ? 'won' : one.gain[one.seat] < 0 ? 'lost' : 'drawn'),
    h('td', {}, h('button', { type: 'button', 'aria-label': `Replay match ${one.k}`, onclick: watch }, 'Replay')));
}
