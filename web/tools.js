// The top bar: link, records down and up, light and dark.

import { call, open, orTell, truth } from './api.js';
import { head, upper } from './dialog.js';
import { byId, h } from './dom.js';
import { hashOf } from './link.js';
import { line, set, state } from './store.js';

async function copyLink() {
  const known = truth();
  if (!known) return;
  const shown = state.shown ? { ...known, moves: line() } : known;
  const link = new URL(hashOf(shown), location.origin).href;
  try {
    await navigator.clipboard.writeText(link);
    flash('copy-link', 'Copied');
  } catch {
    showLink(link);  // pages that come without encryption may not write to the clipboard
  }
}

/** @param {string} link */
function showLink(link) {
  const dialog = upper(), field = h('input', { type: 'text', class: 'spec', readonly: true, value: link, 'aria-label': 'The link' });
  dialog.replaceChildren(head(dialog, 'The link to this match'), field);
  dialog.showModal();
  field.select();
}

/** @param {string} id @param {string} text */
function flash(id, text) {
  const label = byId(id).querySelector('span');
  if (!label) return;
  const before = label.textContent;
  label.textContent = text;
  setTimeout(() => (label.textContent = before), 1200);
}

function save() {
  if (!state.match) return;
  const link = document.createElement('a');
  link.href = `/api/matches/${encodeURIComponent(state.match.id)}/record?format=sgf`;
  link.download = `${state.match.name}.sgf`;
  link.click();
}

/** @typedef {{game: string, seed: number|string, players: string[], seats: string[], lost: {seat: number, player: string, why: string}[], moves: string[], resigned: number|null}} SavedMatch */

/** Opens a match that was saved: JSON lines or SGF. @param {File} file */
export async function loadFile(file) {
  set({ trouble: '' });
  await orTell(async () => {
    const { records } = await call('POST', 'records', { text: await file.text(), name: file.name });
    const first = records[0];
    if (!first) throw new Error(`'${file.name}' holds no match`);
    await goOn(first);
  });
}

/** Opens a saved match with its players in their seats; without people it waits for somebody who lets it go on. @param {SavedMatch} saved */
async function goOn({ game, seed, seats, moves, resigned, lost }) {
  await open({ game, seed, seats, moves, resigned, paused: !seats.includes('human') });
  set({ view: 'play', searches: [], tab: 'moves' });
  const told = lost.map(({ seat, player, why }) => `Seat ${seat + 1} was ${player}, who cannot play here: ${why}. A person sits there now.`);
  if (told.length > 0) set({ trouble: told.join(' ') });
}

/** Opens a record to look at: people in all seats, so that nothing moves by itself. @param {{game: string, seed: number|string, players: string[], moves: string[]}} record */
export async function replay(record) {
  await open({ game: record.game, seed: record.seed, seats: record.players.map(() => 'human'), moves: record.moves });
  set({ view: 'play', searches: [], tab: 'moves' });
}

function switchTheme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.theme = dark ? 'light' : 'dark';
  localStorage.setItem('polymax-theme', root.dataset.theme);
}

export function setUpTools() {
  byId('copy-link').addEventListener('click', copyLink);
  byId('save').addEventListener('click', save);
  const input = /** @type {HTMLInputElement} */ (byId('load-file'));
  byId('load').addEventListener('click', () => input.click());
  input.addEventListener('change', () => {
    if (input.files?.[0]) void loadFile(input.files[0]);
    input.value = '';
  });
  byId('theme').addEventListener('click', switchTheme);
}
