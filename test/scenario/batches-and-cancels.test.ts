import { describe, expect, test } from 'vitest';
import type { Command } from '#model/command.ts';
import type { OrderNumber } from '#model/units.ts';
import { as } from '#model/units.ts';
import { audit } from '#engine/image/audit.ts';
import { outcomeOf, parseOrder, TradingStory } from './trading-story.ts';

const orders = (...lines: string[]) => lines.map((line) => parseOrder(line.split(' ')));

describe('several orders in one command', () => {
  test('SPEC-ORD-06: a batch gives each order its own result, in order', () => {
    const story = new TradingStory();
    const batch = orders('buy limit 1 @ 100', 'buy limit 0 @ 100', 'sell limit 1 @ 100', 'sell market 1');
    const events = story.run({ kind: 'placeOrders', account: story.account('alice'), orders: batch });
    const results = events.flatMap(({ kind }) => (/^order(Accepted|Refused|Repeated)$/.test(kind) ? [kind] : []));
    expect(results).toEqual(['orderAccepted', 'orderRefused', 'orderAccepted', 'orderRefused']);
  });

  test('E09: a client id twice in one batch stands for one order', () => {
    const story = new TradingStory();
    const batch = orders(
      'buy limit 1 @ 100 id=a',
      'buy limit 1 @ 100 id=a',
      'buy limit 2 @ 100 id=a',
      'buy limit 2 @ 100 id=b',
    );
    const events = story.run({ kind: 'placeOrders', account: story.account('alice'), orders: batch });
    const results = events.flatMap((event) => {
      if (event.kind === 'orderAccepted' || event.kind === 'orderRepeated')
        return [`${event.kind} ${event.order.order}`];
      return event.kind === 'orderRefused' ? [event.reason] : [];
    });
    expect(results).toEqual(['orderAccepted 1', 'orderRepeated 1', 'clientOrderIdInUse', 'orderAccepted 2']);
  });

  test('a requote passes over orders that are gone and places the new ladder', () => {
    const story = new TradingStory();
    story.tell(`
      alice buy limit 1 @ 100          => new
      alice buy limit 1 @ 99           => new
      bob   sell limit 1 @ 100         => filled: 1@100
    `);
    const cancel = [1, 2, 77].map((order) => as<OrderNumber>(order));
    const place = orders('buy limit 1 @ 101', 'buy limit 1 @ 100');
    const events = story.run({ kind: 'requote', account: story.account('alice'), symbol: as(0), cancel, place });
    expect(events.some(({ kind }) => kind === 'cancelRefused')).toBe(false);
    story.tell('book => 1@101 1@100 |');
  });

  test('DEC-ORD-30: cancel-all takes every open order of the account on the symbols, oldest first, and no other', () => {
    const story = new TradingStory();
    story.tell(`
      alice buy limit 1 @ 100          => new
      alice sell limit 1 @ 110         => new
      bob   buy limit 1 @ 99           => new
      alice buy limit 1 @ 1 on TKNUSDT => new
      alice buy limit 1 @ 98           => new
      alice cancel all                 => #1 #2 #5
      alice cancel all                 =>
      alice USDT                       => 9999 + 1 held
      alice BTC                        => 10
      book                             => 1@99 |
    `);
  });

  test('E21: ten thousand open orders are cancelled by one command and leave no hold behind', () => {
    const story = new TradingStory();
    const account = story.account('alice');
    story.run({ kind: 'setTradingRules', account, makerFeePpm: null, takerFeePpm: null, openOrdersMax: 10_000 });
    for (let index = 0; index < 10_000; index += 1) {
      const side = index % 2 === 0 ? 'buy' : 'sell';
      const price = `${side === 'buy' ? 1 : 200}.${10 + (index % 50)}`;
      const order = parseOrder([side, 'limit', '0.001', '@', price]);
      expect(outcomeOf(story.run({ kind: 'placeOrder', account, order }))).toBe('new');
    }
    const cancelAll: Command = { kind: 'cancelOrders', account, symbols: [as(0)] };
    expect(story.run(cancelAll).filter(({ kind }) => kind === 'orderClosed')).toHaveLength(10_000);
    expect(audit(story.engine.state)).toEqual([]);
    story.tell(`
      alice USDT                       => 10000
      alice BTC                        => 10
      book                             => |
    `);
  });
});
