// What is going on, in words: the line under the board and what stands beside it.

import { shortMove } from './moves.js';
import { targets } from './pick.js';
import { notesOf } from './seats.js';
import { position, state } from './store.js';
import { usesShapes } from './tray.js';
import { markOf } from './values.js';

/** @typedef {import('./types.js').Match} Match */
/** @typedef {import('./types.js').Position} Position */

/** The seat of the only person, or -1. @param {Match} match */
export function alone(match) {
  const people = match.seats.flatMap((seat, i) => (seat.person ? [i] : []));
  return people.length === 1 ? people[0] : -1;
}

/** @param {Match} match @param {number} seat */
const nameOf = (match, seat) => (alone(match) === seat ? 'You' : `Seat ${seat + 1}`);

/** @param {Match} match @param {Position} here */
function resultText(match, here) {
  const winners = (here.gain ?? []).flatMap((gain, seat) => (gain > 0 ? [seat] : []));
  if (winners.length === 0) return 'The match is a draw.';
  const person = alone(match), all = winners.map((seat) => `seat ${seat + 1}`).join(' and ');
  const result = `${all[0].toUpperCase()}${all.slice(1)} ${winners.length === 1 ? 'wins' : 'win'}.`;
  if (person < 0) return result;
  return winners.includes(person) ? (winners.length === 1 ? 'You win!' : `You win: ${result.toLowerCase()}`) : `${result} You lose.`;
}

/** An earlier position, and what was wrong with the move that followed. @param {Match} match @param {number} ply */
function pastText(match, ply) {
  const at = ply === 0 ? 'The start.' : `Move ${ply} of ${match.moves.length}.`, review = state.review;
  if (!review || ply >= match.moves.length || markOf(review, ply) === '') return at;
  const best = review.plies[ply]?.best ?? '';
  return `${at} ${nameOf(match, match.movers[ply])} then played ${shortMove(match.moves[ply])}; ${usesShapes() ? 'the shape shown' : shortMove(best)} was better.`;
}

/** What a person can do now. @param {Match} match @param {Position} here @param {number} mover */
function turnText(match, here, mover) {
  if (state.preview && state.picked.length > 0) return `${shortMove(state.preview)}: once more to play it.`;
  if (state.picked.length > 0) return `${state.picked.join(', ')}: now choose where it goes.`;
  if (state.hint && !state.hint.running && state.hint.ply === here.ply) return usesShapes() ? 'Hint: the shape that is ringed on the board.' : `Hint: ${shortMove(state.hint.best)}.`;
  if (match.hinting) return 'Looking for a hint…';
  if (usesShapes() && state.tray?.place === '') return 'No place this way: turn or flip it.';
  const owners = new Map(here.drawing.cells.map((cell) => [cell[0], cell[3]]));
  const own = [...targets(here.legal, [])].every((cell) => owners.get(cell) === mover);
  return `${alone(match) < 0 ? `Seat ${mover + 1}` : 'Your move'}: ${usesShapes() ? 'pick a shape, then its place.' : own ? 'choose one of your pieces.' : 'choose a marked cell.'}`;
}

/** What is going on, in one line. */
export function statusText() {
  const match = state.match, here = position();
  if (!match || !here) return '';
  if (!state.online) return 'The server does not answer; trying again…';
  if (match.error) return match.error;
  if (state.shown?.kind === 'variation') return 'A line that a search expects.';
  if (state.shown) return pastText(match, state.shown.ply);
  if (match.resigned !== null) return `${nameOf(match, match.resigned)} ${alone(match) === match.resigned ? 'have' : 'has'} given up.`;
  if (here.over) return resultText(match, here);
  const mover = here.to_move ?? 0;
  if (!match.seats[mover].person) return match.paused ? 'Engines are paused.' : `Seat ${mover + 1} thinks…`;
  return turnText(match, here, mover);
}

/** What else is worth knowing: the aim at the start, the game's notes, how to step back. */
export function asideText() {
  const here = position();
  if (!here) return '';
  const out = notesOf(here.drawing).others;
  const last = state.picked[state.picked.length - 1];
  if (last && !state.preview) out.push(`${last} again: one step back`);
  else if (here.ply === 0 && state.details?.aim && state.details.name === state.match?.name) out.unshift(`Aim: ${state.details.aim}`);
  return out.join(' · ');
}
