// The dialogue of a new game: choose a board by its picture, its size, and who sits where.

import { call, open } from './api.js';
import { picture } from './board.js';
import { head } from './dialog.js';
import { byId, h, shortTitle } from './dom.js';
import { chooseEngine, shortEngine } from './engine.js';
import { seatIcon } from './pieces.js';
import { set, state, subscribe } from './store.js';

/** @typedef {import('./types.js').Game} Game */

/** What a match can be worth, for people. @type {Record<string, string>} */
const kAims = { score: 'the score', depth: 'a quick win', gain: 'a win' };

const dialog = /** @type {HTMLDialogElement} */ (byId('dialog'));

/** What a setting's text allows: a range of whole numbers or some words. @param {string} allowed */
export function choicesOf(allowed) {
  const range = /number from (-?\d+) to (-?\d+)/.exec(allowed);
  if (range) return { least: Number(range[1]), most: Number(range[2]), step: allowed.includes('even') ? 2 : 1 };
  const words = allowed.split(' | ').filter((word) => /^[a-z_]+$/.test(word));
  return words.length > 1 ? { words } : null;
}

/** A control for one setting of a game. @param {import('./types.js').Setting} setting @param {string} now */
function control(setting, now) {
  const choices = choicesOf(setting.allowed);
  if (!choices) return null;
  const input = 'words' in choices && choices.words
    ? h('select', { name: setting.key }, ...choices.words.map((word) => h('option', { value: word, selected: word === now }, (setting.key === 'points' && kAims[word]) || word)))
    : h('input', { type: 'number', name: setting.key, min: choices.least, max: choices.most, step: choices.step, value: now });
  input.dataset.preset = setting.preset;
  return h('label', { class: 'setting', title: setting.help }, h('span', {}, setting.key === 'points' ? 'engines play for' : setting.help.split(/[,;:(]/)[0]), input);
}

/** The spec that the controls say. @param {Game} game @param {HTMLElement} form */
function specOf(game, form) {
  const parts = [];
  for (const input of form.querySelectorAll('.setting input, .setting select'))
    if (input instanceof HTMLInputElement || input instanceof HTMLSelectElement)
      if (input.value !== input.dataset.preset && input.value !== '') parts.push(`${input.name}=${input.value}`);
  return parts.length > 0 ? `${game.name}(${parts.join(',')})` : game.name;
}

/** @param {Game} game @param {number} players @param {string[]} seats before */
function seatChoosers(game, players, seats) {
  return Array.from({ length: players }, (_, seat) => {
    const now = seats[seat] ?? (seat === 0 ? 'human' : 'casual');
    const custom = now !== 'human' && !state.levels.some((level) => level.name === now);
    const select = h('select', { name: `seat-${seat}` }, h('option', { value: 'human', selected: now === 'human' }, 'Person'),
      ...state.levels.map((level) => h('option', { value: level.name, selected: level.name === now, title: level.help }, level.title)),
      custom && h('option', { value: now, selected: true }, shortEngine(now)), h('option', { value: 'custom' }, 'Custom…'));
    select.dataset.now = select.value;
    const help = h('span', { class: 'quiet level-help' });
    const tell = () => (help.textContent = state.levels.find((level) => level.name === select.value)?.help ?? (select.value === 'human' ? 'at this screen' : 'an engine by hand'));
    tell();
    select.addEventListener('change', () => {
      if (select.value === 'custom') void customSeat(game, seat, select);
      else select.dataset.now = select.value;
      tell();
    });
    return h('label', { class: 'seat-choice' }, seatIcon(seat), h('span', {}, `Seat ${seat + 1}`), select, help);
  });
}

/** @param {Game} game @param {number} seat @param {HTMLSelectElement} select */
async function customSeat(game, seat, select) {
  const before = select.dataset.now ?? 'human';
  select.value = before;
  const details = state.details?.name === game.name ? state.details : await call('GET', `games/${game.name}`);
  chooseEngine({ title: `The engine of seat ${seat + 1}`, text: before, details, use: (text) => {
    select.lastElementChild?.before(h('option', { value: text }, shortEngine(text)));
    select.value = select.dataset.now = text;
  } });
}

/** @param {Game} game @param {() => void} back */
function setup(game, back) {
  const form = h('form', { method: 'dialog', class: 'setup' });
  const seats = h('fieldset', { class: 'seat-choices' }, h('legend', {}, 'Who plays?'));
  const trouble = h('p', { class: 'trouble', role: 'alert' });
  const again = state.match?.name === game.name ? state.match : null, given = new Map([...(again?.game ?? '').matchAll(/([a-z_]+)=(\w+)/g)].map((found) => [found[1], found[2]]));
  let players = again?.seats.length ?? game.players;
  const refill = (/** @type {string[]} */ now = [...seats.querySelectorAll('select')].map((select) => select.value)) => {
    seats.replaceChildren(h('legend', {}, 'Who plays?'), ...seatChoosers(game, players, now));
  };
  const settings = game.settings.map((setting) => control(setting, given.get(setting.key) ?? setting.preset)).filter((one) => one !== null);
  form.append(
    h('div', { class: 'setup-picture' }, picture(game.picture, `a board of ${game.title}`, game.shapes), game.aim && h('p', { class: 'quiet' }, `Aim: ${game.aim}`)),
    h('div', { class: 'setup-choices' }, seats, settings.length > 0 && h('fieldset', { class: 'settings' }, h('legend', {}, 'Board and rules'), ...settings), trouble,
      h('div', { class: 'dialog-buttons' }, h('button', { type: 'button', onclick: back }, 'Other game'), h('button', { type: 'submit', class: 'primary', id: 'start-game' }, 'Start'))),
  );
  refill(again?.seats.map((seat) => seat.text) ?? []);
  form.addEventListener('change', (event) => {
    if (event.target instanceof HTMLInputElement && event.target.name === 'players') {
      players = Math.max(2, Math.min(4, Number(event.target.value) || game.players));
      refill();
    }
  });
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const chosen = [...seats.querySelectorAll('select')].map((select) => select.value);
    const before = state.match?.name;
    try {
      await open({ game: specOf(game, form), seed: Math.floor(Math.random() * 1e6), seats: chosen, moves: [] });
      set({ view: 'play', searches: [], tab: state.match?.name === before ? state.tab : 'rules' });
      dialog.close();
    } catch (error) {
      trouble.textContent = error instanceof Error ? error.message : String(error);
    }
  });
  return form;
}

