// Dialogues: their head with a way out, and a question with yes and no.

import { byId, h } from './dom.js';

/** @param {HTMLDialogElement} dialog @param {string} title */
export function head(dialog, title) {
  return h('header', { class: 'dialog-head' }, h('h2', { id: `${dialog.id}-title` }, title), h('button', { type: 'button', class: 'tool close', 'aria-label': 'Close', onclick: () => dialog.close() }, '✕'));
}

/** The dialogue that may lie over the other one. */
export const upper = () => /** @type {HTMLDialogElement} */ (byId('upper'));

/** Whether a person says yes. @param {string} question @param {string} yes what the button says @returns {Promise<boolean>} */
export function ask(question, yes) {
  return new Promise((resolve) => {
    const dialog = upper();
    let answer = false;
    const sure = h('button', { type: 'button', class: 'primary', onclick: () => ((answer = true), dialog.close()) }, yes);
    dialog.replaceChildren(head(dialog, question), h('div', { class: 'dialog-buttons' }, h('button', { type: 'button', onclick: () => dialog.close() }, 'Cancel'), sure));
    dialog.addEventListener('close', () => resolve(answer), { once: true });
    dialog.showModal();
    sure.focus();
  });
}
