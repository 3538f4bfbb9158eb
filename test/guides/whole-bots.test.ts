import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadExampleBot, type Rest } from './example-bot.ts';
import { runProcess } from './run-process.ts';

/** The example bots as programs, while something is lost on purpose every moment. */

const bot = await loadExampleBot();
const pairs = 'BTCUSDT,ETHUSDT';
let exchange: Awaited<ReturnType<typeof bot.startSandbox>>;
let alice: Rest;
let bob: Rest;

beforeAll(async () => {
  exchange = await bot.startSandbox();
  [alice, bob] = [exchange.rest('alice'), exchange.rest('bob')];
});
afterAll(() => exchange?.stop());

const openOrders = (rest: Rest) => rest.signed('GET', '/api/v3/openOrders', { symbol: pairs });
let moves = 0;

/**
 * Runs an example as alice. Meanwhile the best bids move: so quotes have to, now and then one is taken, and no lost
 * push is the last one. Nothing else asks for alice: it would use up what the exchange lets the example ask.
 */
async function runInMovingMarket(script: string, ...options: readonly string[]) {
  let isOver = false;
  const demo = join(exchange.data, 'demo.json');
  const running = runProcess(process.execPath, `examples/${script}`, demo, ...options).finally(() => {
    isOver = true;
  });
  for (; !isOver; moves += 1) {
    const [pair, lowest, step] = moves % 2 === 0 ? ['BTCUSDT', 59_985, 8] : ['ETHUSDT', 2999.2, 0.4];
    const [price, newClientOrderId] = [(lowest + ((moves >> 1) % 4) * step).toFixed(1), `bid-${moves}`];
    await bot.placeOrder(bob, { symbol: pair, side: 'BUY', type: 'LIMIT', quantity: '0.01', price, newClientOrderId });
    await new Promise((resolve) => setTimeout(resolve, 50));
    await bot.cancelOrder(bob, pair, newClientOrderId);
  }
  return running;
}

test('the whole market maker runs, is broken on purpose, and leaves no order behind', async () => {
  await bot.fundBook(bob, { symbol: 'BTCUSDT', price: 60_000, tick: 20, quantity: '1', levels: 3, name: 'whole' });
  const { code, lines } = await runInMovingMarket('market-maker/run.mjs', '--seconds', '5', '--break', '0.7');
  expect([code, lines.at(-1)]).toEqual([
    0,
    expect.stringMatching(/ [1-9]\d* orders placed, .* [1-9]\d* comparisons of [1-9]\d* levels, 0 differences$/),
  ]);
  expect(await openOrders(alice)).toEqual([]);
  await bob.signed('DELETE', '/api/v3/openOrders', { symbol: pairs });
}, 90_000);

test('a maker on two pairs keeps both books and its account exact while everything breaks in turns', async () => {
  await bot.fundBook(bob, { symbol: 'BTCUSDT', price: 60_000, tick: 20, quantity: '1', levels: 3, name: 'two' });
  await bot.fundBook(bob, { symbol: 'ETHUSDT', price: 3000, tick: 1, quantity: '1', levels: 3, name: 'second' });
  // All kinds of faults twice.
  const { code, lines } = await runInMovingMarket('two-pairs/run.mjs', '--seconds', '8', '--faults', '0.5');
  const counted = JSON.parse(lines.at(-1) as string);
  expect([code, counted.differences]).toEqual([0, 0]);
  const { comparisons, faults, gaps, unseenGaps } = counted;
  expect(Math.min(comparisons, faults, gaps + unseenGaps)).toBeGreaterThan(0);
  expect(counted.publicConnections).toBeGreaterThan(1);
  expect(await openOrders(alice)).toEqual([]);
}, 90_000);
