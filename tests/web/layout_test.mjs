// Where things lie in windows of every size, that nothing jumps while a match goes on, that shapes and drawers work, what moves and what does not.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accessible, matchOf, myTurn, openBrowser, openMatch, openPage, playByClicks, serve, shots } from './browser.mjs';

let server, browser;
before(async () => {
  server = await serve();
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

/** Boxes of elements, in pixels of the page. */
const boxes = (page, selectors) => page.evaluate((all) => Object.fromEntries(all.map((one) => {
  const { x, y, width, height } = document.querySelector(one).getBoundingClientRect();
  return [one, [x, y + scrollY, width, height].map(Math.round)];
})), selectors);

const sizes = [[360, 640], [360, 740], [390, 844], [740, 360], [820, 1180], [1024, 768], [1280, 720], [1440, 900], [3840, 2160]];

test('from 360 pixels to 4K everything is there and nothing sticks out', async () => {
  const page = await openPage(browser);
  for (const game of ['quadrothello', 'blokus', 'hex3']) {
    await openMatch(page, server.url, { game, seats: ['human', ...Array(game === 'hex3' ? 2 : 3).fill('human')] });
    for (const [width, height] of sizes) {
      await page.setViewportSize({ width, height });
      const at = `${game} ${width}x${height}`;
      // the board is large and, like the line of words, seen without scrolling
      const settled = page.waitForFunction(() => {
        const [board, status] = ['#board', '#status'].map((one) => document.querySelector(one).getBoundingClientRect());
        return board.width >= 0.55 * Math.min(innerWidth, innerHeight) && board.right <= innerWidth && board.bottom <= innerHeight && status.bottom <= innerHeight;
      });
      await settled.catch(async () => assert.fail(`${at}: ${JSON.stringify(await boxes(page, ['#board', '#status']))}`));
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${at}: nothing sticks out`);
      // a shape can be chosen, turned and put down where it is seen
      if (game === 'blokus') assert.ok(await page.evaluate(() => {
        const side = document.querySelector('#side'), end = getComputedStyle(side).position === 'fixed' ? side.getBoundingClientRect().top : innerHeight;
        return ['.tray-shape', '#tray-turn', '#tray-flip', '#tray-drop'].every((one) => document.querySelector(one).getBoundingClientRect().bottom <= end);
      }), `${at}: the tray is seen`);
      if (game !== 'hex3') await page.screenshot({ path: `${shots}/${game}-${width}x${height}.png` });
    }
  }
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

for (const [name, options] of [['a desk', {}], ['a phone', { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }]])
  test(`on ${name} nothing jumps while a match goes on`, async () => {
    const page = await openPage(browser, options);
    for (const game of ['quadamazons(n=8)', 'blokus']) {
      await openMatch(page, server.url, { game, seats: ['human', 'random', 'greedy@evals=20', 'random'] });
      const fixed = ['#board', '.say', '.actions', '#side', '.card:nth-child(1)', '.card:nth-child(4)', '#pause', ...(game === 'blokus' ? ['#tray', '#tray-turn'] : [])];
      let match = await myTurn(page);
      const before = await boxes(page, fixed);
      for (let turns = 0; turns < 4 && !match.position.over; ++turns) {
        match = await myTurn(page, await playByClicks(page, match));
        await page.locator('#hint').scrollIntoViewIfNeeded();
        await page.evaluate(() => scrollTo(0, 0));
        assert.deepEqual(await boxes(page, fixed.filter((one) => one !== '.say')), Object.fromEntries(Object.entries(before).filter(([one]) => one !== '.say')), `${game} after ${match.moves.length} moves`);
        assert.equal((await boxes(page, ['.say']))['.say'][3], before['.say'][3], 'the line of words keeps its height');
      }
    }
    await page.context().close();
  });

test('the aim is read to its end on a phone', async () => {
  for (const width of [360, 390]) {
    const page = await openPage(browser, { viewport: { width, height: 740 }, hasTouch: true, isMobile: true });
    for (const [game, seats] of [['teamhex', 4], ['triinversion', 3]]) {
      await openMatch(page, server.url, { game, seats: Array(seats).fill('human') });
      await page.waitForFunction(() => /^Aim: /.test(document.querySelector('#aside').textContent));
      assert.ok(await page.evaluate(() => {
        const aside = document.querySelector('#aside'), say = document.querySelector('.say').getBoundingClientRect();
        return aside.scrollHeight <= aside.clientHeight + 1 && aside.scrollWidth <= aside.clientWidth && aside.getBoundingClientRect().bottom <= say.bottom + 1;
      }), `${game} at ${width}`);
      await page.screenshot({ path: `${shots}/aim-${game}-${width}.png` });
    }
    await page.context().close();
  }
});

test('a drawer and a menu on a phone', async () => {
  const page = await openPage(browser, { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
  await openMatch(page, server.url, { game: 'hex3(side=5)', seats: ['human', 'random', 'random'] });
  assert.ok(await page.locator('#panel-moves').isHidden());
  await page.locator('#tab-analysis').tap();
  await page.locator('#analyse').tap();
  await page.waitForSelector('.best-moves');
  await page.waitForFunction(() => document.querySelector('#board').getBoundingClientRect().bottom <= document.querySelector('#side').getBoundingClientRect().top);
  await page.screenshot({ path: `${shots}/phone-drawer.png` });
  await accessible(page, 'drawer');
  await page.locator('#tab-analysis').tap();
  await page.waitForSelector('#panel-analysis', { state: 'hidden' });
  await page.locator('#menu').tap();
  await accessible(page, 'menu');
  await page.locator('[data-view=studies]').tap();
  await page.waitForSelector('#view-studies h2');
  assert.ok(await page.locator('#menu-items').isHidden());
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test('mistakes of a match in the drawer of a phone', async () => {
  const page = await openPage(browser, { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true });
  await openMatch(page, server.url, { game: 'tictactoe', seats: ['human', 'human'], moves: ['b2', 'b1', 'a1', 'c3', 'a3', 'a2', 'c1'] });
  await page.locator('#tab-analysis').tap();
  await page.locator('#review').tap();
  await page.waitForFunction(() => window.store.state.review && !window.store.state.review.running);
  await page.waitForFunction(() => document.querySelectorAll('#mistakes button').length > 0);
  const [list, first] = Object.values(await boxes(page, ['#mistakes', '#mistakes button']));
  assert.ok(list[3] >= first[3] && first[3] >= 24, `${list} ${first}`);
  await page.context().close();
});

test('shapes: chosen, turned, flipped, walked, seen where they would lie', async () => {
  const page = await openPage(browser);
  await openMatch(page, server.url, { game: 'blokus', seats: ['human', 'human', 'human', 'human'] });
  const tray = () => page.evaluate(() => window.store.state.tray);
  const reach = () => page.evaluate(() => [...document.querySelectorAll('.place.reach')].map((cell) => cell.getAttribute('data-cell')).sort().join());
  assert.equal(await page.locator('.tray-shape').count(), 20, 'all but the cross, which cannot cover a corner');
  const shape = page.locator('.tray-shape').nth(1);
  await shape.click();
  assert.equal(await shape.getAttribute('aria-pressed'), 'true');
  assert.equal(await page.locator('.tray-shape[aria-pressed=true]').count(), 1);
  const seen = new Set([await reach()]);
  await page.keyboard.press('r');
  seen.add(await reach());
  await page.keyboard.press('f');
  seen.add(await reach());
  assert.equal(seen.size, 3, 'other places light up');
  const { turn } = await tray();
  await page.locator('#board').hover();
  await page.mouse.wheel(0, 100);
  await page.waitForFunction((old) => window.store.state.tray.turn !== old, turn);
  const place = await page.evaluate(() => window.store.state.tray.place);
  if (place) assert.equal(await page.locator('.above .ghost').count(), place.split('-').length);
  for (let tries = 0; tries < 8 && !(await tray()).place; ++tries) await page.keyboard.press(tries % 4 === 3 ? 'f' : 'r');
  const move = (await tray()).place;
  await page.keyboard.press('Enter');
  assert.deepEqual((await myTurn(page, 0)).moves, [move]);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test('moves glide, and stand still for those who want that', async () => {
  for (const reducedMotion of ['no-preference', 'reduce']) {
    const page = await openPage(browser, { reducedMotion });
    await openMatch(page, server.url, { game: 'amazons(n=6)', seats: ['human', 'human'] });
    await page.evaluate(() => {
      window.animated = 0;
      const animate = Element.prototype.animate;
      Element.prototype.animate = function (...how) {
        ++window.animated;
        return animate.apply(this, how);
      };
    });
    await myTurn(page, await playByClicks(page, await matchOf(page)));
    await page.waitForFunction(() => document.querySelectorAll('.last').length === 2);
    const animated = await page.evaluate(() => window.animated);
    if (reducedMotion === 'reduce') assert.equal(animated, 0);
    else assert.ok(animated > 0);
    await page.context().close();
  }
});

test('two pages of one match see each other', async () => {
  const page = await openPage(browser);
  await openMatch(page, server.url, { game: 'hex(n=4)', seats: ['human', 'human'] });
  await page.waitForFunction(() => location.hash.includes('id='));
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.waitForSelector('.place');
  await other.evaluate(async () => { window.store = await import('./store.js'); });
  assert.equal((await matchOf(other)).id, (await matchOf(page)).id);
  await playByClicks(page, await matchOf(page));
  await myTurn(other, 0);
  await playByClicks(other, await matchOf(other));
  assert.equal((await myTurn(page, 1)).moves.length, 2);
  await other.close();
  await page.context().close();
});
