// The page in a real browser: undo, hint, analysis, keyboard, phone, reload, restart of the server, accessibility. Run by ./test;
// node --test tests/web/page_test.mjs runs it alone.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { accessible, lookInside, matchOf, myTurn, openBrowser, openMatch, openPage, playByClicks, program, serve, shots } from './browser.mjs';

let server, browser;
before(async () => {
  server = await serve();
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

test('undo, redo, hint, stepping back, going on from there', async () => {
  const page = await openPage(browser);
  await openMatch(page, server.url, { game: 'othello(n=6)', seats: ['human', 'random'] });
  let match = await myTurn(page);
  match = await myTurn(page, await playByClicks(page, match));
  const played = match.moves.length;
  await page.locator('#undo').click();
  await page.waitForFunction(() => document.querySelectorAll('.move.undone').length > 0);
  assert.equal((await matchOf(page)).moves.length, 0);
  await page.locator('#redo').click();
  await page.waitForFunction((n) => document.querySelectorAll('#move-list button.move').length === n + 1, played);
  await page.locator('#hint').click();
  await page.waitForSelector('.hint', { state: 'attached' });
  await page.locator('#move-list button').first().click();
  await page.waitForFunction(() => document.querySelector('#status')?.textContent === 'The start.');
  await page.locator('#move-list button').nth(1).click();
  await page.waitForFunction((n) => document.querySelector('#status')?.textContent === `Move 1 of ${n}.`, played);
  await page.locator('#pause').click();
  await page.waitForFunction(() => document.querySelectorAll('.move.undone').length > 0);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test('analysis with two searches, variation, mistakes', async () => {
  const page = await openPage(browser);
  await openMatch(page, server.url, { game: 'tictactoe', seats: ['human', 'human'], moves: ['b2', 'b1', 'a1', 'c3', 'a3', 'a2', 'c1'] });
  await page.locator('#tab-analysis').click();
  await page.locator('#review').click();
  await page.waitForSelector('.curve-dot', { state: 'attached' });
  await page.waitForFunction(() => window.store.state.review && !window.store.state.review.running);
  await page.locator('#mistakes button').first().click();
  await page.waitForFunction(() => /was better/.test(document.querySelector('#status')?.textContent ?? ''));
  await page.waitForSelector('.ghost', { state: 'attached' });
  await page.locator('#curve').click({ position: { x: 60, y: 40 } });
  await page.waitForFunction(() => window.store.state.shown !== null);
  await page.waitForFunction(() => document.querySelector('#search-b')?.childElementCount > 2);
  await page.locator('#search-a').selectOption({ label: 'maxn' });
  await page.locator('#search-b').selectOption({ label: 'mcts' });
  await page.locator('#analyse').click();
  await page.waitForFunction(() => document.querySelectorAll('.search .chip').length > 1 && document.querySelectorAll('.best-moves').length === 2);
  await page.waitForFunction(() => window.store.state.analysis.every((thought) => thought));
  const [left, right] = await page.evaluate(() => [...document.querySelectorAll('.search')].map((one) => one.getBoundingClientRect().toJSON()));
  assert.ok(left.y === right.y && left.right <= right.x, 'side by side');
  await page.locator('tr[data-move]').first().hover();
  await page.waitForSelector('.ghost', { state: 'attached' });
  await page.locator('.search .chip').first().hover();
  await page.mouse.down();
  await page.waitForTimeout(600);  // thoughts arrive while the button is held
  await page.mouse.up();
  await page.waitForFunction(() => window.store.state.shown?.kind === 'variation');
  await page.screenshot({ path: `${shots}/analysis.png` });
  await accessible(page, 'analysis');
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test('the keyboard alone', async () => {
  const page = await openPage(browser);
  await openMatch(page, server.url, { game: 'hex(n=3)', seats: ['human', 'human'] });
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  let match = await myTurn(page, 0);
  assert.equal(match.moves.length, 1);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  match = await myTurn(page, 1);
  await page.keyboard.press('u');
  await page.waitForFunction(() => document.querySelectorAll('.move.undone').length === 1);
  await openMatch(page, server.url, { game: 'blokus', seats: ['human', 'human', 'human', 'human'] });
  await page.keyboard.press('r');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await myTurn(page, 0);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test('a phone with taps alone', async () => {
  const page = await openPage(browser, { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
  await openMatch(page, server.url, { game: 'fish(players=2)', seats: ['human', 'random'] });
  const match = await myTurn(page);
  await page.locator('.place.legal').first().tap({ force: true });
  await myTurn(page, match.moves.length);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing sticks out');
  await page.screenshot({ path: `${shots}/phone-fish.png` });
  await accessible(page, 'phone');
  await openMatch(page, server.url, { game: 'blokus', seats: ['human', 'random', 'random', 'random'] });
  await page.locator('.tray-shape').first().tap();
  await page.locator('[data-cell="b19"]').tap({ force: true });
  await page.locator('#tray-drop').tap();
  await myTurn(page, 0);
  await page.screenshot({ path: `${shots}/phone-blokus.png` });
  // as a phone has it: a tap shows the move, a second one plays it, of one cell and of two
  await openMatch(page, server.url, { game: 'amazons(n=4)', seats: ['human', 'human'] });
  await page.evaluate(() => window.store.set({ confirm: true }));
  for (let moves = 0; moves < 4; ++moves) {
    for (let taps = 0; taps < 3 && !(await page.evaluate(() => window.store.state.preview)); ++taps) await page.locator('.place.legal').first().tap({ force: true });
    assert.equal((await matchOf(page)).moves.length, moves, 'it waits for the second tap');
    const last = await page.evaluate(() => window.store.state.picked.at(-1));
    await page.locator(`[data-cell="${last}"]`).tap({ force: true });
    await myTurn(page, moves);
  }
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test('a new game from the dialogue, in light and dark, without complaints of axe', async () => {
  for (const colorScheme of ['light', 'dark']) {
    const only = colorScheme === 'dark' ? { type: 'rule', values: ['color-contrast'] } : undefined;  // all else is as in the light
    const page = await openPage(browser, { colorScheme });
    let deliver;  // the games come late, when somebody wants to see them already
    const delivered = new Promise((go) => (deliver = go));
    await page.route('**/api/games', async (route) => (await delivered, route.continue()));
    await page.goto(server.url);
    await page.waitForSelector('.card');
    await accessible(page, colorScheme, only);
    await page.locator('#choose-game').click();
    await page.waitForSelector('.waiting');
    deliver();
    await page.waitForSelector('.game-tile');
    await accessible(page, `${colorScheme} games`, only);
    await page.screenshot({ path: `${shots}/games-${colorScheme}.png` });
    await page.locator('[data-game=quadrothello]').click();
    await page.locator('input[name=n]').fill('8');
    await accessible(page, `${colorScheme} new game`, only);
    await page.locator('#start-game').click();
    await page.waitForFunction(() => document.querySelectorAll('.place').length === 64);
    await lookInside(page);
    assert.equal((await matchOf(page)).game, 'quadrothello(n=8)');
    await page.locator('#tab-rules').click();
    await page.waitForSelector('.rule-board .picture');
    await accessible(page, `${colorScheme} rules`, only);
    await page.screenshot({ path: `${shots}/play-${colorScheme}.png` });
    for (const view of ['studies', 'training']) {
      await page.locator(`[data-view=${view}]`).click();
      await page.waitForSelector(`#view-${view} h2`);
      await accessible(page, `${colorScheme} ${view}`, only);
    }
    assert.deepEqual(page.problems, []);
    await page.context().close();
  }
});

test('an engine by hand, refused and taken; giving up', async () => {
  const page = await openPage(browser);
  await openMatch(page, server.url, { game: 'hex(n=4)', seats: ['human', 'human'] });
  await page.waitForFunction(() => window.store.state.details?.name === 'hex');
  await page.locator('.who').nth(1).selectOption('custom');
  await page.locator('.spec').fill('nobody@evals=10');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => /nobody/.test(document.querySelector('#engine-trouble')?.textContent ?? ''));
  await accessible(page, 'engine');
  await page.locator('.engine select').first().selectOption('mcts');
  await page.locator('.spend select').selectOption('evals');
  await page.locator('.spend input').fill('30');
  assert.equal(await page.locator('.spec').inputValue(), 'mcts@evals=30');
  await page.locator('#use-engine').click();
  await page.waitForFunction(() => window.store.state.match.seats[1].text === 'mcts@evals=30');
  await page.locator('.who').nth(0).selectOption('custom');
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => document.querySelector('.who').value === 'human');
  await page.locator('#resign').click();
  await page.locator('#upper .primary').click();
  await page.waitForFunction(() => window.store.state.match.resigned === 0);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

/** A study that is chosen several times is asked for as often as one that is chosen once. @param {string} url */
async function chosenAgain(url) {
  const page = await openPage(browser);
  await page.clock.install();
  let asked = 0;
  page.on('request', (request) => { if (request.url().includes('studies/progress')) ++asked; });
  await page.goto(`${url}#studies`);
  for (let clicks = 0; clicks < 4; ++clicks) {
    await page.locator('.folder').first().click();
    await page.waitForFunction(() => /^8 of 8 /.test(document.querySelector('#study-facts')?.textContent ?? ''));
  }
  asked = 0;
  await page.clock.fastForward(4500);
  await page.waitForFunction(() => true);
  assert.ok(asked === 1 || asked === 2, `once every four seconds, not ${asked} times`);
  await page.context().close();
}

test('a study and its matches; a run of learning, where there is torch', async (t) => {
  const root = mkdtempSync(join(tmpdir(), 'polymax-root-'));
  const polymax = (/** @type {string[]} */ ...args) => execFileSync(resolve(program), args, { cwd: root, stdio: 'ignore' });
  mkdirSync(join(root, 'small'));
  writeFileSync(join(root, 'small/study.json'), JSON.stringify({ title: 'A small study', games: ['fish(players=2)'], players: ['mcts'], benchmark: 'random', networks: { evaluator: 'estimate' },
    budget: 'evals=10', functions: 1, opening: 2, repetitions: 4, seed: 1 }));
  polymax('study', 'run', 'small');
  const torch = existsSync(join(dirname(resolve(program)), 'libpolymax_torch.so'));
  if (torch) polymax('train', 'tictactoe', '--matches', '4', '--budget', 'evals=10', '--parallel', '1', '--threads', '1', '--out', 'run');
  const own = await serve(0, root);
  t.after(own.stop);
  const page = await openPage(browser);
  await page.goto(`${own.url}#studies`);
  await page.locator('.folder').first().click();
  await page.waitForFunction(() => /^8 of 8 /.test(document.querySelector('#study-facts')?.textContent ?? ''));
  assert.match(await page.locator('#study h2').innerText(), /A small study/);
  await page.waitForSelector('#study iframe.report:not(.loading)');
  assert.ok(await page.evaluate(() => {
    const frame = document.querySelector('#study iframe.report'), inside = frame.contentDocument?.documentElement;
    return inside?.querySelector('svg') && frame.clientHeight >= inside.scrollHeight && !frame.contentDocument.querySelector('script');
  }), 'the whole report with its plots');
  await page.screenshot({ path: `${shots}/study.png` });
  for (const theme of ['dark', 'light']) {
    const [inside, panel] = await page.evaluate(async (chosen) => {
      document.documentElement.dataset.theme = chosen;
      await new Promise((done) => setTimeout(done));  // who watches the theme is told
      const own = document.body.appendChild(document.createElement('i'));
      own.style.background = 'var(--panel)';
      const out = [document.querySelector('#study iframe.report').contentDocument.body, own].map((part) => getComputedStyle(part).backgroundColor);
      own.remove();
      return out;
    }, theme);
    assert.equal(inside, panel, `the report has the page's colours, ${theme}`);
    assert.equal(panel, theme === 'dark' ? 'rgb(28, 30, 33)' : 'rgb(255, 254, 251)');
  }
  await page.locator('.played summary').click();
  await page.locator('.filters select').nth(1).selectOption('mcts');
  await page.waitForFunction(() => /^8 matches/.test(document.querySelector('.filters .quiet')?.textContent ?? ''));
  await page.locator('.played button').first().click();
  await page.waitForSelector('.place');
  await lookInside(page);
  assert.ok((await matchOf(page)).position.over, 'the replayed match is whole');
  if (torch) {
    await page.locator('[data-view=training]').click();
    await page.locator('#view-training .folder').first().click();
    await page.waitForSelector('#run iframe.report:not(.loading)');
    await page.screenshot({ path: `${shots}/training.png` });
    await page.locator('#run .primary').click();
    await page.waitForFunction(() => window.store.state.view === 'play' && /network/.test(window.store.state.match.seats[1].text));
    await myTurn(page, await playByClicks(page, await matchOf(page)));
  }
  assert.deepEqual(page.problems, []);
  await page.context().close();
  await chosenAgain(own.url);
  await own.stop();
  rmSync(root, { recursive: true });
});

/** Gives the page a file to open. */
const openFile = (page, name, text) => page.locator('#load-file').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });

test('a saved match is opened with its players, and who cannot play is named', async () => {
  const page = await openPage(browser);
  const seats = ['human', 'casual', 'mcts@evals=20'];
  await openMatch(page, server.url, { game: 'fish', seats });
  const [download] = await Promise.all([page.waitForEvent('download'), page.locator('#save').click()]);
  const saved = readFileSync(await download.path(), 'utf8'), { id } = await matchOf(page);
  await openFile(page, 'fish.sgf', saved);
  await page.waitForFunction((old) => window.store.state.match.id !== old, id);
  assert.deepEqual((await matchOf(page)).seats.map((seat) => seat.text), seats);
  assert.ok(!(await matchOf(page)).paused);
  assert.ok(await page.locator('#toast').isHidden());
  await openFile(page, 'other.sgf', saved.replace(/P1\[human\]P2\[[^\]]*\]/, 'P1[mcts]P2[nobody]').replace(/B2\[[^\]]*\]/, ''));
  await page.waitForFunction(() => /Seat 2 was nobody/.test(document.querySelector('#toast').textContent));
  assert.deepEqual((await matchOf(page)).seats.map((seat) => seat.text), ['mcts@seconds=1', 'human', 'mcts@evals=20']);
  await page.screenshot({ path: `${shots}/opened.png` });
  await accessible(page, 'a message');
  await openFile(page, 'engines.sgf', saved.replace('P1[human]', 'P1[mcts]'));
  await page.waitForFunction(() => window.store.state.match.seats.every((seat) => !seat.person));
  assert.ok((await matchOf(page)).paused, 'engines alone wait');
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test('a message names the file and goes by itself, not while it is held, and with its tab', async () => {
  const page = await openPage(browser);
  await page.clock.install();
  await openMatch(page, server.url, { game: 'tictactoe', seats: ['human', 'human'] });
  const toast = page.locator('#toast'), told = () => toast.waitFor({ state: 'visible' }), gone = () => toast.waitFor({ state: 'hidden' });
  await openFile(page, 'mine.sgf', 'nonsense');
  await told();
  assert.match(await toast.innerText(), /'mine\.sgf': line 1: a game begins with/);
  await page.clock.fastForward(7000);
  assert.ok(await toast.isVisible());
  await page.clock.fastForward(2000);
  await gone();
  await openFile(page, 'mine.sgf', 'nonsense');
  await told();
  await toast.hover();
  await page.clock.fastForward(60000);
  assert.ok(await toast.isVisible(), 'while the mouse is over it');
  await page.locator('.toast-close').focus();
  await page.mouse.move(5, 500);
  await page.clock.fastForward(60000);
  assert.ok(await toast.isVisible(), 'while it has the focus');
  await page.keyboard.press('Enter');
  await gone();
  for (const away of ['#tab-rules', '[data-view=studies]', '[data-view=play]', '#new-game']) {
    await openFile(page, 'mine.jsonl', 'nonsense');
    await told();
    assert.match(await toast.innerText(), /'mine\.jsonl' line 1/);
    await page.locator(away).click();
    await gone();
  }
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test('what is wrong with a link is said', async () => {
  const page = await openPage(browser);
  for (const [hash, words] of [['#play?id=zzzz', /zzzz is not open any more/], ['#bogus', /#bogus/], ['#play?game=hex&seed=-1', /seed=-1 is no whole number/], ['#play?game=nothing', /nothing/]]) {
    await page.goto('about:blank');
    await page.goto(server.url + hash);
    await page.waitForSelector('.place');
    await page.waitForFunction(() => !document.querySelector('#toast').hidden);
    assert.match(await page.locator('#toast').innerText(), words);
  }
  await page.screenshot({ path: `${shots}/link.png` });
  await lookInside(page);
  const { id } = await matchOf(page);
  await page.evaluate(() => (location.hash = '#nothing-here'));
  await page.waitForFunction(() => /#nothing-here/.test(document.querySelector('#toast').textContent));
  assert.equal((await matchOf(page)).id, id, 'the match stays');
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test('a study without moves says so', async (t) => {
  const own = await serve(0, 'studies');
  t.after(own.stop);
  const page = await openPage(browser);
  await page.goto(`${own.url}#studies`);
  await page.locator('[data-folder="puct-500"]').click();
  await page.waitForSelector('#moveless');
  assert.match(await page.locator('#moveless').innerText(), /published results hold no moves/);
  assert.ok(await page.locator('.played').isHidden());
  await page.screenshot({ path: `${shots}/moveless.png` });
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test('reload and a restart of the server lose nothing', async (t) => {
  const own = await serve();
  t.after(own.stop);
  const page = await openPage(browser);
  await openMatch(page, own.url, { game: 'hex3(side=3)', seats: ['human', 'random', 'random'] });
  let match = await myTurn(page);
  match = await myTurn(page, await playByClicks(page, match));
  await page.reload();
  await page.waitForSelector('.place');
  await lookInside(page);
  assert.deepEqual((await myTurn(page)).moves, match.moves);
  await page.locator('#pause').click();
  await page.waitForFunction(() => window.store.state.match.paused);
  await own.stop();
  await page.evaluate(() => window.store.set({ review: { plies: [], running: true } }));  // one that was interrupted
  const again = await serve(own.port);
  t.after(again.stop);
  await page.waitForFunction((id) => window.store.state.online && window.store.state.match.id !== id, match.id, { timeout: 60000 });
  assert.deepEqual((await matchOf(page)).moves, match.moves);
  assert.ok((await matchOf(page)).paused, 'engines wait as before');
  await page.waitForFunction(() => window.store.state.review.plies.length > 0 && !window.store.state.review.running);
  await page.locator('#pause').click();  // go on
  await page.waitForFunction(() => !window.store.state.match.paused);
  await myTurn(page, await playByClicks(page, await matchOf(page)));
  await page.context().close();
  await again.stop();
});
