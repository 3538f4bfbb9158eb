/**
 * A market maker on the running sandbox of a data directory.
 *
 *   node examples/market-maker/run.mjs [data/demo.json] [--symbol BTCUSDT] [--quantity 0.01] [--spread 4]
 *     [--seconds 60] [--break 10]
 *
 * The spread is in basis points. With --break 10 something goes wrong every 10 s, in turns: a push, a connection, the
 * request of an order or its answer is lost. The book has to stay exact all the same.
 *
 * Compares its book with the exchange's every second; exits 1 when they differed.
 */
import { parseArgs } from 'node:util';
import { BourseClient, channels } from 'bourse/client';
import { BookCheck } from './book-check.mjs';
import { readDemo } from './demo.mjs';
import { every } from './every.mjs';
import { breakSomething } from './faults.mjs';
import { Maker } from './maker.mjs';
import { OwnAccount } from './own-account.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    symbol: { type: 'string', default: 'BTCUSDT' },
    quantity: { type: 'string', default: '0.01' },
    seconds: { type: 'string', default: '60' },
    spread: { type: 'string', default: '4' },
    break: { type: 'string', default: '0' },
    account: { type: 'string', default: 'alice' },
  },
});
const { symbol, quantity } = values;
const demo = readDemo(positionals[0]);
const { apiKey, secretKey } = demo.accounts.find(({ name }) => name === values.account);
// A short window: what became of an order whose request was lost is known that much sooner.
const urls = { baseUrl: demo.base_url, wsUrl: demo.ws_url };
const client = new BourseClient({ ...urls, apiKey, secretKey, recvWindow: 2000 });
const { symbols } = await client.exchangeInfo({ symbol });

const counted = { fills: 0, connections: 0, differences: 0, breaks: 0 };
let check = null;
// Before the book: so that a comparison hears of each push before the book takes it.
client.subscribe(channels.aggreDepth({ symbol, speed: '10ms' }), (update) => check?.note(update), {
  onReady: () => (counted.connections += 1),
});
const book = client.book(symbol, { speed: '10ms' });
check = new BookCheck({ client, book, symbol });
const account = new OwnAccount({ client, symbol, onFill: () => (counted.fills += 1) });
const half = Number(values.spread) / 2 / 10_000;
const settings = { quantity, positionMax: Number(quantity) * 10, halfSpread: half, tolerance: half / 2 };
const maker = new Maker({ client, book, account, rules: symbols[0], ...settings });
await maker.cancelAll();

const timers = [every(500, () => maker.round()), every(1000, compare), every(10_000, report)];
const breakSeconds = Number(values.break);
if (breakSeconds > 0)
  timers.push(every(breakSeconds * 1000, () => breakSomething(demo, { symbol, apiKey, turn: counted.breaks++ })));
process.once('SIGINT', stop);
process.once('SIGTERM', stop);
const end = setTimeout(stop, Number(values.seconds) * 1000);

async function compare() {
  for (const difference of await check.run()) {
    counted.differences += 1;
    console.error(`${new Date().toISOString()} version ${book.version}: ${difference}`);
  }
}

function report() {
  const { pushes, gaps } = book.counts;
  console.log(
    `${pushes} pushes, ${gaps} gaps, ${counted.connections} connections; ${maker.placed} orders placed, ` +
      `${counted.fills} fills, position ${maker.position.toFixed(6)}; ` +
      `${check.compared} comparisons of ${check.levels} levels, ${counted.differences} differences`,
  );
}

async function stop() {
  clearTimeout(end);
  for (const timer of timers) clearInterval(timer);
  await compare();
  report();
  await maker.stop();
  await client.close();
  process.exitCode = counted.differences > 0 ? 1 : 0;
}
