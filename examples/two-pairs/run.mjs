/**
 * A market maker on several pairs at once: two levels a side, which slide away from what it holds already.
 *
 *   node examples/two-pairs/run.mjs [data/demo.json] [--account alice] [--pairs BTCUSDT,ETHUSDT] [--seconds 60]
 *     [--faults 7] [--size 500] [--limit 5000] [--spread 2]
 *
 * Give it an account of its own: at the start and at the end it cancels every order on its pairs (at most five).
 *
 * --size of an order, --limit of what it may hold more or less than at the start: of each pair, in the quote asset.
 * --spread of the inner level, in basis points. --faults 7: every 7 s something goes wrong on purpose, in turns.
 *
 * Compares its books with GET depth every second, and at the end its orders and balances with what GET answers. Exits
 * with 1 if anything differed.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { followAccount } from '../by-hand/account-stream.mjs';
import { readDemo } from '../market-maker/demo.mjs';
import { every } from '../market-maker/every.mjs';
import { Rest } from '../by-hand/rest.mjs';
import { Account } from './account.mjs';
import { Faults } from './faults.mjs';
import { Market } from './market.mjs';
import { Quotes } from './quotes.mjs';

const option = (value) => ({ type: 'string', default: value });
const amounts = { size: option('500'), limit: option('5000'), spread: option('2') };
const times = { seconds: option('60'), faults: option('0') };
const options = { account: option('alice'), pairs: option('BTCUSDT,ETHUSDT'), ...amounts, ...times };
const { values, positionals } = parseArgs({ allowPositionals: true, options });
const demo = readDemo(positionals[0]);
const symbol = values.pairs; // As the API takes several: separated by commas.
const symbols = symbol.split(',');

const faults = new Faults();
const { apiKey, secretKey } = demo.accounts.find(({ name }) => name === values.account);
const rest = new Rest({ base: demo.base_url, apiKey, secretKey, fetch: faults.fetch });
await rest.syncClock();
const { symbols: rules } = await rest.get('/api/v3/exchangeInfo', { symbols: symbol });

const wsUrl = demo.ws_url;
const compared = { comparisons: 0, levels: 0, differences: 0 };
let fills = 0;
const market = new Market({ rest, wsUrl, symbols });
const account = new Account();
const own = followAccount({ rest, wsUrl, symbol, account, onFill: () => (fills += 1) });
const [size, limit, half] = [Number(values.size), Number(values.limit), Number(values.spread) / 2 / 10_000];
const quotes = new Quotes({ rest, market, account, rules, size, limit, half });
await quotes.cancelAll();

const timers = [
  every(250, () => quotes.round()),
  every(1000, () => Promise.all(symbols.map(compare))),
  every(10_000, () => console.log(summary())),
  every(600_000, () => rest.syncClock()),
];
if (Number(values.faults) > 0)
  timers.push(every(Number(values.faults) * 1000, () => faults.next({ market, own, rest })));
let isStopping = false;
timers.push(setTimeout(stop, Number(values.seconds) * 1000));
process.once('SIGINT', stop).once('SIGTERM', stop);

async function compare(pair) {
  const result = await market.compare(pair);
  if (result === null) return;
  compared.comparisons += 1;
  compared.levels += result.levels;
  report(result.different.map((text) => `${pair} at ${text}`));
}

function report(different) {
  compared.differences += different.length;
  for (const text of different) console.error(`DIFFERENT: ${text}`);
}

function summary() {
  const { connections: privateConnections, keys: listenKeys } = own.counted;
  const { closedUnheard } = account;
  const counted = { ...market.counted, privateConnections, listenKeys, closedUnheard, ...quotes.counted, fills };
  return JSON.stringify({ faults: faults.made, ...counted, ...compared });
}

async function stop() {
  if (isStopping) return;
  isStopping = true;
  timers.forEach(clearTimeout);
  faults.stop();
  await quotes.stop();
  while (!account.isReady) await sleep(100);
  await sleep(1000); // For the last pushes.
  const { balances } = await rest.signed('GET', '/api/v3/account');
  report(account.compare(await rest.signed('GET', '/api/v3/openOrders', { symbol }), balances));
  market.close();
  await own.close();
  console.log(summary());
  process.exitCode = compared.differences > 0 ? 1 : 0;
}
