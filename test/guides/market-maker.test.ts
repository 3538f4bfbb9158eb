import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBourse, type TestExchange } from '#testing/testing.ts';
import { loadOwnAccount, until } from './example-bot.ts';

/** What the market maker of docs/guides/build-a-bot.md knows of itself. */

const symbol = 'BTCUSDT';
let exchange: TestExchange;
beforeAll(async () => {
  exchange = await startBourse({ seed: '7', settings: { rateLimits: false } });
});
afterAll(() => exchange?.close());

test('its account is exact from pushes, and again after its listen key was ended', async () => {
  const { OwnAccount } = await loadOwnAccount();
  const [client, alice, bob] = [exchange.client('alice'), exchange.client('alice'), exchange.client('bob')];
  const fills: string[] = [];
  const account = new OwnAccount({ client, symbol, onFill: ({ quantity }) => fills.push(quantity) });
  const order = (side: 'BUY' | 'SELL', price: string, quantity: string) =>
    ({ symbol, side, type: 'LIMIT', price, quantity }) as const;
  const isExact = async (): Promise<boolean> => {
    const open = (await alice.openOrders({ symbol })).map(({ orderId, clientOrderId, executedQty }) => [
      clientOrderId ?? orderId,
      executedQty,
    ]);
    const known = [...account.orders].map(([id, { filled }]) => [id, filled]);
    const { balances } = await alice.account();
    const areSame = balances.every(({ asset, free, locked }) => {
      const own = account.balances.get(asset);
      return own?.free === free && own.locked === locked;
    });
    return account.isReady && areSame && open.sort().join() === known.sort().join();
  };
  await until('a first answer', () => account.isReady);
  await alice.placeOrder({ ...order('BUY', '60000', '0.05'), newClientOrderId: 'kept' });
  const gone = await alice.placeOrder(order('BUY', '59990', '0.01'));
  // Of another pair: not one of its orders.
  await alice.placeOrder({ ...order('BUY', '2000', '0.1'), symbol: 'ETHUSDT' });
  await bob.placeOrder(order('SELL', '60000', '0.02'));
  await until('what was pushed', async () => fills.length === 1 && (await isExact()));

  for (const listenKey of (await alice.listenKeys()).listenKey) await alice.deleteListenKey({ listenKey });
  await until('the loss', () => !account.isReady);
  await alice.cancelOrder({ symbol, orderId: gone.orderId });
  await until('what happened meanwhile', isExact);
  expect([...account.orders.keys()]).toEqual(['kept']);
  account.close();
  expect(account.isReady).toBe(false);
});
