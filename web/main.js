// The page: fetches the games, opens the match of the address, and joins the parts.

import { call, open, orTell, send, truth } from './api.js';
import { drawAnalysis, fillSearches, followBoard } from './analysis.js';
import { Board } from './board.js';
import { drawCurve } from './curve.js';
import { drawControls, setUpControls } from './controls.js';
import { byId, setText } from './dom.js';
import { listen } from './keys.js';
import { hashOf, linkOf } from './link.js';
import { drawMoves } from './moves.js';
import { drawOverlay } from './overlay.js';
import { click, targets } from './pick.js';
import { drawRules } from './rules.js';
import { drawSeats } from './seats.js';
import { asideText, statusText } from './status.js';
import { line, mayPlay, position, set, state, subscribe } from './store.js';
import { showStudies } from './studies.js';
import { setUpToast } from './toast.js';
import { loadFile, setUpTools } from './tools.js';
import { showTraining } from './training.js';
import { aim, currentPlace, drawTray, flip, reachable, turn, usesShapes } from './tray.js';

const svg = document.querySelector('#board');
if (!(svg instanceof SVGSVGElement)) throw new Error('no board');

/** The cells that can be chosen now. @type {Set<string>} */
let choices = new Set();

const board = new Board(svg, {
  click: pressCell,
  point: (cell) => usesShapes() && aim(board, cell),
  describe: (cell) => (choices.has(cell) ? ', can be chosen' : ''),
});

/** @param {string} move */
function play(move) {
  set({ picked: [], preview: '', tray: state.tray ? { ...state.tray, place: '' } : null });
  return send('play', { move, ply: state.match?.moves.length });
}

/** A click, a tap or Enter on a cell. @param {string} cell */
function pressCell(cell) {
  if (!mayPlay() || !state.match) return;
  if (usesShapes()) {
    const before = currentPlace();
    if (!before?.cells.includes(cell)) return aim(board, cell);
    void play(before.move);
    return;
  }
  // the second tap on a move that waits for it
  const waiting = state.confirm && state.preview !== '' && state.picked.length > 0 ? state.preview : '';
  if (waiting && state.picked[state.picked.length - 1] === cell) return void play(waiting);
  const { picked, move } = click(state.match.position.legal, state.picked, cell);
  if (!move) return set({ picked, preview: '' });
  if (state.confirm) return set({ picked, preview: move });
  void play(move);
}

function drawBoard() {
  const match = state.match, here = position();
  if (!match || !here) return;
  const tiles = usesShapes();
  choices = !mayPlay() ? new Set() : tiles ? reachable() : targets(here.legal, state.picked);
  board.draw(here.drawing, tiles, line());
  drawTray(board, (move) => void play(move));
  drawOverlay(board, here, line(), tiles, tiles && mayPlay() ? currentPlace() : null, choices);
  setText(byId('status'), statusText());
  setText(byId('aside'), asideText());
}

function drawViews() {
  for (const name of ['play', 'studies', 'training']) byId(`view-${name}`).hidden = name !== state.view;
  for (const link of document.querySelectorAll('[data-view]'))
    link.getAttribute('data-view') === state.view ? link.setAttribute('aria-current', 'page') : link.removeAttribute('aria-current');
}

/** Keeps the address: it holds the whole match. */
function keepAddress() {
  const known = truth();
  if (!known || state.view !== 'play') return;
  const hash = hashOf(known, state.match?.id);
  if (location.hash !== hash) history.replaceState(null, '', hash);
}

subscribe((now, before) => {
  drawViews();
  const game = now.match?.name;
  if (game && game !== before.match?.name) void orTell(() => loadDetails(game));
  if (now.match?.moves.length !== before.match?.moves.length && before.match?.id === now.match?.id && now.picked.length > 0) set({ picked: [], preview: '' });
  drawBoard();
  drawControls();
  drawSeats();
  drawMoves();
  drawCurve();
  drawAnalysis();
  drawRules();
  followBoard();
  keepAddress();
  if (now.view !== before.view && now.view === 'studies') void orTell(showStudies);
  if (now.view !== before.view && now.view === 'training') void orTell(showTraining);
});

/** @param {string} name */
async function loadDetails(name) {
  const details = await call('GET', `games/${name}`);
  set({ details });
  fillSearches();
}

/** A match by its link; where it cannot be, what was open stays open, or a new one begins. @param {import('./link.js').Link} link */
async function openLink({ truth: wanted, id, wrong }) {
  const fresh = { game: 'hex3(side=5)', seed: 0, seats: ['human', 'casual', 'casual'], moves: [] };
  let trouble = wrong;
  try {
    if (wanted || id) await open(wanted, id);
    else if (!state.match) await open(fresh).then(() => set({ tab: 'rules' }));
  } catch (error) {
    trouble = `The link could not be opened: ${error instanceof Error ? error.message : error}`;
    if (!state.match) await open(fresh);
  }
  set({ view: 'play', trouble });
}

/** @param {string} hash */
async function route(hash) {
  if (hash === '#studies' || hash === '#training') return set({ view: hash === '#studies' ? 'studies' : 'training' });
  const part = hash.length > 1 && document.getElementById(hash.slice(1));  // "skip to the board"
  await openLink(linkOf(part ? '' : hash));
}

listen({ board, enter: pressCell, drop: () => { const place = currentPlace(); if (place && mayPlay()) void play(place.move); } });
setUpControls();
setUpToast();
setUpTools();
byId('tray-turn').addEventListener('click', () => turn(board));
byId('tray-flip').addEventListener('click', () => flip(board));
// at once: news of the match would write its address over the one that was clicked
for (const link of document.querySelectorAll('[data-view]'))
  link.addEventListener('click', () => set({ view: /** @type {any} */ (link.getAttribute('data-view')) }));
addEventListener('hashchange', () => void route(location.hash));
addEventListener('dragover', (event) => event.preventDefault());
addEventListener('drop', (event) => {
  event.preventDefault();
  const file = event.dataTransfer?.files[0];
  if (file) void loadFile(file);
});
const about = await call('GET', 'about');
set({ levels: about.levels });
await route(location.hash);
const catalog = await call('GET', 'games');
set({ games: catalog.games });
