import { describe, test } from 'vitest';
import { TradingStory } from './trading-story.ts';

describe('DEC-ORD-11, DEC-ORD-12: market orders', () => {
  test('E15: a market order on an empty book is refused', () => {
    new TradingStory().tell(`
      alice buy market 1             => refused noOpposingOrder
      alice sell market for 10       => refused noOpposingOrder
      alice buy limit 1 @ 100        => new
      bob   buy market 1             => refused noOpposingOrder
      bob   sell market 0.5          => filled: 0.5@100
    `);
  });

  test('E14: a market order stops at the collar and its rest is cancelled', () => {
    new TradingStory().tell(`
      bob   sell limit 1 @ 100       => new
      alice buy limit 1 @ 100        => filled: 1@100
      bob   sell limit 1 @ 105       => new
      bob   sell limit 1 @ 105.01    => new
      alice buy market 2             => partiallyCanceled collar: 1@105
      -- the last price is 105 now
      alice buy market 1             => filled: 1@105.01
      carol buy limit 1 @ 99.75      => new
      carol buy limit 1 @ 99.76      => new
      alice sell market 2            => partiallyCanceled collar: 1@99.76
    `);
  });

  test('without a last price the best opposing price is where the collar starts', () => {
    new TradingStory().tell(`
      bob   sell limit 1 @ 100       => new
      bob   sell limit 1 @ 105       => new
      bob   sell limit 1 @ 106       => new
      alice buy market 3             => partiallyCanceled collar: 1@100 1@105
    `);
  });

  test('E19: a buy by quote amount never spends more and its dust is given back', () => {
    new TradingStory().tell(`
      bob   sell limit 1 @ 99.99         => new
      alice buy market for 10            => filled: 0.1@99.99
      alice USDT                         => 9990.001
      alice buy market for 0.00999899    => canceled unfilledRest
      alice buy market for 0.009999      => filled: 0.0001@99.99
      alice USDT                         => 9989.991001
    `);
  });

  test('a buy by quote amount that empties the book is cancelled with its rest', () => {
    new TradingStory().tell(`
      bob   sell limit 1 @ 100       => new
      alice buy market for 150       => partiallyCanceled unfilledRest: 1@100
      alice USDT                     => 9900
      bob   sell limit 1 @ 100       => new
      alice buy market for 100.005   => filled: 1@100
      alice USDT                     => 9800
    `);
  });

  test('a sell by quote amount sells until that much is received, never more', () => {
    new TradingStory().tell(`
      bob   buy limit 1 @ 100        => new
      bob   buy limit 1 @ 99         => new
      alice sell market for 150      => filled: 1@100 0.505@99
      alice USDT                     => 10149.995
      alice BTC                      => 8.495
    `);
  });

  test('DEC-ORD-34: a buy by quantity is checked against the exact cost of its walk', () => {
    new TradingStory().tell(`
      bob   sell limit 1 @ 4000      => new
      bob   sell limit 2 @ 4100      => new
      alice buy limit 1 @ 1          => new
      -- 9,999 are free: 4,000 and 1.4631 times 4,100
      alice buy market 2.4632        => refused notEnoughQuote
      alice buy market 2.4631        => filled: 1@4000 1.4631@4100
      alice USDT                     => 0.29 + 1 held
    `);
  });

  test('E13: the price band is exact to the tick on either side and waits for a last price', () => {
    const story = new TradingStory();
    story.relist({ bidMultiplierUpPpm: 1_200_000, askMultiplierDownPpm: 800_000 });
    story.tell(`
      alice buy limit 0.1 @ 500      => new
      bob   sell limit 0.1 @ 500     => filled: 0.1@500
      alice buy limit 0.1 @ 600      => new
      alice buy limit 0.1 @ 600.01   => refused priceOutsideBand
      alice buy ioc 0.1 @ 600.01     => refused priceOutsideBand
      alice buy fok 0.1 @ 600.01     => refused priceOutsideBand
      alice buy maker 0.1 @ 600.01   => new
      alice cancel all               => #3 #4
      bob   sell limit 0.1 @ 400     => new
      bob   sell limit 0.1 @ 399.99  => refused priceOutsideBand
      bob   sell maker 0.1 @ 399.99  => refused priceOutsideBand
      bob   sell fok 0.1 @ 399.99    => refused priceOutsideBand
    `);
  });
});
