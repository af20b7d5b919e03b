// What the tests of the page share: a server of the program under test, a browser, and clicks that play moves.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';

export const program = process.env.POLYMAX_PROGRAM ?? 'build/release/polymax';
export const shots = process.env.POLYMAX_SHOTS ?? 'build/screenshots';
mkdirSync(shots, { recursive: true });

/** Starts `polymax serve` on a free port (or the given one). */
export async function serve(port = 0, root = '.') {
  const web = process.env.POLYMAX_WEB ? ['--web', process.env.POLYMAX_WEB] : [];  // to work on the page without a build
  const child = spawn(program, ['serve', '--port', String(port), '--root', root, ...web], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  const [url] = await Promise.race([once(lines, 'line'), once(child, 'exit').then(() => { throw new Error('the server ended'); })]);
  return { url, pid: child.pid, port: Number(new URL(url).port), stop: async () => { if (child.exitCode !== null) return; const ended = once(child, 'exit'); child.kill('SIGTERM'); await ended; } };
}

export async function openBrowser() {
  return chromium.launch({
    executablePath: process.env.POLYMAX_CHROMIUM ?? '/usr/bin/chromium',
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync', `--crash-dumps-dir=${mkdtempSync('/tmp/polymax-crash-')}`],
    env: { ...process.env, HOME: mkdtempSync('/tmp/polymax-home-') },
  });
}

/** A page whose errors fail the test, as do requests to anywhere else. */
export async function openPage(browser, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(180000);  // nobody waits so long when all is well
  page.problems = [];
  page.on('pageerror', (error) => page.problems.push(String(error)));
  page.on('request', (request) => { if (!/^(http:\/\/127\.0\.0\.1|data:|blob:)/.test(request.url())) page.problems.push(`asked ${request.url()}`); });
  return page;
}

/** Opens a match by its link. */
export async function openMatch(page, url, truth) {
  const parts = new URLSearchParams({ game: truth.game, seats: truth.seats.join(';'), seed: String(truth.seed ?? 7) });
  if (truth.moves) parts.set('moves', truth.moves.join(','));
  await page.goto('about:blank');
  await page.goto(`${url}#play?${parts}`);
  await page.waitForSelector('.place');
  await lookInside(page);
  await page.evaluate(() => window.store.set({ confirm: false }));
}

/** Makes the page's store known to the functions that run in it. */
export const lookInside = (page) => page.evaluate(async () => { window.store = await import('./store.js'); });

export const matchOf = (page) => page.evaluate(() => window.store.state.match);

/** Waits until a person is to move or the match is over; returns the match. */
export async function myTurn(page, after = -1) {
  await page.waitForFunction((ply) => {
    const match = window.store.state.match;
    return match && match.moves.length > ply && (match.position.over || match.seats[match.position.to_move].person);
  }, after, { polling: 20 });
  return matchOf(page);
}

/** Where the middle of an element is; null: there is none. */
const middleOf = (page, selector) => page.evaluate((one) => {
  const box = document.querySelector(one)?.getBoundingClientRect();
  return box ? { x: box.x + box.width / 2, y: box.y + box.height / 2 } : null;
}, selector);

/** Plays one move by clicks alone, as a person would: cells one after the other, or a shape from the tray. */
export async function playByClicks(page, match) {
  const before = match.moves.length;
  if (await page.evaluate(() => !document.querySelector('#tray').hidden)) await playShape(page);
  else
    for (let clicks = 0; clicks < 5; ++clicks) {
      const at = await middleOf(page, '.place.legal');
      if (at) await page.mouse.click(at.x, at.y);
      const state = await page.evaluate(() => ({ picked: window.store.state.picked.length, moves: window.store.state.match.moves.length }));
      if (state.picked === 0 || state.moves > before) break;
    }
  return before;
}

async function playShape(page) {
  await page.locator('.tray-shape').first().click();
  const at = await middleOf(page, '.place.reach');
  await page.mouse.move(at.x, at.y);
  await page.locator('#tray-drop').click();
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** No complaint of axe-core; only: these rules alone. */
export async function accessible(page, what, only) {
  // the page's policy forbids inline scripts, axe comes through the debugger
  await page.evaluate(axe);
  const { violations } = await page.evaluate((rules) => axe.run(document, { runOnly: rules ?? ['wcag2a', 'wcag2aa', 'wcag21aa', 'best-practice'] }), only);
  assert.deepEqual(violations.map((one) => `${what}: ${one.id}: ${one.nodes[0].html.slice(0, 160)} ${one.nodes[0].failureSummary ?? ''}`), []);
}
