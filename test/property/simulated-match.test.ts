import { expect, test } from 'vitest';
import { createPrng, type Prng } from '#base/prng.ts';
import type { Command } from '#model/command.ts';
import { createEventRecorder, type Event } from '#model/event-record.ts';
import { orderKinds, stpModes, type OrderRequest } from '#model/order.ts';
import type { AccountId, Lots, PriceTicks, Quanta } from '#model/units.ts';
import { as } from '#model/units.ts';
import { createEngine, type StateMachine } from '#engine/create-engine.ts';
import { createSimulateOrder } from '#engine/spot/simulate-order.ts';
import { listingOf } from '../permissive-listing.ts';

const cases = Number(process.env['BOURSE_TEST_CASES'] ?? 12_000);
const firstUser = 4;
const users = 4;
const rich = 10n ** 17n;

/** A market of few prices, small quantities and four accounts that share groups, all of them rich. */
function openMarket(run: (command: Command) => void): void {
  for (const code of ['BTC', 'USDT']) {
    const asset = { code, fullName: code, scale: 6, cap: as<never>((2n ** 61n) as never), coinId: '0'.repeat(32) };
    run({ kind: 'configureAsset', asset });
  }
  const scales = { base: as<never>(0 as never), quote: as<never>(1 as never), priceDecimals: 2, quantityDecimals: 2 };
  run({ kind: 'configureSymbol', symbol: listingOf({ name: 'BTCUSDT', ...scales }) });
  for (let user = 0; user < users; user += 1) {
    const master = user === 0 ? null : as<AccountId>(firstUser);
    const names = { uid: as<never>((10_000_000 + user) as never), name: `user${user}`, master };
    run({ kind: 'openAccount', ...names, class: 'user', kycLevel: 1, simulated: false });
    for (const asset of [0, 1])
      run({ kind: 'creditFunds', account: as(firstUser + user), asset: as(asset), amount: as(rich) });
  }
  run({ kind: 'createStpGroup', master: as(firstUser), name: 'desk' });
  run({ kind: 'addToStpGroup', master: as(firstUser), group: 1, members: [as(firstUser), as(firstUser + 1)] });
}

/** A random order; amounts stand a hair around whole lots at the prices in use. */
function randomOrder(chance: Prng): OrderRequest {
  const kind = orderKinds[chance.below(orderKinds.length)]!;
  const price = 95 + chance.below(11);
  const lots = 1 + chance.below(12);
  const byBudget = kind === 'market' && chance.below(2) === 0;
  return {
    symbol: as(0),
    side: chance.below(2) === 0 ? 'buy' : 'sell',
    kind,
    price: kind === 'market' ? null : as<PriceTicks>(price),
    quantity: byBudget ? null : as<Lots>(lots),
    budget: byBudget ? as<Quanta>(Math.max(1, (price * lots + chance.below(95)) * 100 + chance.below(3) - 1)) : null,
    clientOrderId: null,
    stpMode: stpModes[chance.below(stpModes.length)]!,
  };
}

/** Lots and quote amount of the trades in a list of events. */
function traded(events: readonly Event[]): { readonly lots: number; readonly quote: number } {
  let lots = 0;
  let quote = 0;
  for (const event of events) {
    if (event.kind !== 'tradeExecuted') continue;
    lots += event.trade.lots;
    quote += event.trade.quoteAmount;
  }
  return { lots, quote };
}

test(`DEC-ORD-34: a simulated match is the match: what it answers is what the order trades, over ${cases} orders`, () => {
  const engine: StateMachine = createEngine();
  const run = (command: Command): Event[] => {
    const recorder = createEventRecorder();
    engine.apply({ seq: as(engine.seq + 1), epoch: as(0), at: as(1), command }, recorder);
    return recorder.events;
  };
  openMarket(run);
  const simulateOrder = createSimulateOrder(engine.state);
  const chance = createPrng(20_261_122);
  let trading = 0;
  for (let at = 0; at < cases; at += 1) {
    const account = as<AccountId>(firstUser + chance.below(users));
    const order = randomOrder(chance);
    const expected = { ...simulateOrder(engine.state.books[0]!, account, order) };
    const isWhole = order.kind !== 'fillOrKill' || expected.lots === order.quantity;
    const events = run({ kind: 'placeOrder', account, order });
    const isRefused = events.some((event) => event.kind === 'orderRefused');
    expect(traded(events), `case ${at}: ${JSON.stringify(order)}`).toEqual(
      isRefused || !isWhole ? { lots: 0, quote: 0 } : expected,
    );
    if (expected.lots > 0 && !isRefused) trading += 1;
    // The open orders of an account end somewhere, so that refusals stay the exception.
    if (at % 500 === 499)
      for (let user = 0; user < users; user += 1)
        run({ kind: 'cancelOrders', account: as(firstUser + user), symbols: [as(0)] });
  }
  expect(trading).toBeGreaterThan(cases / 10);
});
