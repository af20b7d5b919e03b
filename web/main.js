// The page: fetches the games, opens the match of the address, and joins the parts.

import { call, open, send, truth } from './api.js';
import { drawAnalysis, fillSearches, followBoard } from './analysis.js';
import { Board } from './board.js';
import { drawCurve } from './curve.js';
import { byId, setText, shortTitle } from './dom.js';
import { ask } from './dialog.js';
import { listen } from './keys.js';
import { hashOf, truthOf } from './link.js';
import { drawMoves, goTo, playFromHere, shortMove, step } from './moves.js';
import { chooseGame, newGame } from './newgame.js';
import { drawOverlay } from './overlay.js';
import { click, targets } from './pick.js';
import { drawRules } from './rules.js';
import { drawSeats, notesOf } from './seats.js';
import { line, mayPlay, position, set, state, subscribe } from './store.js';
import { showStudies } from './studies.js';
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

/** What is going on, in one line. */
function statusText() {
  const match = state.match, here = position();
  if (!match || !here) return '';
  if (!state.online) return 'The server does not answer; trying again…';
  if (match.error) return match.error;
  const people = match.seats.flatMap((seat, i) => (seat.person ? [i] : [])), alone = people.length === 1 ? people[0] : -1;
  if (match.resigned !== null) return `Seat ${match.resigned + 1} has resigned.`;
  if (state.shown?.kind === 'variation') return 'A variation of the search.';
  if (state.shown) return `Move ${state.shown.ply} of ${match.moves.length}.`;
  if (here.over) {
    const winners = (here.gain ?? []).flatMap((gain, seat) => (gain > 0 ? [seat + 1] : []));
    const result = winners.length === 0 ? 'The match is a draw.' : winners.length === 1 ? `Seat ${winners[0]} wins.` : `Seats ${winners.join(' and ')} win.`;
    return alone < 0 || winners.length === 0 ? result : winners.includes(alone + 1) ? (winners.length === 1 ? 'You win!' : `You win: ${result.toLowerCase()}`) : `${result} You lose.`;
  }
  const mover = here.to_move ?? 0;
  if (!match.seats[mover].person) return match.paused ? 'Engines are paused.' : `Seat ${mover + 1} thinks…`;
  if (state.picked.length > 0 && state.preview) return `${shortMove(state.preview)}: tap again to play it.`;
  if (state.picked.length > 0) return `${state.picked.join(', ')}: choose the next cell.`;
  if (state.hint && !state.hint.running && state.hint.ply === here.ply) return usesShapes() ? 'Hint: the shape that is ringed on the board.' : `Hint: ${shortMove(state.hint.best)}.`;
  if (match.hinting) return 'Looking for a hint…';
  return `${alone < 0 ? `Seat ${mover + 1} to move` : 'Your move'}: ${usesShapes() ? 'pick a shape, then a place.' : 'choose a marked cell.'}`;
}

function drawBoard() {
  const match = state.match, here = position();
  if (!match || !here) return;
  const tiles = usesShapes();
  choices = !mayPlay() ? new Set() : tiles ? reachable() : targets(here.legal, state.picked);
  board.draw(here.drawing, tiles, line(), false);
  drawTray(board, (move) => void play(move));
  drawOverlay(board, here, line(), tiles, tiles && mayPlay() ? currentPlace() : null, choices);
  setText(byId('status'), statusText());
  const last = state.picked[state.picked.length - 1];
  const back = last && !state.preview ? [`${last} again: one step back`] : [];
  setText(byId('aside'), [...notesOf(here.drawing).others, ...back].join(' · '));
}

