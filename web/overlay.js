// What lies over the board: legal cells, the last move, picked cells, the shape in hand, hints, the best moves of a
// search and its variation.

import { decimal, s } from './dom.js';
import { cellsOf } from './pick.js';
import { ghost } from './pieces.js';
import { mayPlay, state } from './store.js';
import { share } from './values.js';

/** @typedef {import('./board.js').Board} Board */

/**
 * @param {Board} board
 * @param {import('./types.js').Position} position
 * @param {string[]} line   moves that led here
 * @param {boolean} tiles
 * @param {import('./shapes.js').Place|null} place  the shape in hand
 * @param {Set<string>} choices  cells that can be chosen, or that the shape in hand could cover
 */
export function drawOverlay(board, position, line, tiles, place, choices) {
  /** @type {Element[]} */
  const out = [];
  const put = (/** @type {string} */ cell, /** @type {Element} */ element) => {
    const at = board.places.get(cell);
    if (!at) return;
    element.setAttribute('transform', `translate(${at.x} ${at.y})`);
    out.push(element);
  };
  const last = line[line.length - 1];
  if (last) for (const cell of cellsOf(last)) put(cell, s('circle', { class: tiles ? 'last on-tile' : 'last', r: tiles ? 0.26 : 0.44 }));
  const mine = mayPlay();
  board.svg.classList.toggle('playable', mine);
  /** @type {Set<string>} */
  const free = tiles ? new Set() : choices;
  for (const [name, { element }] of board.cells) {
    element.classList.toggle('legal', free.has(name));
    element.classList.toggle('reach', tiles && choices.has(name));
  }
  board.above.classList.toggle('many', free.size > 24);
  for (const cell of state.picked) put(cell, s('circle', { class: 'picked', r: 0.46 }));
  if (mine && place) for (const cell of place.cells) put(cell, ghost(position.to_move ?? 0, true));
  const covered = thoughts(board, put, position, line, tiles);
  for (const cell of free) if (!covered.has(cell)) put(cell, legalMark(board, cell));
  board.above.replaceChildren(...out);
}

/** A dot on an empty cell; where something stands or is counted, the cell's edge: a dot would be lost there. @param {Board} board @param {string} cell */
function legalMark(board, cell) {
  const stands = board.cells.get(cell)?.cell;
  if (!stands || (stands[3] < 0 && stands[5] === '')) return s('circle', { class: 'dot', r: 0.12 });
  return s('g', {}, s('path', { class: 'lit', d: board.outline, transform: 'scale(0.93)' }));
}

/**
 * @param {Board} board
 * @param {(cell: string, element: Element) => void} put
 * @param {import('./types.js').Position} position
 * @param {string[]} line
 * @param {boolean} tiles
 * @returns {Set<string>}  cells that carry a value
 */
function thoughts(board, put, position, line, tiles) {
  const mover = position.to_move ?? 0;
  /** @type {Set<string>} */
  const covered = new Set();
  if (state.preview) {
    for (const cell of cellsOf(state.preview)) put(cell, ghost(mover, tiles));
    return covered;
  }
  if (state.ghosts.length > 0) return numbered(put, state.ghosts, mover, tiles);
  const analysis = state.analysis.filter((thought) => thought && sameLine(thought.line, line));
  if (analysis.length > 0 && state.tab === 'analysis') {
    if (!tiles) for (const thought of analysis) if (thought) putWay(board, put, cellsOf(thought.best));
    analysis.forEach((thought, slot) => thought && best(put, thought, slot, tiles, covered));
    return covered;
  }
  const hint = !state.shown && state.hint && state.hint.ply === position.ply ? state.hint : null;
  const thought = !state.shown && state.thought?.running && state.thought.ply === position.ply ? state.thought : null;
  const shown = hint ?? thought;
  if (!shown) return covered;
  for (const cell of cellsOf(shown.best)) put(cell, s('circle', { class: hint ? 'hint' : 'thinking', r: tiles ? 0.3 : 0.4 }));
  return covered;
}

/** Moves that could follow, each with its number where it comes to lie. @param {(cell: string, element: Element) => void} put @param {import('./store.js').Ghost[]} ghosts @param {number} mover @param {boolean} tiles */
function numbered(put, ghosts, mover, tiles) {
  /** @type {Set<string>} */
  const covered = new Set();
  ghosts.forEach(({ move, seat }, i) => {
    const cells = cellsOf(move), last = cells[cells.length - 1];
    if (tiles) for (const cell of cells) put(cell, ghost(seat ?? mover, true));
    if (covered.has(last)) return;  // what comes first is in the cell
    covered.add(last);
    if (!tiles) put(last, ghost(seat ?? mover, false));
    if (ghosts.length > 1) put(tiles ? cells[0] : last, s('text', { class: `ghost-number seat-${seat ?? mover}` }, i + 1));
  });
  return covered;
}

/** @param {string[]|undefined} a @param {string[]} b */
export function sameLine(a, b) {
  return a !== undefined && a.length === b.length && a.every((move, i) => move === b[i]);
}

/** From where the best move comes; below what is written on the cells. @param {Board} board @param {(cell: string, element: Element) => void} put @param {string[]} cells of the move */
function putWay(board, put, cells) {
  const from = board.places.get(cells[0]), to = board.places.get(cells[cells.length - 1]);
  if (from && to && cells.length > 1) put(cells[0], s('line', { class: 'best-way', x2: to.x - from.x, y2: to.y - from.y }));
}

/**
 * The best moves with their values, the larger the more they were visited. Of moves with several cells the last one carries the value.
 * @param {(cell: string, element: Element) => void} put
 * @param {import('./types.js').Thought} thought
 * @param {number} slot
 * @param {boolean} tiles
 * @param {Set<string>} covered
 */
function best(put, thought, slot, tiles, covered) {
  const most = Math.max(1, ...thought.children.map((child) => child.visits));
  const seen = new Set();
  for (const [rank, child] of thought.children.slice(0, tiles ? 1 : 8).entries()) {
    const cells = cellsOf(child.move), cell = cells[cells.length - 1], first = child.move === thought.best;
    if (tiles) for (const one of cells) put(one, ghost(thought.mover, true));
    if (seen.has(cell)) continue;
    if (slot === 1 && rank > 0) break;
    seen.add(cell);
    covered.add(cell);
    const weight = first ? 1 : Math.sqrt(child.visits / most);
    const group = s('g', { class: `best slot-${slot}${first ? ' first' : ''}` });
    if (slot === 1) group.append(s('circle', { class: 'other', r: 0.47 }));
    else group.append(s('circle', { class: 'best-back', r: 0.3 + 0.12 * weight, 'stroke-opacity': 0.3 + 0.7 * weight }), s('text', { class: 'best-value', opacity: 0.65 + 0.35 * weight }, shortValue(child, thought)));
    put(cell, group);
  }
}

/** @param {import('./types.js').Child} child @param {import('./types.js').Thought} thought */
function shortValue(child, thought) {
  const value = child.value[thought.mover];
  if (!state.match || value === null || value === undefined) return '';
  if (thought.unit !== 'score') return String(Math.round(100 * share(state.match, { value: child.value, unit: thought.unit }, thought.mover)));
  return decimal(value, Math.abs(value) < 10 ? 1 : 0);
}
