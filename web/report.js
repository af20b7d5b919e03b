// A report that the server writes, inside the page: as high as it is, and renewed without a jump.

import { h } from './dom.js';

/** @typedef {{room: HTMLElement, renew: () => void}} Report */

/** @param {string} title @param {string} address @returns {Report} */
export function report(title, address) {
  const room = h('div', { class: 'report-room' }, h('p', { class: 'quiet' }, 'The report is being written…'));
  const renew = () => {
    // no scripts run in it; the same origin lets the page ask for its height
    const frame = h('iframe', { class: 'report loading', title, sandbox: 'allow-same-origin', src: address });
    frame.addEventListener('load', () => {
      const fit = () => (frame.style.height = `${frame.contentDocument?.documentElement.scrollHeight ?? 600}px`);
      fit();
      new ResizeObserver(fit).observe(room);
      frame.classList.remove('loading');
      for (const other of [...room.children]) if (other !== frame) other.remove();
    });
    room.append(frame);
  };
  renew();
  return { room, renew };
}
