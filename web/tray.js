// The tray: where moves are shapes, choose one, turn and flip it, drop it. All of it comes from the legal moves.

import { byId, h, s } from './dom.js';
import { nearest, nextPlace, shapesOf } from './shapes.js';
import { mayPlay, set, state } from './store.js';

/** @typedef {import('./shapes.js').Shape} Shape */
/** @typedef {import('./shapes.js').Turn} Turn */

/** @type {Shape[]} */
let shapes = [];
let made = '', owner = 0;
/** Where the pointer was last, or a place that was walked to. @type {import('./shapes.js').Point|null} */
let lastAt = null;

/** Whether this match's moves are shapes. */
export function usesShapes() {
  return state.match?.shapes ?? false;
}

/** @returns {Turn|null} */
function currentTurn() {
  const tray = state.tray;
  return tray && shapes[tray.shape] ? shapes[tray.shape].turns[tray.turn] : null;
}

/** Where the shape in hand would come to lie. @returns {import('./shapes.js').Place|null} */
export function currentPlace() {
  const turn = currentTurn();
  return turn?.places.find((place) => place.move === state.tray?.place) ?? null;
}

/** @param {Shape} shape @param {number} from @returns {number} the first way to lay it that has a place */
function firstTurn(shape, from = 0) {
  for (let i = 0; i < 8; ++i) if (shape.turns[(from + i) % 8].places.length > 0) return (from + i) % 8;
  return from;
}

/** @param {number} index */
function choose(index) {
  const turn = firstTurn(shapes[index]), ways = shapes[index].turns[turn], before = lastAt;
  const place = before ? nearest(ways, before) : ways.places[0];
  set({ tray: { shape: index, turn, place: place?.move ?? '' } });
}

/** The cells that the shape in hand, the way it is turned, could cover. @returns {Set<string>} */
export function reachable() {
  return new Set(mayPlay() ? currentTurn()?.places.flatMap((place) => place.cells) : []);
}

/** The pointer is over a cell. @param {import('./board.js').Board} board @param {string|null} cell */
export function aim(board, cell) {
  const turn = currentTurn(), at = cell ? board.places.get(cell) : null;
  if (!turn || !state.tray || !at || !mayPlay()) return;
  const place = nearest(turn, at);
  lastAt = at;
  if ((place?.move ?? '') !== state.tray.place) set({ tray: { ...state.tray, place: place?.move ?? '' } });
}

/** @param {import('./board.js').Board} board @param {1|-1} by quarter turns */
export function turn(board, by = 1) {
  if (!state.tray) return;
  const side = state.tray.turn - (state.tray.turn % 4);
  lay(board, side + ((state.tray.turn + by + 4) % 4));
}

/** @param {import('./board.js').Board} board */
export function flip(board) {
  if (state.tray) lay(board, (state.tray.turn + 4) % 8);
}

/** @param {import('./board.js').Board} board @param {number} to */
function lay(board, to) {
  const near = currentPlace()?.at ?? lastAt, next = shapes[state.tray?.shape ?? 0]?.turns[to];
  if (!state.tray || !next) return;
  const place = near ? nearest(next, near) : next.places[0];
  set({ tray: { ...state.tray, turn: to, place: place?.move ?? '' } });
}

/** The next legal place in a direction, or the first one. @param {number} dx @param {number} dy */
export function walk(dx, dy) {
  const turn = currentTurn(), from = currentPlace();
  if (!turn || !state.tray || turn.places.length === 0) return;
  const place = from ? nextPlace(turn, from, { x: dx, y: dy }) : turn.places[0];
  if (!place) return;
  lastAt = place.at;
  set({ tray: { ...state.tray, place: place.move } });
}

/** @param {1|-1} by */
export function nextShape(by) {
  if (shapes.length > 0) choose(((state.tray?.shape ?? 0) + by + shapes.length) % shapes.length);
}

/** A shape by itself; all of them have cells of one size. @param {import('./shapes.js').Point[]} cells */
export function shapePicture(cells) {
  const width = Math.max(...cells.map((c) => c.x)) + 1, height = Math.max(...cells.map((c) => c.y)) + 1;
  const out = s('svg', { viewBox: `0 0 ${width} ${height}`, class: 'shape', 'aria-hidden': 'true' },
    ...cells.map((c) => s('rect', { class: 'shape-cell', x: c.x + 0.04, y: c.y + 0.04, width: 0.92, height: 0.92, rx: 0.14 })));
  out.style.width = `calc(${width} * var(--unit))`;
  out.style.height = `calc(${height} * var(--unit))`;
  return out;
}

/** @param {import('./board.js').Board} board @param {(move: string) => void} play */
export function drawTray(board, play) {
  const tray = byId('tray'), match = state.match;
  const wanted = match !== null && usesShapes();
  tray.hidden = !wanted;
  if (!wanted || !match) {
    made = '';
    shapes = [];
    return;
  }
  const mine = mayPlay(), key = `${match.id} ${match.moves.length} ${match.moves[match.moves.length - 1] ?? ''} ${mine}`;
  if (key !== made) {
    // between a person's turns the shapes stay, so that nothing jumps
    if (mine) [shapes, owner] = [shapesOf(match.position.legal, board.places), match.position.to_move ?? 0];
    else if (match.position.over || !made.startsWith(`${match.id} `)) shapes = [];
    else if (match.movers[match.movers.length - 1] === owner) {
      const [laid] = shapesOf(match.moves.slice(-1), board.places);
      shapes = shapes.filter((shape) => shape.key !== laid?.key);
    }
    const keep = state.tray && shapes.findIndex((shape) => shape.key === trayKey);
    made = key;
    if (mine && shapes.length > 0) choose(keep !== null && keep >= 0 ? keep : 0);
  }
  if (state.tray && shapes[state.tray.shape]) trayKey = shapes[state.tray.shape].key;
  const list = byId('tray-shapes');
  list.className = `tray-shapes seat-${owner}`;
  list.replaceChildren(
    ...shapes.map((shape, i) => {
      const chosen = state.tray?.shape === i;
      return h('button', { type: 'button', class: 'tray-shape', 'aria-pressed': chosen, disabled: !mine, 'data-shape': shape.key, 'aria-label': `shape of ${shape.size}, ${shape.count} places`, onclick: () => choose(i) },
        shapePicture(shape.turns[chosen ? (state.tray?.turn ?? 0) : firstTurn(shape)].cells));
    }),
    ...(shapes.length === 0 ? [h('span', { class: 'quiet' }, match.position.over ? 'The match is over.' : 'Wait for your turn.')] : []),
  );
  const place = currentPlace(), turn = currentTurn();
  byId('tray-turn').toggleAttribute('disabled', !mine);
  byId('tray-flip').toggleAttribute('disabled', !mine);
  const drop = byId('tray-drop');
  drop.toggleAttribute('disabled', !mine || !place);
  drop.onclick = () => place && play(place.move);
  byId('tray-note').textContent = !mine ? '' : turn && turn.places.length === 0 ? 'no place this way: turn or flip it' : turn ? (turn.places.length === 1 ? '1 place' : `${turn.places.length} places`) : '';
}
let trayKey = '';
