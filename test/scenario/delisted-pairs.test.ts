import { expect, test } from 'vitest';
import { engineLimits } from '#model/limits.ts';
import { as, type TimestampMs } from '#model/units.ts';
import { orderOf, terms } from './contract-desk.ts';
import { deskWithOrders, pair, PairDesk } from './pair-desk.ts';
import { assets, people } from './wallet-harness.ts';

const { alice, bob } = people;
const delist = { kind: 'delistSymbol', symbol: pair } as const;

/** BTCUSDT traded once, one order rests, and it is offline then. */
function tradedDesk(): PairDesk {
  const desk = deskWithOrders();
  expect(desk.trade(bob, 'sell', 100)).toBe('orderAccepted');
  desk.change({ status: 'offline' });
  return desk;
}

test('DEC-OPR-169: a pair is delisted only while it is offline, and keeps what it had until then', () => {
  const desk = deskWithOrders();
  for (const status of ['online', 'paused', 'cancelOnly'] as const) {
    desk.change({ status });
    expect([desk.say(delist), desk.status, desk.open]).toEqual(['pairNotOffline', status, 3]);
  }
  desk.change({ status: 'offline' });
  expect([desk.say(delist), desk.status]).toEqual(['symbolConfigured', 'delisted']);
  expect(desk.say(delist)).toBe('pairDelisted');
});

test('DEC-OPR-169: while orders of a pair that went offline are still open, it is not delisted', () => {
  const desk = new PairDesk();
  for (const account of [alice, bob]) {
    desk.give(account, assets.USDT, 100_000n);
    for (let from = 0; from < 300; from += 20)
      desk.run({
        kind: 'placeOrders',
        account,
        orders: Array.from({ length: 20 }, (_, at) => ({ ...orderOf('buy', 1, 10 + at), symbol: pair })),
      });
  }
  desk.change({ status: 'offline' });
  expect(desk.open).toBe(600 - engineLimits.cancelledOrdersPerEntry);
  expect(desk.say(delist)).toBe('pairNotOffline');
  desk.run({ kind: 'cancelOfflineOrders' });
  expect([desk.open, desk.say(delist)]).toEqual([0, 'symbolConfigured']);
});

test('DEC-OPR-169: a delisted pair is unknown to new orders, changes nothing more, and stays so in an image', () => {
  const desk = tradedDesk();
  const openAt = as<TimestampMs>(desk.at + 1000);
  desk.change({ openAt });
  expect(desk.say(delist)).toBe('symbolConfigured');
  for (const restart of [false, true]) {
    if (restart) desk.restore();
    desk.at += 2000;
    expect(desk.trade(bob, 'sell', 100)).toBe('unknownSymbol');
    expect(desk.run({ kind: 'cancelOfflineOrders' })).toEqual([]);
    for (const status of ['online', 'delisted'] as const) expect(desk.change({ status })).toEqual(['pairDelisted']);
    expect(desk.status).toBe('delisted');
    expect([desk.free(alice, assets.BTC), desk.free(bob, assets.USDT)]).toEqual([10_000n, 100n]);
  }
});

test('DEC-OPR-169: a rule cannot say that a pair is delisted', () => {
  const desk = deskWithOrders();
  expect(desk.change({ status: 'delisted' })).toEqual(['invalidConfiguration']);
  expect(desk.say({ kind: 'delistSymbol', symbol: as(99) })).toBe('unknownSymbol');
});

test('DEC-OPR-170: the name stays taken, the assets are free for a pair with an id of its own', () => {
  const desk = tradedDesk();
  const { id: _id, ...rules } = desk.engine.state.books[pair]!.rules;
  const listing = { ...rules, status: 'online', quantityDecimals: 1, priceDecimals: 2 } as const;
  const other = { kind: 'configureSymbol', symbol: { ...listing, name: 'BTCUSDT2' } } as const;
  expect(desk.say(other)).toBe('invalidConfiguration');
  expect(desk.say(delist)).toBe('symbolConfigured');
  expect(desk.say({ kind: 'configureSymbol', symbol: listing })).toBe('pairDelisted');
  expect(desk.say(other)).toBe('symbolConfigured');
  desk.restore();
  const { symbols } = desk.engine.state;
  const [old, made] = [symbols.find('BTCUSDT')!, symbols.find('BTCUSDT2')!];
  expect(made.symbol).not.toBe(old.symbol);
  expect([old.lastPrice, made.lastPrice]).toEqual([100, 0]);
  expect(symbols.ofAssets(assets.BTC, assets.USDT)).toBe(made);
  expect(symbols.ofBase(assets.BTC)).toEqual([made]);
});

test('DEC-OPR-170: no price of a delisted pair tells what an asset is worth', () => {
  const desk = tradedDesk();
  const worth = () => desk.engine.state.symbols.ofAssets(assets.BTC, assets.USDT)?.lastPrice ?? null;
  expect(worth()).toBe(100);
  desk.say(delist);
  expect(worth()).toBe(null);
});

test('DEC-OPR-169: a pair that makes the index of a contract stays until that has ended', () => {
  const desk = tradedDesk();
  const contract = { ...terms, name: 'BTC_USDT', base: assets.BTC, settle: assets.USDT };
  expect(desk.say({ kind: 'configureContract', contract })).toBe('contractConfigured');
  const { id } = desk.engine.state.contracts.find('BTC_USDT')!.rules;
  expect(desk.say(delist)).toBe('pairMakesIndex');
  expect(desk.say({ kind: 'delistSymbol', symbol: id })).toBe('unknownSymbol');
  desk.run({ kind: 'setContractState', contract: id, state: 'offline' });
  expect(desk.say(delist)).toBe('symbolConfigured');
});

test('DEC-OPR-169: the pair that values commission in the platform token stays', () => {
  const desk = new PairDesk();
  const symbol = desk.engine.state.symbols.find('TKNUSDT')!.symbol;
  desk.relist('TKN', { status: 'offline' });
  expect(desk.say({ kind: 'delistSymbol', symbol })).toBe('pairValuesCommission');
  desk.run({ kind: 'configureFeeToken', token: assets.DOG, valuedIn: assets.USDT, discountPpm: 0 });
  expect(desk.say({ kind: 'delistSymbol', symbol })).toBe('symbolConfigured');
});
