// How the server stands load, by hand: node tests/web/load.mjs [SESSIONS] [WAVES] [MALFORMED] [EVALUATIONS]. Matches of engines alone, asked
// for all the time while they are played, then broken requests; how long answers took and what memory the server holds.
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { serve } from './browser.mjs';

const [sessions = 200, waves = 3, malformed = 10000, evaluations = 1000] = process.argv.slice(2).map(Number);
const server = await serve();
const kAtOnce = 12;  // requests in flight, as two pages have
const took = [];
let refused = 0;

/** One request on its own connection: one that was not answered throws. */
const once = (path, body) => new Promise((resolve, reject) => {
  const asked = request(`${server.url}api/${path}`, { agent: false, method: body ? 'POST' : 'GET', headers: body ? { 'Content-Type': 'application/json' } : {} }, (reply) => {
    let text = '';
    reply.on('data', (part) => (text += part)).on('end', () => resolve({ status: reply.statusCode, text })).on('error', reject);
  });
  asked.on('error', reject).end(body);
});

async function ask(path, body) {
  const start = performance.now();
  const reply = await once(path, body && JSON.stringify(body));
  took.push(performance.now() - start);
  if (reply.status >= 400) ++refused;
  return JSON.parse(reply.text);
}

const memory = () => Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))[1]) / 1024);
const at = (part) => took.sort((a, b) => a - b)[Math.min(took.length - 1, Math.floor(part * took.length))].toFixed(0);

async function wave(number) {
  took.length = 0;
  const start = performance.now(), ends = [], ids = [];
  for (let i = 0; i < sessions; ++i) {
    const { id } = await ask('matches', { game: 'hex(n=5)', seats: Array(2).fill(`mcts@evals=${evaluations}`) });
    await ask(`matches/${id}/pace`, { seconds: 0 });
    ids.push(id);
  }
  let open = ids;
  while (open.length > 0) {
    const states = [];
    for (let i = 0; i < open.length; i += kAtOnce) states.push(...(await Promise.all(open.slice(i, i + kAtOnce).map((id) => ask(`matches/${id}`)))));
    open = open.filter((_, i) => !states[i].position.over && !states[i].error);
    for (let i = open.length; i < states.length; ++i) ends.push((performance.now() - start) / 1000);
  }
  const { kept_bytes: kept, sessions: held } = JSON.parse((await once('about')).text);
  console.log(`wave ${number}: ${sessions} matches over after ${ends[0].toFixed(1)} to ${ends[ends.length - 1].toFixed(1)} s; ${took.length} requests, ${refused} refused, ` +
    `${at(0.5)} ms in the middle, ${at(0.99)} ms for 99 %, ${at(1)} ms the longest; ${memory()} MiB, ${Math.round(kept / 2 ** 20)} set apart for the trees of ${held} sessions`);
}

const good = (port) => Buffer.from(`POST /api/matches HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n{"game":"tictactoe"}`);

/** Sends bytes and hangs up after an answer or a moment. */
const raw = (bytes) => new Promise((done) => {
  const socket = connect(server.port, '127.0.0.1', () => socket.end(bytes));
  socket.setTimeout(200, () => socket.destroy());
  socket.on('data', () => socket.destroy()).on('error', () => {}).on('close', done);
});

async function broken(count) {
  let seed = 1;
  const random = (below) => (seed = (seed * 48271) % 2147483647) % below;
  const before = memory();
  for (let i = 0; i < count; i += 20)
    await Promise.all(Array.from({ length: Math.min(20, count - i) }, () => {
      let bytes = good(server.port);
      for (let hits = 1 + random(6); hits > 0; --hits) {
        const place = random(bytes.length);
        if (random(3) === 0) bytes[place] = random(256);
        else if (random(2) === 0) bytes = Buffer.concat([bytes.subarray(0, place), Buffer.alloc(1 + random(300), random(256)), bytes.subarray(place)]);
        else bytes = Buffer.concat([bytes.subarray(0, place + 1), bytes.subarray(place + 1 + random(20))]);
      }
      return raw(bytes);
    }));
  const { sessions: left } = await ask('about');
  console.log(`${count} broken requests: ${before} MiB before, ${memory()} MiB after; the server answers and holds ${left} sessions`);
}

console.log(`at the start ${memory()} MiB`);
for (let number = 1; number <= waves; ++number) await wave(number);
await broken(malformed / 2);
await broken(malformed / 2);
await server.stop();
