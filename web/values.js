// Values for people. Searches say points, and which: gains (-1 to 1) become chances; additive depth (a quick win is worth
// more) becomes how sure a win looks; scores stay points.

/** @typedef {import('./types.js').Match} Match */
/** @typedef {import('./types.js').Unit} Unit */
/** @typedef {{value: number[], unit: Unit, by?: string}} Valued */

/** How full a seat's bar is, 0..1. @param {Match} match @param {Valued} valued @param {number} seat */
export function share(match, { value, unit }, seat) {
  const own = value[seat];
  if (own === null || own === undefined) return 0;
  if (unit === 'score') {
    const least = Math.min(0, ...value), most = Math.max(...value.map(Math.abs), 1e-9);
    return Math.max(0, Math.min(1, (own - least) / (most - least || 1)));
  }
  const chances = value.map((v) => chance(match, v, unit)), sum = chances.reduce((a, b) => a + b, 0);
  return sum > 0 ? chances[seat] / Math.max(sum, 1e-9) : 1 / value.length;
}

/** For the curve: a seat's part of all that is expected, where that is a part. @param {Match} match @param {Valued} valued @param {number} seat */
export function part(match, valued, seat) {
  const sum = valued.value.reduce((a, b) => a + b, 0);
  if (valued.unit !== 'score' || sum <= 0 || Math.min(...valued.value) < 0) return share(match, valued, seat);
  return valued.value[seat] / sum;
}

/** @param {Match} match @param {number} value @param {Unit} unit */
function chance(match, value, unit) {
  const sure = unit === 'depth' ? Math.tanh((3 * value) / match.max_length) : value;
  return Math.max(0, Math.min(1, (sure + 1) / 2));
}

/** @param {Match} match @param {Valued} valued @param {number} seat @param {0|1} [digits] of points of ten and more */
export function valueText(match, valued, seat, digits = 1) {
  const own = valued.value[seat];
  if (own === null || own === undefined) return '';
  if (valued.unit === 'score') return own.toFixed(Math.abs(own) < 10 ? digits + 1 : digits).replace('-', '−');
  return `${Math.round(100 * share(match, valued, seat))} %`;
}

/** @param {Unit} unit */
export function valueName(unit) {
  return unit === 'score' ? 'expected points' : unit === 'gain' ? 'chance to win' : 'how sure a win looks';
}

/** The value of a position of the match, where it is known. @param {Match} match @param {import('./types.js').Review|null} review @param {number} ply @returns {Valued|null} */
export function valueAt(match, review, ply) {
  if (ply === match.moves.length && match.position.over && match.position.points) return { value: match.position.points, unit: match.points };
  return review?.plies[ply] ?? null;
}

/** What a move cost its mover, as a part of what there is to win, or 0. @param {Match} match @param {import('./types.js').Review} review @param {number} ply */
export function cost(match, review, ply) {
  const here = review.plies[ply], next = valueAt(match, review, ply + 1), mover = match.movers[ply];
  const reviewed = review.plies[ply + 1]?.reviewed || (ply + 1 === match.moves.length && match.position.over);
  if (!here?.reviewed || !next || !reviewed || match.moves[ply] === here.best || here.unit !== next.unit) return 0;
  const lost = here.value[mover] - next.value[mover];
  const scale = here.unit === 'gain' ? 2 : here.unit === 'depth' ? match.max_length / 2 : Math.max(4, ...here.value.map(Math.abs));
  return Math.max(0, lost / scale);
}

/** The same for people. @param {Match} match @param {import('./types.js').Review} review @param {number} ply */
export function lossText(match, review, ply) {
  const here = review.plies[ply], next = valueAt(match, review, ply + 1), mover = match.movers[ply];
  if (!here || !next) return '';
  if (here.unit === 'score') return `−${(here.value[mover] - next.value[mover]).toFixed(1)}`;
  return `−${Math.round(100 * Math.max(0, share(match, here, mover) - share(match, next, mover)))} %`;
}

/** @param {number} lost of cost() */
export function costClass(lost) {
  return lost > 0.25 ? 'blunder' : lost > 0.12 ? 'mistake' : lost > 0.06 ? 'slip' : '';
}