/** @param {Game} game */
function show(game) {
  dialog.replaceChildren(head(dialog, game.title), setup(game, chooseGame));
  dialog.classList.remove('wide');
  byId('start-game').focus();
}

/** @param {Game} game */
function tile(game) {
  return h('button', { type: 'button', class: 'game-tile', 'data-game': game.name, title: game.aim, onclick: () => show(game) },
    picture(game.picture, '', game.shapes), h('span', { class: 'game-name' }, shortTitle(game.title)), h('span', { class: 'quiet' }, `${game.players} seats`));
}

function bringUp() {
  if (dialog.open) return;
  set({ trouble: '' });  // what was told about before
  dialog.showModal();
}

/** All games with a picture each, those of many seats first. */
export function chooseGame() {
  const some = (/** @type {string} */ title, /** @type {Game[]} */ games) => (games.length > 0 ? [h('h3', {}, title), h('div', { class: 'game-tiles' }, ...games.map(tile))] : []);
  const waiting = state.games.length === 0 ? [h('p', { class: 'quiet waiting', role: 'status' }, 'The boards are being drawn; one moment.')] : [];
  dialog.replaceChildren(head(dialog, 'Choose a game'), h('div', { class: 'game-groups' }, ...waiting,
    ...some('Three and four seats', state.games.filter((game) => game.players > 2)), ...some('Two seats', state.games.filter((game) => game.players <= 2))));
  dialog.classList.add('wide');
  bringUp();
}

subscribe((now, before) => now.games !== before.games && dialog.open && dialog.querySelector('.waiting') && chooseGame());

/** A new game of the one that is played. */
export function newGame() {
  const game = state.games.find((one) => one.name === state.match?.name);
  if (!game) return chooseGame();
  bringUp();
  show(game);
}
