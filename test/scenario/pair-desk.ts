import type { SymbolListing } from '#model/symbol.ts';
import type { SymbolId } from '#model/units.ts';
import { as } from '#model/units.ts';
import { expect } from 'vitest';
import { orderOf } from './contract-desk.ts';
import { assets, people, WalletHarness } from './wallet-harness.ts';

const { alice, bob } = people;
/** BTCUSDT. */
export const pair = as<SymbolId>(1);

/** An exchange on which the rules of one pair change. */
export class PairDesk extends WalletHarness {
  /** What a change of the rules of BTCUSDT tells, as words. */
  change(rules: Partial<SymbolListing>): string[] {
    const { id: _id, ...symbol } = { ...this.engine.state.books[pair]!.rules, ...rules };
    const events = this.run({ kind: 'configureSymbol', symbol });
    return events.map((event) => (event.kind === 'commandRefused' ? event.reason : event.kind));
  }

  /** What an order of one lot tells first. */
  trade(account: typeof alice, side: 'buy' | 'sell', price: number): string {
    const [event] = this.run({
      kind: 'placeOrder',
      account,
      order: { ...orderOf(side, 1, price), symbol: pair },
    }).filter(({ kind }) => kind !== 'posted' && kind !== 'symbolConfigured');
    return event?.kind === 'orderRefused' ? event.reason : (event?.kind ?? 'nothing');
  }

  get open(): number {
    return this.engine.state.accounts.openCount(alice) + this.engine.state.accounts.openCount(bob);
  }

  get status(): string {
    return this.engine.state.books[pair]!.rules.status;
  }
}

/** Alice bids 100 and 90 for one lot each, bob asks 200 for one. */
export function deskWithOrders(): PairDesk {
  const desk = new PairDesk();
  desk.give(alice, assets.USDT, 10_000n);
  desk.give(bob, assets.BTC, 10n ** 6n);
  expect(desk.trade(alice, 'buy', 100)).toBe('orderAccepted');
  expect(desk.trade(alice, 'buy', 90)).toBe('orderAccepted');
  expect(desk.trade(bob, 'sell', 200)).toBe('orderAccepted');
  return desk;
}
