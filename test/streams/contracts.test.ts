import { afterAll, beforeAll, expect, test } from 'vitest';
import { as, type AssetId, type Balance, type Lots, type PriceTicks, type SymbolId } from '#model/units.ts';
import { listedTerms, transferableWallet } from '../api/futures-desk.ts';
import { people, startStreamHarness, type StreamHarness } from './stream-harness.ts';

/* Streams are of pairs: what happens to contracts is told on none of them. */

const usdt = as<AssetId>(0);
/** After two pairs. */
const contract = as<SymbolId>(2);

let harness: StreamHarness;
beforeAll(async () => {
  harness = await startStreamHarness();
  const { exchange } = harness;
  await exchange.submit({ kind: 'configureWallet', rules: transferableWallet });
  await exchange.submit({ kind: 'configureContract', contract: listedTerms });
  const move = { kind: 'transferFunds', from: 'spot', to: 'futures', asset: usdt, clientTranId: null } as const;
  for (const account of [people.alice, people.bob])
    await exchange.submit({ ...move, account, amount: as<Balance>(10n ** 12n) });
});
afterAll(() => harness.close());

test('DEC-FUT-61: orders, trades and money of contracts are pushed to nobody', async () => {
  const alice = await harness.listen(people.alice);
  for (const channel of ['orders', 'deals', 'account']) await alice.subscribe(`spot@private.${channel}.v3.api.pb`);
  await alice.subscribe('spot@public.miniTickers.v3.api.pb@UTC+0');
  const order = { symbol: contract, price: as<PriceTicks>(600_000), quantity: as<Lots>(10) };
  await harness.order(people.alice, { ...order, side: 'buy' });
  const { events } = await harness.order(people.bob, { ...order, side: 'sell' });
  expect(events.map(({ kind }) => kind)).toContain('orderClosed');
  harness.timers.advance(3000);
  // An order of a pair is pushed after all of them.
  await harness.order(people.alice, { symbol: as(0), side: 'buy', price: as(100), quantity: as(10_000) });
  await alice.drain();
  const told = JSON.stringify(alice.pushes, (_name, value: unknown) =>
    typeof value === 'bigint' ? `${value}` : value,
  );
  expect(told).not.toContain('BTC_USDT');
  expect(alice.pushes.filter(({ body }) => body.case === 'privateOrders').map(({ symbol }) => symbol)).toEqual([
    'BTCUSDT',
  ]);
  expect(alice.pushes.filter(({ body }) => body.case === 'privateDeals')).toEqual([]);
});

test('DEC-FUT-61: no channel of a contract can be subscribed to', async () => {
  const client = await harness.connect();
  for (const stem of ['deals', 'bookTicker', 'increase.depth']) {
    const channel = `spot@public.${stem}.v3.api.pb@BTC_USDT`;
    const { msg } = await client.ask('SUBSCRIPTION', [channel]);
    expect(msg).toContain('Blocked');
  }
});
