// An engine by hand: which search, what values positions, what it may spend on a move. The controls write a seat's text,
// which can be typed as well; what the server says against it is shown in place.

import { head, upper } from './dialog.js';
import { h } from './dom.js';

/** @typedef {{search: string, evaluator: string, unit: string, amount: string}} Engine */

const kPreset = 'unbounded_maxn@seconds=2';

/** What the controls can say of a seat's text; '' where it says nothing. @param {string} text @returns {Engine} */
export function engineOf(text) {
  const at = text.lastIndexOf('@'), spec = at < 0 ? text : text.slice(0, at);
  const spend = at < 0 ? null : /^(evals|seconds)=([0-9.]+)$/.exec(text.slice(at + 1));
  return {
    search: /^[a-z0-9_]*/.exec(spec)?.[0] ?? '',
    evaluator: /\beval=([a-z0-9_]+)/.exec(spec)?.[1] ?? '',
    unit: spend?.[1] ?? 'seconds',
    amount: spend?.[2] ?? '',
  };
}

/** @param {Engine} engine */
export function textOf({ search, evaluator, unit, amount }) {
  return `${search}${evaluator ? `(eval=${evaluator})` : ''}@${unit}=${amount || 1}`;
}

/** An engine's text for a narrow place: without settings. @param {string} text */
export function shortEngine(text) {
  const { search, evaluator } = engineOf(text);
  return evaluator ? `${search} · ${evaluator}` : search;
}

/** @param {string} label @param {...Node} controls */
const field = (label, ...controls) => h('label', { class: 'setting' }, h('span', {}, label), ...controls);

/** @param {string} value @param {string} text @param {string} now */
const option = (value, text, now) => h('option', { value, selected: value === now }, text);

/**
 * @typedef {object} Wanted
 * @property {string} title
 * @property {string} text  of the seat now
 * @property {import('./types.js').GameDetails} details
 * @property {(text: string) => Promise<void>|void} use  throws when the text is wrong
 * @property {() => void} [closed]
 */

/** @param {Wanted} wanted */
export function chooseEngine({ title, text, details, use, closed }) {
  const dialog = upper(), start = text.includes('@') || details.searches.some((one) => one.name === engineOf(text).search) ? text : kPreset;
  const now = engineOf(start);
  const search = h('select', {}, ...details.searches.map((one) => option(one.name, `${one.name}: ${one.title}`, now.search)));
  const evaluator = h('select', {});
  const amount = h('input', { type: 'number', min: 0, step: 'any', value: now.amount || 1, 'aria-label': 'how much' });
  const unit = h('select', { 'aria-label': 'of what' }, option('seconds', 'seconds a move', now.unit), option('evals', 'evaluations a move', now.unit));
  const typed = h('input', { type: 'text', class: 'spec', spellcheck: 'false', autocomplete: 'off', maxlength: 512, value: start, 'aria-describedby': 'engine-help engine-trouble' });
  const trouble = h('p', { class: 'trouble', id: 'engine-trouble', role: 'alert' });
  const fillEvaluators = (/** @type {string} */ chosen) => {
    const values = details.searches.find((one) => one.name === search.value)?.settings.some((one) => one.key === 'eval');
    evaluator.disabled = !values;
    evaluator.replaceChildren(option('', values ? 'as usual' : 'nothing', chosen),
      ...(values ? details.evaluators.filter((one) => one.name !== 'network' || chosen === 'network').map((one) => option(one.name, `${one.name}: ${one.title}`, chosen)) : []));
  };
  fillEvaluators(now.evaluator);
  const rewrite = () => (typed.value = textOf({ search: search.value, evaluator: evaluator.value, unit: unit.value, amount: amount.value }));
  search.addEventListener('change', () => (fillEvaluators(''), rewrite()));
  evaluator.addEventListener('change', rewrite);
  for (const one of [amount, unit]) one.addEventListener('input', () => (typed.value = `${typed.value.replace(/@[^@]*$/, '')}@${unit.value}=${amount.value || 1}`));
  const form = h('form', { method: 'dialog', class: 'engine' },
    field('Search', search), field('Values positions by', evaluator), h('div', { class: 'setting' }, h('span', {}, 'May spend'), h('span', { class: 'spend' }, amount, unit)),
    h('label', { class: 'stacked' }, h('span', {}, 'The same as a text'), typed),
    h('p', { class: 'quiet', id: 'engine-help' }, 'A search with its settings, then @ and a budget: ', h('code', {}, 'mcts(c=0.5,eval=playouts)@evals=2000'), '. A network: ', h('code', {}, `eval=network(file="nets/${details.name}/default.safetensors")`), ', a file below the served folder.'),
    trouble,
    h('div', { class: 'dialog-buttons' }, h('button', { type: 'button', onclick: () => dialog.close() }, 'Cancel'), h('button', { type: 'submit', class: 'primary', id: 'use-engine' }, 'Use it')));
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    trouble.textContent = '';
    try {
      await use(typed.value.trim());
      dialog.close();
    } catch (error) {
      trouble.textContent = error instanceof Error ? error.message : String(error);
      typed.focus();
    }
  });
  dialog.replaceChildren(head(dialog, title), form);
  if (closed) dialog.addEventListener('close', closed, { once: true });
  dialog.showModal();
  search.focus();
}
