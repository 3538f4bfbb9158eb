import { expect, test } from 'vitest';
import { engineLimits } from '#model/limits.ts';
import type { SymbolListing } from '#model/symbol.ts';
import { as } from '#model/units.ts';
import { haveOfflineOrders } from '#engine/listing/listing-commands.ts';
import { orderOf } from './contract-desk.ts';
import { deskWithOrders, pair, PairDesk } from './pair-desk.ts';
import { assets, people } from './wallet-harness.ts';

const { alice, bob } = people;

test.each(['paused', 'cancelOnly'] as const)(
  'DEC-OPR-161: %s keeps resting orders and their holds, refuses new ones, and cancels work',
  (status) => {
    const desk = deskWithOrders();
    expect(desk.change({ status })).toEqual(['symbolConfigured']);
    expect(desk.trade(bob, 'sell', 100)).toBe('tradingSuspended');
    expect(desk.open).toBe(3);
    expect(desk.free(alice, assets.USDT)).toBe(9810n);
    desk.run({ kind: 'cancelOrders', account: alice, symbols: [pair] });
    expect([desk.open, desk.free(alice, assets.USDT)]).toEqual([1, 10_000n]);
    expect(desk.change({ status: 'online' })).toEqual(['symbolConfigured']);
    expect(desk.trade(alice, 'buy', 200)).toBe('orderAccepted');
    expect(desk.open).toBe(0);
  },
);

test('DEC-OPR-161: a pair that goes offline keeps no orders, and their holds are free again', () => {
  const desk = deskWithOrders();
  const told = desk.change({ status: 'offline' });
  expect(told[0]).toBe('symbolConfigured');
  expect(told.filter((kind) => kind === 'orderClosed')).toHaveLength(3);
  expect([desk.open, desk.free(alice, assets.USDT), desk.free(bob, assets.BTC)]).toEqual([0, 10_000n, 10n ** 6n]);
  expect(haveOfflineOrders(desk.engine.state)).toBe(false);
  expect(desk.trade(bob, 'sell', 100)).toBe('tradingSuspended');
  expect(desk.change({ status: 'online' })).toEqual(['symbolConfigured']);
  expect(desk.trade(bob, 'sell', 100)).toBe('orderAccepted');
});

test('DEC-OPR-161: one entry cancels a bounded number, the next ones go on, also after a restart', () => {
  const desk = new PairDesk();
  const most = engineLimits.cancelledOrdersPerEntry;
  for (const account of [alice, bob]) {
    desk.give(account, assets.USDT, 100_000n);
    for (let from = 0; from < 300; from += 20)
      desk.run({
        kind: 'placeOrders',
        account,
        orders: Array.from({ length: 20 }, (_, at) => ({ ...orderOf('buy', 1, 10 + at), symbol: pair })),
      });
  }
  expect(desk.open).toBe(600);
  desk.change({ status: 'offline' });
  expect(desk.open).toBe(600 - most);
  desk.restore();
  expect(haveOfflineOrders(desk.engine.state)).toBe(true);
  desk.run({ kind: 'cancelOfflineOrders' });
  expect(desk.open).toBe(0);
  expect(haveOfflineOrders(desk.engine.state)).toBe(false);
  expect(desk.run({ kind: 'cancelOfflineOrders' })).toEqual([]);
});

test('DEC-OPR-162: a pair goes online by itself with the first entry at or after its moment', () => {
  const desk = deskWithOrders();
  const openAt = as<NonNullable<SymbolListing['openAt']>>(desk.at + 1000);
  expect(desk.change({ status: 'online', openAt })).toEqual(['invalidConfiguration']);
  expect(desk.change({ status: 'paused', openAt })).toEqual(['symbolConfigured']);
  desk.at += 999;
  expect(desk.trade(bob, 'sell', 100)).toBe('tradingSuspended');
  desk.restore();
  desk.at += 1;
  expect(desk.trade(bob, 'sell', 100)).toBe('orderAccepted');
  expect(desk.status).toBe('online');
  expect(desk.engine.state.books[pair]!.rules.openAt).toBe(null);
  expect(desk.open).toBe(2);
});

test('DEC-OPR-162: an operator who opens a pair before, or takes the moment back, is obeyed', () => {
  const desk = deskWithOrders();
  const openAt = as<NonNullable<SymbolListing['openAt']>>(desk.at + 1000);
  desk.change({ status: 'cancelOnly', openAt });
  desk.change({ status: 'cancelOnly', openAt: null });
  desk.at += 2000;
  expect(desk.trade(bob, 'sell', 100)).toBe('tradingSuspended');
  expect(desk.status).toBe('cancelOnly');
});

test('DEC-OPR-160: what a pair was listed with stays, other rules change at once', () => {
  const desk = deskWithOrders();
  const refused = { base: assets.TKN, quote: assets.TKN, priceDecimals: 3, quantityDecimals: 1 };
  for (const [member, value] of Object.entries(refused))
    expect(desk.change({ [member]: value })).toEqual(['invalidConfiguration']);
  const bad: Partial<SymbolListing>[] = [
    { minLots: as(0) },
    { maxNotional: as(-1) },
    { minNotional: as(11), maxNotional: as(10) },
    { makerFeePpm: 1_000_001 },
    { takerFeePpm: 0.5 },
    { collarPpm: -1 },
    { orderKinds: [] },
    { orderKinds: ['limit', 'limit'] },
    { askMultiplierDownPpm: 1_000_001 },
  ];
  for (const rules of bad) expect(desk.change(rules)).toEqual(['invalidConfiguration']);
  expect(desk.change({ minLots: as(2) })).toEqual(['symbolConfigured']);
  expect(desk.trade(bob, 'sell', 100)).toBe('belowMinimumQuantity');
  expect(desk.open).toBe(3);
});

test('DEC-OPR-163: a resting order pays the fee of the moment of its fill', () => {
  const desk = deskWithOrders();
  desk.change({ makerFeePpm: 100_000 });
  expect(desk.trade(bob, 'sell', 90)).toBe('orderAccepted');
  expect(desk.free(alice, assets.BTC)).toBe(9000n);
});
