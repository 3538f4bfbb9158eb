import { describe, test } from 'vitest';
import { TradingStory } from './trading-story.ts';

describe('DEC-ORD-05: the five kinds of order', () => {
  test("a limit order trades at the makers' prices, best first, and rests with what is left", () => {
    new TradingStory().tell(`
      bob   sell limit 1 @ 100       => new
      carol sell limit 1 @ 99        => new
      alice buy limit 2.5 @ 100      => partiallyFilled: 1@99 1@100
      alice BTC                      => 12
      alice USDT                     => 9751 + 50 held
      bob   USDT                     => 10100
      carol USDT                     => 10099
      book                           => 0.5@100 |
    `);
  });

  test('E02: a maker-only order that would take is refused and leaves nothing behind', () => {
    new TradingStory().tell(`
      bob   sell limit 1 @ 100       => new
      alice buy maker 1 @ 100        => refused wouldTakeLiquidity
      alice buy maker 1 @ 100.01     => refused wouldTakeLiquidity
      alice buy maker 1 @ 99.99      => new
      bob   sell maker 1 @ 99.99     => refused wouldTakeLiquidity
      alice USDT                     => 9900.01 + 99.99 held
    `);
  });

  test('DEC-ORD-50: a maker-only order is refused even when it touches only an own order', () => {
    new TradingStory().tell(`
      alice sell limit 1 @ 100                    => new
      alice buy maker 1 @ 100 stp=cancelMaker     => refused wouldTakeLiquidity
    `);
  });

  test('immediate-or-cancel takes what it can and loses the rest', () => {
    new TradingStory().tell(`
      bob   sell limit 1 @ 100       => new
      alice buy ioc 3 @ 100          => partiallyCanceled unfilledRest: 1@100
      alice buy ioc 3 @ 100          => canceled unfilledRest
      bob   sell limit 5 @ 101       => new
      alice buy ioc 3 @ 101          => filled: 3@101
      alice USDT                     => 9597
      book                           => | 2@101
    `);
  });

  test('fill-or-kill fills whole or is stored as canceled without a trade', () => {
    new TradingStory().tell(`
      bob   sell limit 1 @ 100       => new
      bob   sell limit 1 @ 101       => new
      alice buy fok 2 @ 100          => canceled unfilledRest
      alice buy fok 2 @ 101          => filled: 1@100 1@101
      alice USDT                     => 9799
      book                           => |
    `);
  });

  test('E24: equal prices trade in the order of arrival, and a replaced order goes to the end', () => {
    new TradingStory().tell(`
      alice sell limit 1 @ 100 id=a  => new
      bob   sell limit 1 @ 100 id=b  => new
      carol sell limit 1 @ 100 id=c  => new
      alice cancel a                 => canceled
      alice sell limit 1 @ 100 id=d  => new
      dave  buy limit 1.5 @ 100      => filled: 1@100 0.5@100
      bob   USDT                     => 10100
      carol USDT                     => 10050
      alice USDT                     => 10000
      dave  buy limit 0.6 @ 100      => filled: 0.5@100 0.1@100
      carol USDT                     => 10100
      alice USDT                     => 10010
    `);
  });

  test('E04: a balance that equals the cost is enough, one unit less is not', () => {
    new TradingStory().tell(`
      alice buy limit 100 @ 100          => new
      alice buy limit 0.0001 @ 0.01      => refused notEnoughQuote
      alice gets 0.00000099 USDT         =>
      alice buy limit 0.0001 @ 0.01      => refused notEnoughQuote
      alice gets 0.00000001 USDT         =>
      alice buy limit 0.0001 @ 0.01      => new
      bob sell limit 10 @ 200            => new
      bob sell limit 0.0001 @ 200        => refused notEnoughBase
    `);
  });
});
