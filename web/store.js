// What the parts of the page share: they subscribe to it and draw what they need. What a part alone needs to draw (what
// it drew last, the shape in hand) it keeps itself.

/** A move that is only thought of; seat: who would play it. @typedef {{move: string, seat?: number}} Ghost */

/**
 * @typedef {object} State
 * @property {import('./types.js').Game[]} games
 * @property {import('./types.js').Level[]} levels
 * @property {import('./types.js').Match|null} match
 * @property {import('./types.js').Shown|null} shown      instead of the match's position
 * @property {import('./types.js').Thought|null} thought   of the engine that moves
 * @property {import('./types.js').Thought|null} hint
 * @property {(import('./types.js').Thought|null)[]} analysis
 * @property {import('./types.js').Review|null} review
 * @property {string[]} searches                           of the analysis; empty: off
 * @property {import('./types.js').GameDetails|null} details
 * @property {string} preview                              a move that waits for a second click
 * @property {Ghost[]} ghosts                              moves that are pointed at in a table, one after the other
 * @property {string[]} picked                             cells of a move that is being clicked together
 * @property {{shape: number, turn: number, place: string}|null} tray
 * @property {boolean} confirm                             ask before a move is played
 * @property {'play'|'studies'|'training'} view
 * @property {'moves'|'analysis'|'rules'} tab
 * @property {boolean} drawer                              in small windows: the tab's panel is pulled up
 * @property {string} trouble                              a line about what went wrong
 * @property {boolean} online
 */

/** @type {State} */
export const state = {
  games: [],
  levels: [],
  match: null,
  shown: null,
  thought: null,
  hint: null,
  analysis: [null, null],
  review: null,
  searches: [],
  details: null,
  preview: '',
  ghosts: [],
  picked: [],
  tray: null,
  confirm: matchMedia('(pointer: coarse)').matches,
  view: 'play',
  tab: 'moves',
  drawer: false,
  trouble: '',
  online: true,
};

/** @type {Set<(state: State, before: State) => void>} */
const listeners = new Set();
let scheduled = false;
let before = { ...state };

/** @param {Partial<State>} patch */
export function set(patch) {
  Object.assign(state, patch);
  if (scheduled) return;
  scheduled = true;
  queueMicrotask(() => {
    scheduled = false;
    const old = before;
    before = { ...state };
    for (const listener of listeners) listener(state, old);
  });
}

/** Called after changes, once for all that happen together. @param {(state: State, before: State) => void} listener */
export function subscribe(listener) {
  listeners.add(listener);
}

/** The position on the board. @returns {import('./types.js').Position|null} */
export function position() {
  return state.shown ? state.shown.position : (state.match?.position ?? null);
}

/** The moves that lead to it. @returns {string[]} */
export function line() {
  return state.shown ? state.shown.moves : (state.match?.moves ?? []);
}

/** Whether a person may move on the board now. */
export function mayPlay() {
  const match = state.match;
  if (!match || state.shown || match.resigned !== null) return false;
  const mover = match.position.to_move;
  return mover !== undefined && match.seats[mover].person;
}
