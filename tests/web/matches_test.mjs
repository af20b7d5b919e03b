// A whole match of each of the twelve games against engines in a real browser, by clicks alone.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { matchOf, myTurn, openBrowser, openMatch, openPage, playByClicks, serve, shots } from './browser.mjs';

let server, browser;
before(async () => {
  server = await serve();
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

const quick = ['random', 'greedy@evals=20', 'random'];
const games = [
  ['tictactoe', 2], ['hex(n=4)', 2], ['othello(n=4)', 2], ['amazons(n=4)', 2], ['hex3(side=3)', 3], ['threehex(side=2)', 3],
  ['triinversion(side=3)', 3], ['fish(players=2)', 2], ['quadrothello(n=6)', 4], ['teamhex(n=4)', 4], ['quadamazons(n=8)', 4], ['blokus', 4],
];

for (const [game, seats] of games)
  test(`a whole match of ${game} by clicks`, async () => {
    const page = await openPage(browser);
    await openMatch(page, server.url, { game, seats: ['human', ...quick.slice(0, seats - 1)] });
    const { id } = await matchOf(page);
    await page.evaluate((id) => fetch(`/api/matches/${id}/pace`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"seconds":0}' }), id);
    let match = await myTurn(page), turns = 0;
    while (!match.position.over && turns++ < 120) {
      if (turns === 4) await page.screenshot({ path: `${shots}/${match.name}.png` });
      match = await myTurn(page, await playByClicks(page, match));
    }
    assert.ok(match.position.over, 'the match came to its end');
    assert.ok(match.movers.filter((seat) => seat === 0).length > 1, 'the person moved');
    await page.waitForFunction(() => /win|draw/.test(document.querySelector('#status')?.textContent ?? ''));
    await page.locator('#pause').click();  // play again
    await page.waitForFunction((old) => window.store.state.match.id !== old && !window.store.state.match.position.over, id);
    assert.equal((await matchOf(page)).game, match.game);
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });
