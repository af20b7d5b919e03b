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

/**
 * @param {string} hash
 * @returns {{truth: import('./types.js').Truth, id: string}|null}
 */
export function truthOf(hash) {
  if (!hash.startsWith('#play?')) return null;
  const parts = new URLSearchParams(hash.slice('#play?'.length));
  const game = parts.get('game');
  if (!game) return null;
  const seed = parts.get('seed') ?? '0';
  const resigned = parts.get('resigned');
  return {
    id: parts.get('id') ?? '',
    truth: {
      game,
      seed: /^[0-9]+$/.test(seed) ? (Number.isSafeInteger(Number(seed)) ? Number(seed) : seed) : 0,
      seats: (parts.get('seats') ?? '').split(';').filter((text) => text !== ''),
      moves: (parts.get('moves') ?? '').split(',').filter((text) => text !== ''),
      resigned: resigned === null ? null : Number(resigned),
    },
  };
}
