import { afterEach, beforeEach, expect, test } from 'vitest';
import type { OrderRequest } from '#model/order.ts';
import type { AccountId } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { ReadPush } from './push-reader.ts';
import type { StreamClient } from './stream-client.ts';
import { people, startStreamHarness, type StreamHarness } from './stream-harness.ts';

/* What a socket with all three private channels hears of one command, in the order in which it hears it. */

let harness: StreamHarness;
let alice: StreamClient;
beforeEach(async () => {
  harness = await startStreamHarness();
  alice = await harness.listen(people.alice);
  await alice.subscribe(
    'spot@private.account.v3.api.pb',
    'spot@private.deals.v3.api.pb',
    'spot@private.orders.v3.api.pb',
  );
});
afterEach(() => harness.close());

const status = ['', 'NEW', 'FILLED', 'PARTIALLY_FILLED', 'CANCELED', 'PARTIALLY_CANCELED'];

function wordOf({ body }: ReadPush): string {
  if (body.case === 'privateOrders') return `${status[body.value.status]} ${Number(body.value.id.slice(-6))}`;
  if (body.case === 'privateDeals') return `deal ${Number(body.value.orderId.slice(-6))}`;
  if (body.case === 'privateAccount') return `${body.value.type} ${body.value.vcoinName}`;
  return `${body.case}`;
}

/** What came since this was last asked. */
async function heard(): Promise<string[]> {
  await alice.drain();
  return alice.pushes.splice(0).map(wordOf);
}

const sell = (price: number, quantity: number, account: AccountId = people.bob) =>
  harness.order(account, { side: 'sell', price: as(price), quantity: as(quantity) });
const buy = (price: number, quantity: number): OrderRequest => ({
  symbol: as(0),
  side: 'buy',
  kind: 'limit',
  budget: null,
  clientOrderId: null,
  stpMode: 'none',
  price: as(price),
  quantity: as(quantity),
});

test('DEC-STR-10: NEW comes first, then deals and balances, then the states they leave', async () => {
  await sell(10_000, 5000);
  await sell(10_010, 5000);
  await harness.order(people.alice, buy(10_050, 20_000));
  const fill = ['ENTRUST USDT', 'ENTRUST BTC', 'ENTRUST_UNFROZEN USDT', 'TRADE_FEE BTC', 'deal 3'];
  expect(await heard()).toEqual([
    'NEW 3',
    'ENTRUST_PLACE USDT',
    ...fill,
    ...fill,
    'PARTIALLY_FILLED 3',
    'PARTIALLY_FILLED 3',
  ]);
  await harness.exchange.submit({ kind: 'cancelOrders', account: people.alice, symbols: [as(0)] });
  expect(await heard()).toEqual(['ENTRUST_CANCEL USDT', 'PARTIALLY_CANCELED 3']);
});

test('DEC-STR-10: so it is for each order of a batch, and for the side that rested', async () => {
  await harness.order(people.alice, { side: 'sell', price: as(10_000), quantity: as(5000) });
  await heard();
  await harness.exchange.submit({
    kind: 'placeOrders',
    account: people.alice,
    orders: [buy(10_000, 5000), buy(9000, 5000)],
  });
  const told = await heard();
  expect(told.indexOf('NEW 2')).toBe(0);
  expect(told.slice(-2)).toEqual(['NEW 3', 'ENTRUST_PLACE USDT']);
  const states = told.filter((word) => word.startsWith('FILLED'));
  expect(states).toEqual(['FILLED 2', 'FILLED 1']);
  const firstState = told.findIndex((word) => word.startsWith('FILLED'));
  const lastChange = told.slice(0, -2).findLastIndex((word) => /^(?:deal|ENTRUST|TRADE_FEE)/.test(word));
  expect(firstState).toBeGreaterThan(lastChange);
});

test('DEC-STR-11: a closed order tells its unfilled rest as quantity and as amount', async () => {
  const rests = async () => {
    await alice.drain();
    const bodies = alice.pushes.splice(0).flatMap(({ body }) => (body.case === 'privateOrders' ? [body.value] : []));
    const { status: number, remainQuantity, remainAmount } = bodies.at(-1)!;
    return [status[number], remainQuantity, remainAmount];
  };
  const cancel = () => harness.exchange.submit({ kind: 'cancelOrders', account: people.alice, symbols: [as(0)] });
  await harness.order(people.alice, buy(10_000, 20_000));
  await cancel();
  expect(await rests()).toEqual(['CANCELED', '2', '200']);
  await sell(10_000, 5000);
  await harness.order(people.alice, buy(10_050, 20_000));
  await cancel();
  expect(await rests()).toEqual(['PARTIALLY_CANCELED', '1.5', '150.75']);
  await harness.order(people.bob, buy(12_000, 15_000));
  await sell(10_000, 20_000, people.alice);
  await cancel();
  // 1.5 brought 180 of the 200 that 2 were sold for at least.
  expect(await rests()).toEqual(['PARTIALLY_CANCELED', '0.5', '50']);
  await sell(10_000, 5000);
  await harness.order(people.alice, buy(10_050, 5000));
  expect(await rests()).toEqual(['FILLED', '0', '0']);
});

test('DEC-STR-11: sales above the limit never leave an open order with less than nothing', async () => {
  await harness.order(people.bob, buy(15_000, 15_000));
  await sell(10_000, 20_000, people.alice);
  await alice.drain();
  const last = alice.pushes.flatMap(({ body }) => (body.case === 'privateOrders' ? [body.value] : [])).at(-1);
  expect(last).toMatchObject({ status: 3, cumulativeAmount: '225', remainAmount: '0', remainQuantity: '0.5' });
});
