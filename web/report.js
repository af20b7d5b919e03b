// A report that the server writes, inside the page: as high as it is, and renewed without a jump.

import { h } from './dom.js';

/** @typedef {{room: HTMLElement, renew: () => void}} Report */

/** The report's colours as the page has them. @type {Record<string, string>} */
const kColours = { page: 'panel', card: 'panel', ink: 'ink', soft: 'quiet', line: 'line', accent: 'accent' };

/** Reports ask the system whether it is dark; what was chosen on the page counts more. @param {HTMLIFrameElement} frame */
function paint(frame) {
  const root = frame.contentDocument?.documentElement, own = getComputedStyle(document.documentElement);
  const theme = document.documentElement.dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
  for (const [theirs, ours] of Object.entries(kColours)) root?.style.setProperty(`--${theirs}`, own.getPropertyValue(`--${ours}`));
  root?.style.setProperty('color-scheme', theme);  // of the page's colours, which are for both
  for (const sheet of frame.contentDocument?.styleSheets ?? [])
    for (const rule of sheet.cssRules) {
      const { media } = /** @type {CSSMediaRule} */ (rule);
      if (!media || !(painted.has(rule) || media.mediaText.includes('prefers-color-scheme: dark'))) continue;
      painted.add(rule);
      media.mediaText = theme === 'dark' ? 'all' : 'not all';
    }
}
/** @type {WeakSet<CSSRule>} */
const painted = new WeakSet();
new MutationObserver(() => {
  for (const frame of document.querySelectorAll('iframe.report')) if (frame instanceof HTMLIFrameElement) paint(frame);
}).observe(document.documentElement, { attributeFilter: ['data-theme'] });

/** @param {string} title @param {string} address @returns {Report} */
export function report(title, address) {
  const room = h('div', { class: 'report-room' }, h('p', { class: 'quiet' }, 'The report is being written…'));
  let fit = () => '';  // of the frame that is shown
  const resized = new ResizeObserver(() => (room.isConnected ? fit() : resized.disconnect()));
  const renew = () => {
    // no scripts run in it; the same origin lets the page ask for its height
    const frame = h('iframe', { class: 'report loading', title, sandbox: 'allow-same-origin', src: address });
    frame.addEventListener('load', () => {
      fit = () => (frame.style.height = `${(frame.contentDocument?.documentElement.scrollHeight ?? 600) + frame.offsetHeight - frame.clientHeight}px`);
      paint(frame);
      frame.contentDocument?.querySelector('h1')?.setAttribute('hidden', '');  // the page says it
      fit();
      resized.observe(room);
      frame.classList.remove('loading');
      for (const other of [...room.children]) if (other !== frame) other.remove();
    });
    room.append(frame);
  };
  renew();
  return { room, renew };
}
