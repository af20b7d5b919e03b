// Talking to the server: JSON requests, and the match that this page holds with its event stream. When the server has
// forgotten the match (a restart), it is opened again from its truth, which the page has.

import { set, state } from './store.js';

export class ApiError extends Error {
  /** @param {number} status @param {string} message */
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/**
 * @param {'GET'|'POST'} method
 * @param {string} path  below /api/
 * @param {object} [body]
 * @returns {Promise<any>}
 */
export async function call(method, path, body) {
  const response = await fetch(`/api/${path}`, {
    method,
    headers: method === 'POST' ? { 'Content-Type': 'application/json' } : {},
    body: method === 'POST' ? JSON.stringify(body ?? {}) : undefined,
  });
  const data = await response.json().catch(() => ({ error: response.statusText }));
  if (!response.ok) throw new ApiError(response.status, data.error ?? 'the server failed');
  return data;
}

/** @returns {import('./types.js').Truth|null} */
export function truth() {
  const match = state.match;
  if (!match) return null;
  return {
    game: match.game,
    seed: match.seed,
    seats: match.seats.map((seat) => seat.text),
    moves: match.moves,
    resigned: match.resigned,
  };
}

/** @type {EventSource|null} */
let events = null;
let retry = 0;

/** Opens a match and follows it. @param {import('./types.js').Truth|null} wanted @param {string} [id] one that may still be there */
export async function open(wanted, id) {
  let match = null;
  if (id) match = await call('GET', `matches/${encodeURIComponent(id)}`).catch(() => null);
  if (!match && !wanted) throw new Error(`the match ${id} is not open any more, and the link does not say of what game it was`);
  if (!match) match = await call('POST', 'matches', wanted ?? {});
  set({
    match,
    shown: null,
    thought: null,
    hint: null,
    analysis: [null, null],
    review: null,
    picked: [],
    preview: '',
    ghosts: [],
    tray: null,
    trouble: '',
  });
  follow();
  return match;
}

/** Answers and events may overtake each other: the newer state counts. @param {import('./types.js').Match} match */
function accept(match) {
  if (match.id === state.match?.id && match.version >= state.match.version) set({ match });
}

/** Listens to the match of the store. */
export function follow() {
  events?.close();
  const id = state.match?.id;
  if (!id) return;
  const source = new EventSource(`/api/matches/${encodeURIComponent(id)}/events`);
  events = source;
  /** @param {string} name @param {(data: any) => void} act */
  const on = (name, act) =>
    source.addEventListener(name, (event) => {
      if (source === events) act(JSON.parse(event.data));
    });
  source.addEventListener('open', () => {
    retry = 0;
    set({ online: true });
  });
  source.addEventListener('error', () => {
    if (source !== events) return;
    set({ online: false });
    if (source.readyState !== EventSource.CLOSED) return;
    retry = Math.min(retry + 1, 6);
    setTimeout(() => source === events && reopen().catch(() => follow()), 250 * 2 ** retry);
  });
  on('state', accept);
  on('thought', (thought) => set({ thought }));
  on('hint', (hint) => set({ hint }));
  on('review', (review) => set({ review }));
  on('analysis0', (thought) => set({ analysis: [thought, state.analysis[1]] }));
  on('analysis1', (thought) => set({ analysis: [state.analysis[0], thought] }));
}

async function reopen() {
  const known = truth();
  if (!known) return;
  const reviewing = state.review?.running;
  const match = await call('POST', 'matches', { ...known, paused: state.match?.paused });
  set({ match, hint: null, thought: null, trouble: '' });
  follow();
  if (state.searches.length > 0) await analyse(state.searches, lineOfAnalysis());
  if (reviewing) await send('review', { wanted: true });
}

function lineOfAnalysis() {
  return state.shown ? state.shown.moves : (state.match?.moves ?? []);
}

/**
 * Something a person does with the match; a forgotten match is opened again first. Throws what the server says against it.
 * @param {string} action
 * @param {object} [body]
 */
export async function demand(action, body) {
  if (!state.match) return;
  const path = () => `matches/${encodeURIComponent(state.match?.id ?? '')}/${action}`;
  let match;
  try {
    match = await call('POST', path(), body);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
    await reopen();
    match = await call('POST', path(), body);
  }
  accept(match);
  set({ trouble: '' });
}

/** The same; what is wrong becomes a line on the page. @param {string} action @param {object} [body] */
export async function send(action, body) {
  await orTell(() => demand(action, body));
}

/** Does something; what goes wrong becomes a line on the page. @param {() => Promise<unknown>} act */
export async function orTell(act) {
  try {
    await act();
  } catch (error) {
    set({ trouble: error instanceof Error ? error.message : String(error) });
  }
}

/** @param {string[]} searches none: off @param {string[]} line */
export async function analyse(searches, line) {
  set({ searches, analysis: [null, null] });
  await send('analysis', { searches, line });
}

/** @type {Map<string, Promise<import('./types.js').Position & {movers: number[], moves: string[], players: number, name: string, title: string, shapes: boolean}>>} */
const positions = new Map();

/** The position after moves; asked for once. @param {string} game @param {number|string} seed @param {string[]} moves */
export function positionAfter(game, seed, moves) {
  const key = JSON.stringify([game, seed, moves]);
  let found = positions.get(key);
  if (!found) {
    if (positions.size > 300) positions.clear();
    found = call('POST', 'position', { game, seed, moves });
    found.catch(() => positions.delete(key));
    positions.set(key, found);
  }
  return found;
}

// Browsers allow six connections to a server: pages in the background give theirs back.
let hidden = 0;
document.addEventListener('visibilitychange', () => {
  clearTimeout(hidden);
  if (document.visibilityState === 'visible') {
    if (state.match && (!events || events.readyState === EventSource.CLOSED)) follow();
  } else {
    hidden = window.setTimeout(() => events?.close(), 20000);
  }
});
