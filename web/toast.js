// A line about what went wrong, over the page: goes by itself after a while, at a click, and when another tab is chosen.

import { byId, setText } from './dom.js';
import { set, state, subscribe } from './store.js';

const kShown = 8000, kBrief = 80, kLetter = 60;  // milliseconds; letters that they are enough for; milliseconds for each further one

/** How long a text is shown. @param {string} text */
export const shownFor = (text) => kShown + kLetter * Math.max(0, text.length - kBrief);

let timer = 0;

const hide = () => set({ trouble: '' });

/** From now on, unless somebody holds it. @param {HTMLElement} toast */
function wait(toast) {
  clearTimeout(timer);
  if (state.trouble !== '' && !toast.matches(':hover, :focus-within')) timer = window.setTimeout(hide, shownFor(state.trouble));
}

export function setUpToast() {
  const toast = byId('toast');
  toast.addEventListener('click', hide);
  for (const news of ['mouseenter', 'mouseleave', 'focusin']) toast.addEventListener(news, () => wait(toast));
  toast.addEventListener('focusout', () => setTimeout(() => wait(toast)));  // when the focus is elsewhere
  subscribe((now, before) => {
    if (now.trouble === before.trouble) {
      if (now.trouble !== '' && (now.view !== before.view || now.tab !== before.tab)) hide();
      return;
    }
    toast.hidden = now.trouble === '';
    setText(byId('toast-text'), now.trouble);
    wait(toast);
  });
}
