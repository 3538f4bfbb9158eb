import { describe, expect, test } from 'vitest';
import { ClientOrderId } from '#model/client-order-id.ts';
import type { Command } from '#model/command.ts';
import { createEventRecorder, type Event } from '#model/event-record.ts';
import type { OrderRequest } from '#model/order.ts';
import { as } from '#model/units.ts';
import { audit } from '#engine/image/audit.ts';
import { createEngine, restoreEngine, type StateMachine } from '#engine/create-engine.ts';
import { listingOf } from '../permissive-listing.ts';
import { outcomeOf } from './trading-story.ts';

const greatest = Number.MAX_SAFE_INTEGER;
const seller = 4;
const buyer = 5;

const orderOf = (side: 'buy' | 'sell', lots: number, price: number | null): OrderRequest => ({
  symbol: as(0),
  side,
  kind: price === null ? 'market' : 'limit',
  price: price === null ? null : as(price),
  quantity: as(lots),
  budget: null,
  clientOrderId: null,
  stpMode: 'none',
});

/** A pair whose units are whole coins, so that amounts are as large as a command can tell, and two rich accounts. */
class GreatMarket {
  engine: StateMachine = createEngine();

  constructor() {
    for (const code of ['AAA', 'BBB']) {
      const coin = { code, fullName: code, scale: 0, cap: as<never>((2n ** 61n) as never), coinId: '0'.repeat(32) };
      this.run({ kind: 'configureAsset', asset: coin });
    }
    const most = { maxNotional: as<never>(greatest as never), maxNotionalMarket: as<never>(greatest as never) };
    const scales = { priceDecimals: 0, quantityDecimals: 0, collarPpm: 1_000_000, makerFeePpm: 0, takerFeePpm: 0 };
    const symbol = listingOf({ name: 'AAABBB', base: as(0), quote: as(1), ...scales, ...most });
    this.run({ kind: 'configureSymbol', symbol });
    for (const account of [seller, buyer]) {
      const uid = as<never>((10_000_000 + account) as never);
      const user = { name: `user${account}`, master: null, class: 'user', kycLevel: 1, simulated: false } as const;
      this.run({ kind: 'openAccount', uid, ...user });
      for (const asset of [0, 1])
        this.run({ kind: 'creditFunds', account: as(account), asset: as(asset), amount: as(2n ** 58n) });
    }
  }

  run(command: Command): Event[] {
    const recorder = createEventRecorder();
    this.engine.apply({ seq: as(this.engine.seq + 1), epoch: as(0), at: as(1), command }, recorder);
    expect(audit(this.engine.state)).toEqual([]);
    return recorder.events;
  }

  /** Places a limit order, or without a price a market one; answers its status and why it closed. */
  place(account: number, side: 'buy' | 'sell', lots: number, price: number | null): string {
    const order = orderOf(side, lots, price);
    return outcomeOf(this.run({ kind: 'placeOrder', account: as(account), order })).replace(/:.*/, '');
  }

  /** The exchange after a restart from its image. */
  restart(): void {
    const { engine } = this;
    this.engine = restoreEngine(engine.snapshot(), engine.digest());
    expect(this.engine.digest()).toBe(engine.digest());
  }
}

describe('amounts at the bound of what a record holds', () => {
  test('an order that holds 2^53 - 1 units survives a restart from an image', () => {
    const market = new GreatMarket();
    expect(market.place(buyer, 'buy', greatest, 1)).toBe('new');
    market.restart();
    expect(market.place(seller, 'sell', greatest, 1)).toBe('filled');
  });

  test('DEC-ORD-35: an order that could trade more than 2^53 - 1 units in all does not rest', () => {
    const market = new GreatMarket();
    expect(market.place(buyer, 'buy', 1, greatest)).toBe('new');
    expect(market.place(seller, 'sell', 3, 1)).toBe('partiallyCanceled byExchange');
    market.restart();
  });

  test('a market order whose bound lies beyond 2^53 - 1 is bounded there, and an image can hold it', () => {
    const market = new GreatMarket();
    expect(market.place(buyer, 'buy', 1, greatest - 1)).toBe('new');
    expect(market.place(seller, 'sell', 1, greatest - 1)).toBe('filled');
    expect(market.place(seller, 'sell', 1, greatest - 1)).toBe('new');
    // With a client id its record is kept for a while after it closed.
    const order = { ...orderOf('buy', 1, null), clientOrderId: ClientOrderId.of('a') };
    const events = market.run({ kind: 'placeOrder', account: as(buyer), order });
    const accepted = events.find((event) => event.kind === 'orderAccepted');
    expect(accepted?.kind === 'orderAccepted' && accepted.order.price).toBe(greatest);
    market.restart();
  });

  test("an account's own cap of open orders is at most a million, so that no counter wraps", () => {
    const market = new GreatMarket();
    const terms = { kind: 'setTradingRules', account: as<never>(buyer as never), makerFeePpm: null } as const;
    const setCap = (openOrdersMax: number): string | undefined =>
      market.run({ ...terms, takerFeePpm: null, openOrdersMax })[0]?.kind;
    expect(setCap(2 ** 31)).toBe('commandRefused');
    expect(setCap(1_000_001)).toBe('commandRefused');
    expect(setCap(1_000_000)).toBe('accountChanged');
    expect(market.place(buyer, 'buy', 1, 1)).toBe('new');
  });
});
