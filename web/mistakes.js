// What the review of a match found: the moves that cost their mover something, each with what was better.

import { byId, h } from './dom.js';
import { goTo, moveName, placesOfShapes } from './moves.js';
import { seatIcon } from './pieces.js';
import { state } from './store.js';
import { lostAt, markOf } from './values.js';

let drawn = '';

export function drawMistakes() {
  const match = state.match, review = state.review, list = byId('mistakes');
  if (!match || state.tab !== 'analysis') return;
  const known = review?.plies.filter((one) => one?.reviewed).length ?? 0;
  const found = review ? match.moves.flatMap((_, ply) => (markOf(review, ply) ? [ply] : [])) : [];
  const at = state.shown?.kind === 'past' ? state.shown.ply : -1;
  const key = JSON.stringify([match.id, known, review?.running, found, at]);
  if (key === drawn) return;
  drawn = key;
  list.hidden = known === 0;
  if (!review || known === 0) return;
  const places = placesOfShapes();
  list.replaceChildren(...found.map((ply) => h('li', {}, h('button', { type: 'button', class: `move ${markOf(review, ply)}`, 'aria-current': at === ply ? 'step' : null, onclick: () => show(ply) },
    h('span', { class: 'number' }, ply + 1), seatIcon(match.movers[ply], `seat ${match.movers[ply] + 1}`), moveName(match.moves[ply], places), h('span', { class: 'flag' }), h('span', { class: 'loss', title: 'chances to win' }, `−${Math.round(100 * lostAt(review, ply))} %`),
    h('span', { class: 'better' }, 'better ', moveName(review.plies[ply]?.best ?? '', places))))),
  ...(found.length === 0 ? [h('li', { class: 'quiet' }, review.running ? `Looking at the moves: ${known} of ${match.moves.length + (match.position.over ? 0 : 1)}…` : 'No mistakes found.')] : []));
}

/** The position before a mistake, with the better move on the board. @param {number} ply */
function show(ply) {
  const best = state.review?.plies[ply]?.best;
  void goTo(ply, best ? [{ move: best, seat: state.match?.movers[ply] }] : []);
}
