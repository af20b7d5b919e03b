// Moves by clicking cells. A move's name lists its cells; every click narrows the legal moves to those that contain the
// clicked cells. Knows no game.

/** @param {string} move */
export function cellsOf(move) {
  return move.split('-');
}

/** The moves that contain all picked cells. @param {string[]} legal @param {string[]} picked */
export function narrowed(legal, picked) {
  if (picked.length === 0) return legal;
  return legal.filter((move) => {
    const cells = cellsOf(move);
    return picked.every((cell) => cells.includes(cell));
  });
}

/**
 * The cells to light up: of every move that is left its first cell that is not picked yet.
 * @param {string[]} legal
 * @param {string[]} picked
 * @returns {Set<string>}
 */
export function targets(legal, picked) {
  /** @type {Set<string>} */
  const out = new Set();
  for (const move of narrowed(legal, picked)) {
    const next = cellsOf(move).find((cell) => !picked.includes(cell));
    if (next) out.add(next);
  }
  return out;
}

/**
 * What a click on a cell makes of the picked ones.
 * @param {string[]} legal
 * @param {string[]} picked
 * @param {string} cell
 * @returns {{picked: string[], move: string|null}}  move: the one that is meant now
 */
export function click(legal, picked, cell) {
  if (picked.includes(cell)) {
    const whole = wholeMove(legal, picked);
    if (whole && picked[picked.length - 1] === cell && picked.length > 1) return { picked: [], move: whole };
    return { picked: picked.slice(0, picked.indexOf(cell)), move: null };
  }
  let next = [...picked, cell];
  let left = narrowed(legal, next);
  if (left.length === 0) {
    // another beginning
    next = [cell];
    left = narrowed(legal, next);
    if (left.length === 0) return { picked: [], move: null };
  }
  if (left.length === 1) return { picked: next, move: left[0] };
  return { picked: next, move: null };
}

/** The move that consists of just the picked cells. @param {string[]} legal @param {string[]} picked */
export function wholeMove(legal, picked) {
  return narrowed(legal, picked).find((move) => cellsOf(move).length === picked.length) ?? null;
}
