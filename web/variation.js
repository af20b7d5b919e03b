// The line that a search expects: who would play which move, to step through, on the board and in words.

import { positionAfter } from './api.js';
import { byId, h, setText } from './dom.js';
import { moveName, placesOfShapes, shortMove } from './moves.js';
import { seatIcon } from './pieces.js';
import { set, state } from './store.js';

/** @typedef {import('./types.js').Thought} Thought */
/** @typedef {import('./types.js').Match} Match */

const kLength = 8;

/** The moves before the line. @param {Thought} thought @param {Match} match */
const before = (thought, match) => thought.line ?? match.moves.slice(0, thought.ply);

/** The expected moves with their seats. @param {Thought} thought @returns {import('./store.js').Ghost[]} */
export function expected(thought) {
  return thought.pv.slice(0, kLength).map((move, i) => ({ move, seat: thought.pv_seats[i] }));
}

/** Steps into a variation. @param {Thought} thought @param {number} count moves of it */
async function follow(thought, count) {
  const match = state.match;
  if (!match) return;
  const moves = [...before(thought, match), ...thought.pv.slice(0, count)];
  const found = await positionAfter(match.game, match.seed, moves);
  if (state.match?.id === match.id) set({ shown: { kind: 'variation', ply: moves.length, moves, position: found }, ghosts: [] });
}

/** @param {Thought} thought @param {Match} match */
export function variation(thought, match) {
  const base = before(thought, match).length, places = placesOfShapes();
  const at = state.shown?.kind === 'variation' ? state.shown.ply - base : 0;
  return h('div', { class: 'variation', role: 'group', 'aria-label': 'expected moves' },
    ...expected(thought).map(({ move, seat }, i) => h('button', { type: 'button', class: `chip${seat === undefined ? '' : ` seat-${seat}`}`, title: move, 'aria-pressed': at === i + 1, onclick: () => (at === i + 1 ? set({ shown: null }) : follow(thought, i + 1)) },
      seat !== undefined && seatIcon(seat), moveName(move, places))));
}

/** What each seat is expected to answer, in words. @param {Thought|null} thought */
export function why(thought) {
  const match = state.match;
  if (!match || !thought || thought.pv.length < 2) return setText(byId('why'), '');
  const [first, ...answers] = expected(thought).slice(0, 4), places = placesOfShapes();
  const name = (/** @type {string} */ move) => (places ? `a shape at ${move.split('-')[0]}` : shortMove(move));
  const said = answers.map(({ move, seat }) => (seat === undefined ? name(move) : `seat ${seat + 1} ${name(move)}`));
  setText(byId('why'), `Seat ${thought.mover + 1} plays ${name(first.move)}, then it expects ${said.join(', ')}.`);
}
