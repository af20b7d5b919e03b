// A match as the part of the address behind '#': a link holds everything.

/** @param {import('./types.js').Truth} truth @param {string} [id] */
export function hashOf(truth, id) {
  const parts = new URLSearchParams();
  if (id) parts.set('id', id);
  parts.set('game', truth.game);
  if (truth.seed !== 0) parts.set('seed', String(truth.seed));
  parts.set('seats', truth.seats.join(';'));
  if (truth.moves.length > 0) parts.set('moves', truth.moves.join(','));
  if (truth.resigned !== null && truth.resigned !== undefined) parts.set('resigned', String(truth.resigned));
  return `#play?${parts.toString().replaceAll('%28', '(').replaceAll('%29', ')').replaceAll('%2C', ',')}`;
}

const kParts = ['id', 'game', 'seed', 'seats', 'moves', 'resigned'];

/** What a link names: a match, one by its id alone, or neither; and what is wrong with it, in words. @typedef {{truth: import('./types.js').Truth|null, id: string, wrong: string}} Link */

/** @param {URLSearchParams} parts @param {string} key @param {string[]} wrong */
function wholeNumber(parts, key, wrong) {
  const text = parts.get(key);
  if (text === null || /^[0-9]+$/.test(text)) return text;
  wrong.push(`${key}=${text} is no whole number from 0 and was left out`);
  return null;
}

/** @param {string} hash @returns {Link} */
export function linkOf(hash) {
  if (['', '#', '#play'].includes(hash)) return { truth: null, id: '', wrong: '' };
  if (!hash.startsWith('#play?')) return { truth: null, id: '', wrong: `The link names nothing of this page: ${hash}` };
  const parts = new URLSearchParams(hash.slice('#play?'.length)), id = parts.get('id') ?? '', game = parts.get('game');
  const wrong = [...new Set(parts.keys())].filter((key) => !kParts.includes(key)).map((key) => `${key} is no part of one`);
  const seed = wholeNumber(parts, 'seed', wrong) ?? '0', resigned = wholeNumber(parts, 'resigned', wrong);
  if (!game && !id) wrong.push('it names no game');
  const truth = game ? {
    game,
    seed: Number.isSafeInteger(Number(seed)) ? Number(seed) : seed,
    seats: (parts.get('seats') ?? '').split(';').filter((text) => text !== ''),
    moves: (parts.get('moves') ?? '').split(',').filter((text) => text !== ''),
    resigned: resigned === null ? null : Number(resigned),
  } : null;
  return { truth, id, wrong: wrong.length > 0 ? `The link is not as it should be: ${wrong.join('; ')}.` : '' };
}