function drawControls() {
  const match = state.match;
  if (!match) return;
  const settings = /\((.*)\)$/.exec(match.game)?.[1] ?? '';
  const title = settings ? `${shortTitle(match.title)} · ${settings.replaceAll(',', ', ')}` : match.title;
  setText(byId('game-title'), title);
  document.title = `${title} · polymax`;
  const over = match.position.over || match.resigned !== null;
  byId('undo').toggleAttribute('disabled', match.moves.length === 0 && match.resigned === null);
  byId('redo').toggleAttribute('disabled', match.redo.length === 0);
  byId('hint').toggleAttribute('disabled', over);
  byId('resign').toggleAttribute('disabled', over || !match.seats.some((seat) => seat.person));
  const engine = match.position.to_move !== undefined && !match.seats[match.position.to_move].person;
  const past = state.shown?.kind === 'past';
  const pause = byId('pause');
  setText(pause, past ? 'Play on from here' : match.paused ? 'Go on' : engine && !over ? 'Move now' : 'Pause');
  pause.classList.toggle('primary', past || match.paused);
  /** @type {HTMLInputElement} */ (byId('confirm')).checked = state.confirm;
  for (const tab of document.querySelectorAll('[role=tab]'))
    tab.setAttribute('aria-selected', String(tab.getAttribute('data-tab') === state.tab));
  for (const name of ['moves', 'analysis', 'rules']) byId(`panel-${name}`).hidden = name !== state.tab;
  const toast = byId('toast');
  toast.hidden = state.trouble === '';
  setText(toast, state.trouble);
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
  if (now.match?.name !== before.match?.name && now.match) void loadDetails(now.match.name);
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
  if (now.view !== before.view && now.view === 'studies') void showStudies();
  if (now.view !== before.view && now.view === 'training') void showTraining();
});

/** @param {string} name */
async function loadDetails(name) {
  const details = await call('GET', `games/${name}`);
  set({ details });
  fillSearches();
}

/** @param {string} hash */
async function route(hash) {
  if (hash === '#studies' || hash === '#training') return set({ view: hash === '#studies' ? 'studies' : 'training' });
  const wanted = truthOf(hash);
  if (!wanted && state.match) return set({ view: 'play' });
  const fresh = { game: 'hex3(side=5)', seed: 0, seats: ['human', 'casual', 'casual'], moves: [] };
  try {
    await open(wanted?.truth ?? fresh, wanted?.id);
    if (!wanted) set({ tab: 'rules' });
  } catch (error) {
    await open(fresh);
    set({ trouble: `The link could not be opened: ${error instanceof Error ? error.message : error}` });
  }
  set({ view: 'play' });
}

function setUpButtons() {
  for (const action of ['undo', 'redo', 'hint']) byId(action).addEventListener('click', () => (set({ shown: null }), send(action)));
  byId('resign').addEventListener('click', async () => (await ask('Give up this match?', 'Resign')) && send('resign'));
  byId('pause').addEventListener('click', () => {
    const match = state.match;
    if (!match) return;
    if (state.shown?.kind === 'past') return void playFromHere();
    const engine = match.position.to_move !== undefined && !match.seats[match.position.to_move].person;
    void (engine && !match.paused && !match.position.over ? send('now') : send('pause', { paused: !match.paused }));
  });
  byId('confirm').addEventListener('change', (event) => set({ confirm: /** @type {HTMLInputElement} */ (event.target).checked }));
  byId('tray-turn').addEventListener('click', () => turn(board));
  byId('tray-flip').addEventListener('click', () => flip(board));
  byId('new-game').addEventListener('click', newGame);
  byId('choose-game').addEventListener('click', chooseGame);
  byId('toast').addEventListener('click', () => set({ trouble: '' }));
  for (const button of document.querySelectorAll('[data-step]'))
    button.addEventListener('click', () => {
      const kind = button.getAttribute('data-step');
      void (kind === 'first' ? goTo(0) : kind === 'last' ? goTo(Infinity) : step(kind === 'back' ? -1 : 1));
    });
}

function setUpTabs() {
  const tabs = [...document.querySelectorAll('[role=tab]')].filter((tab) => tab instanceof HTMLElement);
  const choose = (/** @type {HTMLElement} */ tab) => set({ tab: /** @type {any} */ (tab.dataset.tab) });
  tabs.forEach((tab, i) => {
    tab.addEventListener('click', () => choose(tab));
    tab.addEventListener('keydown', (event) => {
      if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
      const next = tabs[(i + (event.key === 'ArrowRight' ? 1 : tabs.length - 1)) % tabs.length];
      choose(next);
      next.focus();
    });
  });
}

listen({ board, enter: pressCell, drop: () => { const place = currentPlace(); if (place && mayPlay()) void play(place.move); } });
setUpButtons();
setUpTabs();
setUpTools();
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
