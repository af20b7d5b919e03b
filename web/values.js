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

/** What a review says against the move played at a ply; '': nothing, or it is not known yet. @param {import('./types.js').Review|null} review @param {number} ply @returns {''|'mistake'|'blunder'} */
export function markOf(review, ply) {
  const grade = review?.plies[ply]?.move?.grade ?? 'fine';
  return grade === 'fine' ? '' : grade;
}

/** The chances to win that the move threw away, 0..1. @param {import('./types.js').Review} review @param {number} ply */
export const lostAt = (review, ply) => review.plies[ply]?.move?.lost ?? 0;
