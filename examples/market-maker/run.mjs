/**
 * A market maker on the running sandbox of a data directory.
 *
 *   node examples/market-maker/run.mjs [data/demo.json] [--symbol BTCUSDT] [--quantity 0.01] [--spread 4]
 *     [--seconds 60] [--break 10]
 *
 * The spread is in basis points. With --break 10 something is lost every 10 s, in turns: a push, a connection, the
 * request of an order or its answer. The book has to stay exact all the same.
 *
 * Compares its book with the exchange's every second; exits 1 when they differed.
 */
import { parseArgs } from 'node:util';
import { followAccount } from './account-stream.mjs';
import { BookCheck } from './book-check.mjs';
import { followBook } from './book-stream.mjs';
import { readDemo } from './demo.mjs';
import { every } from './every.mjs';
import { Maker } from './maker.mjs';
import { Rest } from './rest.mjs';

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
let losing = null; // What the next order loses: its request or its answer.
const rest = new Rest({ base: demo.base_url, apiKey, secretKey, fetch: fetchWithLosses });

await rest.syncClock();
const clockTimer = every(10 * 60_000, () => rest.syncClock());
const { symbols } = await rest.get('/api/v3/exchangeInfo', { symbol });

let fills = 0;
let differences = 0;
const wsUrl = demo.ws_url;
const market = followBook({ rest, wsUrl, symbol, onUpdate: (update) => check.note(update) });
const check = new BookCheck({ rest, book: market.book, symbol });
const own = followAccount({ rest, wsUrl, symbol, onFill: () => (fills += 1) });
const half = Number(values.spread) / 2 / 10_000;
const settings = { quantity, positionMax: Number(quantity) * 10, halfSpread: half, tolerance: half / 2 };
const maker = new Maker({ rest, book: market.book, account: own.account, rules: symbols[0], ...settings });
await maker.cancelAll();

const timers = [every(500, () => maker.round()), every(1000, compare), every(10_000, report), ...breaks()];
process.once('SIGINT', stop);
process.once('SIGTERM', stop);
const end = setTimeout(stop, Number(values.seconds) * 1000);

async function compare() {
  for (const difference of await check.run()) {
    differences += 1;
    console.error(`${new Date().toISOString()} version ${market.book.version}: ${difference}`);
  }
}

/** Loses a push, an answer, the public connection, a request, the private connection, and so on. */
function breaks() {
  const seconds = Number(values.break);
  const kinds = [
    () => market.stream.loseNext(),
    () => (losing = 'answer'),
    () => market.stream.cut(),
    () => (losing = 'request'),
    () => own.stream.cut(),
  ];
  let turn = 0;
  return seconds === 0 ? [] : [every(seconds * 1000, () => kinds[turn++ % kinds.length]())];
}

/** To lose a request, throw before it is sent; to lose its answer, after the exchange gave it. */
async function fetchWithLosses(address, request) {
  if (losing === null || !address.includes('/api/v3/order?') || request.method !== 'POST')
    return fetch(address, request);
  const lost = losing;
  losing = null;
  if (lost === 'answer') await fetch(address, request);
  throw new Error(`the ${lost} was lost on purpose`);
}

function report() {
  const { pushes, gaps, connections } = market.counted;
  console.log(
    `${pushes} pushes, ${gaps} gaps, ${connections} connections, ${own.counted.connections} private ones; ` +
      `${maker.placed} orders placed, ${fills} fills, position ${maker.position.toFixed(6)}; ` +
      `${check.compared} comparisons of ${check.levels} levels, ${differences} differences`,
  );
}

async function stop() {
  clearTimeout(end);
  for (const timer of [...timers, clockTimer]) clearInterval(timer);
  await compare();
  report();
  market.close();
  await maker.stop();
  await own.close();
  process.exitCode = differences > 0 ? 1 : 0;
}
