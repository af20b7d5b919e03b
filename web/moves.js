// The list of moves: a click goes there. Earlier positions are looked at without changing the match.

import { positionAfter, send } from './api.js';
import { byId, h } from './dom.js';
import { waysToLay } from './shapes.js';
import { shapePicture, usesShapes } from './tray.js';
import { seatIcon } from './pieces.js';
import { set, state } from './store.js';
import { markOf } from './values.js';

/** Shows the match after some moves; the last ply is the match itself. @param {number} ply @param {import('./store.js').Ghost[]} [ghosts] what could follow */
export async function goTo(ply, ghosts = []) {
  const match = state.match;
  if (!match) return;
  const wanted = Math.max(0, Math.min(ply, match.moves.length));
  if (wanted === match.moves.length) return set({ shown: null, picked: [], ghosts });
  const moves = match.moves.slice(0, wanted);
  const position = await positionAfter(match.game, match.seed, moves);
  if (state.match?.id === match.id) set({ shown: { kind: 'past', ply: wanted, moves, position }, picked: [], ghosts });
}

/** One step back or forth from what is shown. @param {number} by */
export function step(by) {
  const match = state.match;
  if (!match) return;
  if (state.shown?.kind === 'variation') return set({ shown: null, ghosts: [] });
  return goTo((state.shown?.ply ?? match.moves.length) + by);
}

/** Goes on from the position that is shown. */
export async function playFromHere() {
  const shown = state.shown, match = state.match;
  if (!shown || !match) return;
  if (shown.kind === 'past') await send('goto', { ply: shown.ply });
  set({ shown: null, ghosts: [] });
}

/** A move's name, shortened where it lists many cells. @param {string} move */
export function shortMove(move) {
  const cells = move.split('-');
  return cells.length <= 2 ? cells.join('–') : `${cells[0]} +${cells.length - 1}`;
}

/** Where cells lie, when moves are shapes; null: moves go by their names. @returns {Map<string, import('./shapes.js').Point>|null} */
export function placesOfShapes() {
  return state.match && usesShapes() ? new Map(state.match.position.drawing.cells.map((cell) => [cell[0], { x: cell[1], y: cell[2] }])) : null;
}

/** A move in a list: its name, or the shape and its first cell. @param {string} move @param {ReturnType<typeof placesOfShapes>} places */
export function moveName(move, places) {
  const cells = move.split('-'), points = places && cells.map((cell) => places.get(cell)).filter((point) => point !== undefined);
  if (!points || points.length !== cells.length) return h('span', { class: 'name' }, shortMove(move));
  return h('span', { class: 'name shape-name' }, shapePicture(waysToLay(points)[0]), cells[0]);
}

let drawn = '';

export function drawMoves() {
  const match = state.match;
  if (!match) return;
  const at = state.shown?.kind === 'past' ? state.shown.ply : match.moves.length;
  const marks = match.moves.map((_, ply) => markOf(state.review, ply));
  const key = JSON.stringify([match.id, match.moves, match.redo.length, at, marks]);
  if (key === drawn) return;
  drawn = key;
  const list = byId('move-list');
  const places = placesOfShapes();
  /** @type {HTMLElement[]} */
  const rows = [h('li', { class: 'from-start' }, h('button', { type: 'button', class: 'move start', 'aria-current': at === 0 ? 'step' : null, onclick: () => goTo(0) }, 'Start'))];
  match.moves.forEach((move, i) => {
    const mark = marks[i];
    rows.push(h('li', { class: `seat-${match.movers[i]}` }, h('button', { type: 'button', class: `move ${mark}`, title: mark ? `${move}: ${mark}` : move, 'aria-current': at === i + 1 ? 'step' : null, onclick: () => goTo(i + 1) },
      h('span', { class: 'number' }, i + 1), seatIcon(match.movers[i], `seat ${match.movers[i] + 1}`), moveName(move, places), mark && h('span', { class: 'flag', 'aria-label': mark }))));
  });
  for (const [i, move] of match.redo.entries())
    rows.push(h('li', {}, h('span', { class: 'move undone', title: 'taken back; redo plays it again' }, h('span', { class: 'number' }, match.moves.length + i + 1), moveName(move, places))));
  list.replaceChildren(...rows);
  const current = list.querySelector('[aria-current]');
  if (current instanceof HTMLElement) {
    const box = list.getBoundingClientRect(), own = current.getBoundingClientRect();
    if (own.bottom > box.bottom) list.scrollTop += own.bottom - box.bottom + 8;
    if (own.top < box.top) list.scrollTop -= box.top - own.top + 8;
  }
}
