import { describe, expect, test } from 'vitest';
import { ClientOrderId } from '#model/client-order-id.ts';
import type { Command } from '#model/command.ts';
import { createEventRecorder, type Event } from '#model/event-record.ts';
import type { OrderRequest } from '#model/order.ts';
import type { SymbolListing } from '#model/symbol.ts';
import type { Epoch, Seq, TimestampMs } from '#model/units.ts';
import { as } from '#model/units.ts';
import { audit } from '#engine/image/audit.ts';
import { createEngine, restoreEngine, type StateMachine } from '#engine/create-engine.ts';
import { balancesOf, openOrdersOf } from '#engine/queries/engine-queries.ts';

const listing: SymbolListing = {
  name: 'BTCUSDT',
  base: as(0),
  quote: as(1),
  priceDecimals: 2,
  quantityDecimals: 4,
  status: 'online',
  openAt: null,
  tradeSideType: 'all',
  orderKinds: ['limit', 'postOnly', 'immediateOrCancel', 'fillOrKill', 'market'],
  apiTradingAllowed: true,
  minLots: as(1),
  minNotional: as(1),
  minNotionalMarket: as(1),
  maxNotional: as(1e15),
  maxNotionalMarket: as(1e15),
  makerFeePpm: 0,
  takerFeePpm: 500,
  bidMultiplierUpPpm: null,
  askMultiplierDownPpm: null,
  collarPpm: 50_000,
  fullName: 'Bitcoin',
  contractAddress: '',
  specialTreatment: false,
};

function createHarness(): { engine: StateMachine; run: (command: Command) => Event[] } {
  const engine = createEngine();
  const run = (command: Command): Event[] => {
    const recorder = createEventRecorder();
    engine.apply({ seq: as(engine.seq + 1), epoch: as(0), at: as(1_700_000_000_000 + engine.seq), command }, recorder);
    expect(audit(engine.state)).toEqual([]);
    return recorder.events;
  };
  run({
    kind: 'configureAsset',
    asset: { code: 'BTC', fullName: 'Bitcoin', scale: 8, cap: as(21_000_000n * 10n ** 8n), coinId: 'a'.repeat(32) },
  });
  run({
    kind: 'configureAsset',
    asset: { code: 'USDT', fullName: 'Tether', scale: 8, cap: as(10n ** 18n), coinId: 'b'.repeat(32) },
  });
  run({ kind: 'configureSymbol', symbol: listing });
  for (const uid of [10_000_001, 10_000_002]) {
    run({
      kind: 'openAccount',
      uid: as(uid),
      name: `user${uid}`,
      master: null,
      class: 'user',
      kycLevel: 1,
      simulated: false,
    });
  }
  for (const account of [4, 5]) {
    run({ kind: 'creditFunds', account: as(account), asset: as(0), amount: as(10n * 10n ** 8n) });
    run({ kind: 'creditFunds', account: as(account), asset: as(1), amount: as(1_000_000n * 10n ** 8n) });
  }
  return { engine, run };
}

const limit = (
  side: 'buy' | 'sell',
  price: number,
  quantity: number,
  clientOrderId: string | null = null,
): OrderRequest => ({
  symbol: as(0),
  side,
  kind: 'limit',
  price: as(price),
  quantity: as(quantity),
  budget: null,
  clientOrderId: ClientOrderId.of(clientOrderId),
  stpMode: 'none',
});
const place = (account: number, order: OrderRequest): Command => ({ kind: 'placeOrder', account: as(account), order });

describe('the engine', () => {
  test("trades at the maker's price and books the fee with the house", () => {
    const { engine, run } = createHarness();
    run(place(4, limit('sell', 5_000_000, 10_000)));
    const events = run(place(5, limit('buy', 5_100_000, 4_000, 'mine')));
    expect(events.map((event) => event.kind)).toEqual([
      'orderAccepted',
      'posted',
      'posted',
      'posted',
      'posted',
      'posted',
      'posted',
      'posted',
      'posted',
      'tradeExecuted',
      'orderFilled',
      'orderFilled',
      'levelChanged',
      'orderClosed',
    ]);
    expect(balancesOf(engine.state, as(5))).toEqual([
      { asset: 0, free: 1_040_000_000n - 20_000n, held: 0n },
      { asset: 1, free: 100_000_000_000_000n - 2_000_000_000_000n, held: 0n },
    ]);
  });

  test('goes on from a snapshot exactly as if it had never stopped', () => {
    const { engine, run } = createHarness();
    for (let step = 0; step < 50; step += 1)
      run(
        place(
          4 + (step % 2),
          limit(step % 3 === 0 ? 'sell' : 'buy', 5_000_000 + ((step * 7) % 13) * 100, 100 + step, `id-${step}`),
        ),
      );
    const restored = restoreEngine(engine.snapshot());
    expect(restored.digest()).toBe(engine.digest());
    expect(restored.eventDigest()).toBe(engine.eventDigest());
    expect(audit(restored.state)).toEqual([]);
    for (let step = 0; step < 50; step += 1) {
      const entry = {
        seq: as<Seq>(engine.seq + 1),
        epoch: as<Epoch>(0),
        at: as<TimestampMs>(1_700_000_001_000 + step * 3_000),
        command: place(
          4 + (step % 2),
          limit(step % 2 === 0 ? 'sell' : 'buy', 5_000_000 + ((step * 5) % 11) * 100, 50 + step, `id-${step}`),
        ),
      };
      engine.apply(entry, createEventRecorder());
      restored.apply(entry, createEventRecorder());
    }
    expect(restored.digest()).toBe(engine.digest());
    expect(restored.eventDigest()).toBe(engine.eventDigest());
    expect(openOrdersOf(restored.state, as(4), null)).toEqual(openOrdersOf(engine.state, as(4), null));
  });

  test('answers a repeated client order id with the first order', () => {
    const { run } = createHarness();
    run(place(4, limit('sell', 5_000_000, 10_000, 'once')));
    expect(run(place(4, limit('sell', 5_000_000, 10_000, 'once')))[0]).toMatchObject({
      kind: 'orderRepeated',
      order: { order: 1 },
    });
    expect(run(place(4, limit('sell', 5_000_000, 20_000, 'once')))[0]).toMatchObject({
      kind: 'orderRefused',
      reason: 'clientOrderIdInUse',
    });
  });
});
