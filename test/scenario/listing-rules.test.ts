import { describe, expect, test } from 'vitest';
import type { SymbolListing } from '#model/symbol.ts';
import { as } from '#model/units.ts';
import { listingOf } from '../permissive-listing.ts';
import { parseOrder, TradingStory } from './trading-story.ts';

const refused = [{ kind: 'commandRefused', reason: 'invalidConfiguration' }];
const valid = listingOf({
  name: 'BTCTKN',
  base: as(0),
  quote: as(2),
  priceDecimals: 4,
  orderKinds: ['limit'],
  makerFeePpm: 0,
  takerFeePpm: 0,
  fullName: '',
});

describe('what a market may be', () => {
  test('E18: price and quantity decimals together never exceed the scale of the quote asset', () => {
    const story = new TradingStory();
    const list = (changes: Partial<SymbolListing>) =>
      story.run({ kind: 'configureSymbol', symbol: { ...valid, ...changes } });
    expect(list({ priceDecimals: 5 })).toMatchObject(refused);
    expect(list({ quantityDecimals: 5 })).toMatchObject(refused);
    expect(list({})).toMatchObject([{ kind: 'symbolConfigured' }]);
  });

  test('DEC-ORD-02: scales of a listed market never change, its other rules may', () => {
    const story = new TradingStory();
    const before = story.engine.digest();
    for (const changes of [{ priceDecimals: 1 }, { quantityDecimals: 3 }, { base: as<SymbolListing['base']>(2) }]) {
      expect(story.relist(changes)).toMatchObject(refused);
      expect(story.engine.digest()).toBe(before);
    }
    expect(story.relist({ makerFeePpm: 7 })).toMatchObject([{ kind: 'symbolConfigured' }]);
    expect(story.engine.digest()).not.toBe(before);
  });

  test('E03: what one asset lacks no other makes up for', () => {
    const story = new TradingStory();
    story.tell(`
      alice gets 100 TKN                      =>
      alice sell limit 10 @ 1                 => new
      alice sell limit 0.0001 @ 1             => refused notEnoughBase
      bob   sell limit 1 @ 1 on TKNUSDT       => refused notEnoughBase
      alice TKN                               => 100
    `);
  });

  test('E23, I26: asking whether an order would be refused changes nothing, nor does being refused', () => {
    const story = new TradingStory();
    story.tell('bob sell limit 1 @ 100 id=b => new');
    const before = story.engine.digest();
    const account = story.account('alice');
    const orders = [
      'buy limit 1 @ 100',
      'buy market for 50',
      'buy fok 2 @ 100',
      'buy maker 1 @ 100',
      'buy limit 999 @ 100',
    ];
    const answers = orders.map((order) => story.engine.matching.orderRefusal(account, parseOrder(order.split(' '))));
    expect(answers).toEqual([null, null, null, 'wouldTakeLiquidity', 'notEnoughQuote']);
    story.tell('alice buy maker 1 @ 100 => refused wouldTakeLiquidity').tell('alice cancel #9 => refused unknownOrder');
    expect(story.engine.digest()).toBe(before);
  });
});
