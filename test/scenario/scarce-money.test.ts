import { describe, test } from 'vitest';
import { as } from '#model/units.ts';
import { TradingStory } from './trading-story.ts';

/** A story with deduction on for alice, one token at 2 USDT each, and fees for her alone. */
function storyOfToken({ makerFeePpm, takerFeePpm }: { makerFeePpm: number; takerFeePpm: number }): TradingStory {
  const story = new TradingStory();
  story.run({ kind: 'configureFeeToken', token: as(2), valuedIn: as(1), discountPpm: 200_000 });
  story.setReferencePrice(2, 3n);
  story.tell(`
    carol gets 100 TKN                     =>
    carol sell limit 1 @ 2 on TKNUSDT      => new
    dave buy limit 1 @ 2 on TKNUSDT        => filled: 1@2
    alice gets 1 TKN                       =>
  `);
  story.run({ kind: 'setFeeDeduction', account: story.account('alice'), enabled: true });
  for (const { rules } of story.engine.state.books) {
    const { id: _id, ...symbol } = rules;
    story.run({ kind: 'configureSymbol', symbol: { ...symbol, makerFeePpm, takerFeePpm } });
  }
  const free = { makerFeePpm: 0, takerFeePpm: 0, openOrdersMax: 500 };
  for (const name of ['bob', 'carol', 'dave'])
    story.run({ kind: 'setTradingRules', account: story.account(name), ...free });
  return story;
}

describe('DEC-ORD-34: orders that spend the last unit', () => {
  test('a sale by amount that empties a level exactly needs what the next level takes too', () => {
    new TradingStory().tell(`
      bob   buy limit 10 @ 100          => new
      bob   buy limit 10 @ 99.99        => new
      -- 10 BTC bring 1000; the rest buys no lot at 100, but one at 99.99, which alice does not have
      alice sell market for 1000.009999 => refused notEnoughBase
      alice BTC                         => 10
      carol gets 0.0001 BTC             =>
      carol sell market for 1000.009999 => filled: 10@100 0.0001@99.99
      carol BTC                         => 0
    `);
  });

  const wordsOfKind = { market: 'market 1', ioc: 'ioc 1 @ 2', fok: 'fok 1 @ 2' };
  for (const [kind, words] of Object.entries(wordsOfKind)) {
    test(`all of one's token is sold by ${kind}: the fee comes out of what was received`, () => {
      storyOfToken({ makerFeePpm: 0, takerFeePpm: 10_000 }).tell(`
        dave  buy limit 1 @ 2 on TKNUSDT   => new
        alice sell ${words} on TKNUSDT      => filled: 1@2
        alice TKN                          => 0
        alice USDT                         => 10001.98
      `);
    });

    test(`DEC-ORD-33: fees of the first fills leave the token that later fills of ${kind} sell`, () => {
      storyOfToken({ makerFeePpm: 0, takerFeePpm: 10_000 }).tell(`
        dave  buy limit 0.5 @ 2 on TKNUSDT => new
        carol buy limit 0.5 @ 2 on TKNUSDT => new
        alice sell ${words} on TKNUSDT      => filled: 0.5@2 0.5@2
        alice TKN                          => 0
        alice USDT                         => 10001.98
      `);
    });
  }

  test('what an order that finds too little leaves unsold pays its fee in the token', () => {
    storyOfToken({ makerFeePpm: 0, takerFeePpm: 10_000 }).tell(`
      dave  buy limit 0.5 @ 2 on TKNUSDT => new
      alice sell ioc 1 @ 2 on TKNUSDT    => partiallyCanceled unfilledRest: 0.5@2
      -- 1 USDT received, 1 % of it at a discount of a fifth, at 2 USDT a token
      alice TKN                          => 0.496
      alice USDT                         => 10001
    `);
  });

  test('DEC-ORD-32: in a self trade the taker pays in the token first, and the maker only if enough is left', () => {
    // One token: the taker's fee on 1 BTC at 100 is 0.8 token, the maker's on 100 USDT 0.4.
    const story = storyOfToken({ makerFeePpm: 10_000, takerFeePpm: 20_000 });
    story.tell(`
      bob   sell limit 1 @ 100  => new
      dave  buy limit 1 @ 100   => filled: 1@100
    `);
    story.tell(`
      alice sell limit 1 @ 100  => new
      alice buy limit 1 @ 100   => filled: 1@100
      alice TKN                 => 0.2
      -- the maker's fee, 0.4 token, does not fit any more
      alice USDT                => 9999
      house TKN                 => 0.8
    `);
  });

  test('DEC-ORD-33: in a self trade the taker leaves the token that the maker has just received and pays its fee with', () => {
    const story = storyOfToken({ makerFeePpm: 1_000_000, takerFeePpm: 500_000 });
    story.tell(`
      alice buy limit 1 @ 2 on TKNUSDT   => new
      -- alice has her one token, sells it to herself, and pays all of it as the maker: nothing is left for the taker
      alice sell limit 1 @ 2 on TKNUSDT  => filled: 1@2
      alice TKN                          => 0.2
      alice USDT                         => 9999
    `);
  });

  test('DEC-ORD-32: the token fee is rounded once, from the exact share', () => {
    // In BTC the commission would be a tenth of a unit, rounded up to a whole one before it is valued.
    const story = storyOfToken({ makerFeePpm: 0, takerFeePpm: 10 });
    story.tell(`
      bob   sell limit 0.0001 @ 100  => new
      dave  buy limit 0.0001 @ 100   => filled: 0.0001@100
      bob   sell limit 0.0001 @ 100  => new
      alice buy limit 0.0001 @ 100   => filled: 0.0001@100
      -- 0.0001 BTC × 10 ppm × 100 USDT × 0.8 / 2 = 0.00000004 TKN
      house TKN                      => 0.00000004
    `);
  });
});
