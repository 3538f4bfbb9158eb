import { describe, test } from 'vitest';
import { TradingStory } from './trading-story.ts';

describe('E08: client order ids', () => {
  test('the same id with the same terms answers the first order, whatever became of it', () => {
    new TradingStory().tell(`
      alice buy limit 1 @ 100 id=once    => new
      alice buy limit 1 @ 100 id=once    => repeats #1 new
      bob   sell limit 1 @ 100           => filled: 1@100
      alice buy limit 1 @ 100 id=once    => repeats #1 filled
      alice USDT                         => 9900
    `);
  });

  test('the same id with other terms is refused', () => {
    new TradingStory().tell(`
      alice buy limit 1 @ 100 id=once                      => new
      alice buy limit 2 @ 100 id=once                      => refused clientOrderIdInUse
      alice buy limit 1 @ 101 id=once                      => refused clientOrderIdInUse
      alice sell limit 1 @ 100 id=once                     => refused clientOrderIdInUse
      alice buy maker 1 @ 100 id=once                      => refused clientOrderIdInUse
      alice buy limit 1 @ 100 id=once stp=cancelTaker      => refused clientOrderIdInUse
      bob   buy limit 1 @ 100 id=once                      => new
    `);
  });

  test('I24: an id is free again 60 s after its order closed, not before', () => {
    new TradingStory().tell(`
      alice buy limit 1 @ 100 id=once    => new
      wait 3600                          =>
      alice buy limit 1 @ 100 id=once    => repeats #1 new
      alice cancel once                  => canceled
      wait 60                            =>
      alice buy limit 1 @ 100 id=once    => repeats #1 canceled
      alice buy limit 2 @ 100 id=once    => refused clientOrderIdInUse
      wait 0.001                         =>
      alice buy limit 2 @ 100 id=once    => new
    `);
  });

  test('a refused order does not use up its id, a killed one does', () => {
    new TradingStory().tell(`
      alice buy limit 1000 @ 100 id=once => refused notEnoughQuote
      alice buy limit 1 @ 100 id=once    => new
      alice buy fok 1 @ 100 id=kill      => canceled unfilledRest
      alice buy fok 1 @ 100 id=kill      => repeats #2 canceled
      alice buy fok 2 @ 100 id=kill      => refused clientOrderIdInUse
    `);
  });

  test('a repeat is answered even while the market is paused and the money is gone', () => {
    const story = new TradingStory();
    story.tell(`
      alice buy limit 100 @ 100 id=all   => new
    `);
    story.relist({ status: 'paused' });
    story.tell(`
      alice buy limit 100 @ 100 id=all   => repeats #1 new
      alice buy limit 1 @ 100 id=all     => refused tradingSuspended
    `);
  });
});
