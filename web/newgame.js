// The dialogue of a new game: choose a board by its picture, its size, and who sits where.

import { open } from './api.js';
import { picture } from './board.js';
import { byId, h, shortTitle } from './dom.js';
import { seatIcon } from './pieces.js';
import { set, state } from './store.js';

/** @typedef {import('./types.js').Game} Game */

const dialog = /** @type {HTMLDialogElement} */ (byId('dialog'));

/** What a setting's text allows: a range of whole numbers or some words. @param {string} allowed */
export function choicesOf(allowed) {
  const range = /number from (-?\d+) to (-?\d+)/.exec(allowed);
  if (range) return { least: Number(range[1]), most: Number(range[2]), step: allowed.includes('even') ? 2 : 1 };
  const words = allowed.split(' | ').filter((word) => /^[a-z_]+$/.test(word));
  return words.length > 1 ? { words } : null;
}

/** A control for one setting of a game. @param {import('./types.js').Setting} setting */
function control(setting) {
  const choices = choicesOf(setting.allowed);
  if (!choices) return null;
  const input = 'words' in choices && choices.words
    ? h('select', { name: setting.key }, ...choices.words.map((word) => h('option', { value: word, selected: word === setting.preset }, word)))
    : h('input', { type: 'number', name: setting.key, min: choices.least, max: choices.most, step: choices.step, value: setting.preset });
  input.dataset.preset = setting.preset;
  return h('label', { class: 'setting', title: setting.help }, h('span', {}, setting.key === 'points' ? 'play for' : setting.help.split(/[,;:(]/)[0]), input);
}

/** The spec that the controls say. @param {Game} game @param {HTMLElement} form */
function specOf(game, form) {
  const parts = [];
  for (const input of form.querySelectorAll('.setting input, .setting select'))
    if (input instanceof HTMLInputElement || input instanceof HTMLSelectElement)
      if (input.value !== input.dataset.preset && input.value !== '') parts.push(`${input.name}=${input.value}`);
  return parts.length > 0 ? `${game.name}(${parts.join(',')})` : game.name;
}

/** @param {number} players @param {string[]} seats before */
function seatChoosers(players, seats) {
  return Array.from({ length: players }, (_, seat) => {
    const now = seats[seat] ?? (seat === 0 ? 'human' : 'casual');
    const custom = now !== 'human' && !state.levels.some((level) => level.name === now);
    return h('label', { class: 'seat-choice' }, seatIcon(seat), h('span', {}, `Seat ${seat + 1}`),
      h('select', { name: `seat-${seat}` }, h('option', { value: 'human', selected: now === 'human' }, 'Person'),
        ...state.levels.map((level) => h('option', { value: level.name, selected: level.name === now, title: level.help }, level.title)),
        custom && h('option', { value: now, selected: true }, now)));
  });
}

/** @param {Game} game @param {() => void} back */
function setup(game, back) {
  const form = h('form', { method: 'dialog', class: 'setup' });
  const seats = h('fieldset', { class: 'seat-choices' }, h('legend', {}, 'Who plays?'));
  const trouble = h('p', { class: 'trouble', role: 'alert' });
  let players = game.players;
  const refill = () => {
    const now = [...seats.querySelectorAll('select')].map((select) => select.value);
    seats.replaceChildren(h('legend', {}, 'Who plays?'), ...seatChoosers(players, now));
  };
  const settings = game.settings.map(control).filter((one) => one !== null);
  form.append(
    h('div', { class: 'setup-picture' }, picture(game.picture, `a board of ${game.title}`, game.shapes)),
    h('div', { class: 'setup-choices' }, seats, settings.length > 0 && h('fieldset', { class: 'settings' }, h('legend', {}, 'Board and rules'), ...settings), trouble,
      h('div', { class: 'dialog-buttons' }, h('button', { type: 'button', onclick: back }, 'Other game'), h('button', { type: 'submit', class: 'primary', id: 'start-game' }, 'Start'))),
  );
  refill();
  form.addEventListener('change', (event) => {
    if (event.target instanceof HTMLInputElement && event.target.name === 'players') {
      players = Math.max(2, Math.min(4, Number(event.target.value) || game.players));
      refill();
    }
  });
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const chosen = [...seats.querySelectorAll('select')].map((select) => select.value);
    try {
      await open({ game: specOf(game, form), seed: Math.floor(Math.random() * 1e6), seats: chosen, moves: [] });
      set({ view: 'play', searches: [] });
      dialog.close();
    } catch (error) {
      trouble.textContent = error instanceof Error ? error.message : String(error);
    }
  });
  return form;
}

/** @param {Game} game */
function show(game) {
  dialog.replaceChildren(head(game.title), setup(game, chooseGame));
  dialog.classList.remove('wide');
  byId('start-game').focus();
}

/** @param {string} title */
function head(title) {
  return h('header', { class: 'dialog-head' }, h('h2', { id: 'dialog-title' }, title), h('button', { type: 'button', class: 'tool close', 'aria-label': 'Close', onclick: () => dialog.close() }, '✕'));
}

/** All games with a picture each. */
export function chooseGame() {
  const tiles = state.games.map((game) => h('button', { type: 'button', class: 'game-tile', 'data-game': game.name, onclick: () => show(game) },
    picture(game.picture, '', game.shapes), h('span', { class: 'game-name' }, shortTitle(game.title)), h('span', { class: 'quiet' }, `${game.players} seats`)));
  dialog.replaceChildren(head('Choose a game'), h('div', { class: 'game-tiles' }, ...tiles));
  dialog.classList.add('wide');
  if (!dialog.open) dialog.showModal();
}

/** A new game of the one that is played. */
export function newGame() {
  const game = state.games.find((one) => one.name === state.match?.name);
  if (!game) return chooseGame();
  if (!dialog.open) dialog.showModal();
  show(game);
}
