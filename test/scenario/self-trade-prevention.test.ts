import { describe, expect, test } from 'vitest';
import { parseOrder, TradingStory } from './trading-story.ts';

/** Who made the resting order, and whether a group stands. The taker is always alice. */
const relations = [
  { name: 'own order, a group exists', maker: 'alice', group: ['alice3'], active: true },
  { name: 'own order, no group exists', maker: 'alice', group: [], active: false },
  { name: 'sub-account in the same group', maker: 'alice2', group: ['alice', 'alice2'], active: true },
  { name: 'sub-account outside the group', maker: 'alice2', group: ['alice', 'alice3'], active: false },
  { name: 'stranger', maker: 'bob', group: ['alice', 'alice2'], active: false },
];
const outcomes: Record<string, string> = {
  none: 'filled: 1@100 1@101',
  cancelMaker: 'partiallyFilled: 1@101; #1 canceled stp',
  cancelTaker: 'canceled stp',
  cancelBoth: 'canceled stp; #1 canceled stp',
};
const cells = relations.flatMap((relation) => Object.keys(outcomes).map((mode) => ({ ...relation, mode })));

describe('E10: self-trade prevention', () => {
  test.for(cells)('$mode against $name does what the table says', ({ maker, group, active, mode }) => {
    const story = new TradingStory();
    if (group.length > 0) story.group(...group);
    story.tell(`
      ${maker} sell limit 1 @ 100                => new
      carol sell limit 1 @ 101                   => new
    `);
    const outcome = story.say(`alice buy limit 2 @ 101 stp=${mode}`);
    expect(outcome).toBe(active ? outcomes[mode] : outcomes['none']);
  });

  test('SPEC-STP-09: a rest that prevention cancels has its hold released', () => {
    const story = new TradingStory();
    story.group('alice', 'alice2');
    story.tell(`
      alice2 sell limit 3 @ 100                    => new
      bob    buy limit 1 @ 100                     => filled: 1@100
      alice  buy limit 2 @ 100 stp=cancelMaker     => new; #1 partiallyCanceled stp
      alice2 BTC                                   => 9
      alice  USDT                                  => 9800 + 200 held
      book                                         => 2@100 |
    `);
  });

  test('DEC-ORD-50: fill-or-kill counts only what prevention leaves to it', () => {
    const story = new TradingStory();
    story.group('alice');
    story.tell(`
      bob   sell limit 1 @ 100                    => new
      alice sell limit 1 @ 101                    => new
      carol sell limit 1 @ 102                    => new
      alice buy fok 3 @ 102 stp=cancelMaker       => canceled stp
      alice buy fok 2 @ 102 stp=cancelTaker       => canceled stp
      alice buy fok 4 @ 102 stp=cancelMaker       => canceled unfilledRest
      alice buy fok 1 @ 102 stp=cancelBoth        => filled: 1@100
      bob   sell limit 1 @ 100                    => new
      alice buy fok 2 @ 102 stp=cancelMaker       => filled: 1@100 1@102; #2 canceled stp
    `);
  });

  test('a budget that is spent leaves an own order behind it alone', () => {
    const story = new TradingStory();
    story.group('alice');
    story.tell(`
      bob   sell limit 1 @ 100                       => new
      alice sell limit 1 @ 100                       => new
      alice buy market for 100 stp=cancelTaker       => filled: 1@100
      bob   sell limit 1 @ 100                       => new
      book                                           => | 2@100
      alice buy market for 100.009 stp=cancelMaker   => filled: 1@100; #2 canceled stp
    `);
  });

  test('E12: membership counts at the moment of the match', () => {
    const story = new TradingStory();
    story.tell(`
      alice2 sell limit 1 @ 100                   => new
      alice2 sell limit 1 @ 100                   => new
      alice  buy limit 1 @ 100 stp=cancelMaker    => filled: 1@100
    `);
    story.group('alice', 'alice2');
    story.tell(`
      alice  buy limit 1 @ 100 stp=cancelMaker    => new; #2 canceled stp
    `);
  });

  test('E12: whoever left a group, or whose group is gone, trades from the next match on', () => {
    const story = new TradingStory();
    const master = story.account('alice');
    const [alice2, alice3] = [story.account('alice2'), story.account('alice3')];
    const group = story.group('alice', 'alice2', 'alice3');
    story.tell(`
      alice2 sell limit 3 @ 100                   => new
      alice3 sell limit 3 @ 101                   => new
      alice  buy limit 1 @ 100 stp=cancelTaker    => canceled stp
    `);
    story.run({ kind: 'removeFromStpGroup', master, group, members: [alice2] });
    story.tell(`
      alice  buy limit 1 @ 100 stp=cancelTaker    => filled: 1@100
      alice  buy limit 3 @ 101 stp=cancelTaker    => partiallyCanceled stp: 2@100
    `);
    story.run({ kind: 'addToStpGroup', master, group, members: [alice2] });
    story.run({ kind: 'removeFromStpGroup', master, group, members: [alice3] });
    story.tell(`
      alice  buy limit 1 @ 101 stp=cancelTaker    => filled: 1@101
    `);
    story.run({ kind: 'addToStpGroup', master, group, members: [alice3] });
    story.tell(`
      alice  buy limit 1 @ 101 stp=cancelTaker    => canceled stp
    `);
    story.run({ kind: 'deleteStpGroup', master, group });
    story.tell(`
      alice  buy limit 1 @ 101 stp=cancelTaker    => filled: 1@101
    `);
  });

  test('SPEC-STP-01: each order of a batch has its own mode', () => {
    const story = new TradingStory();
    story.group('alice', 'alice2');
    story.tell(`
      alice2 sell limit 1 @ 100                   => new
      bob    sell limit 1 @ 100                   => new
      alice2 sell limit 1 @ 100                   => new
    `);
    const orders = ['cancelMaker', 'cancelTaker', 'none'].map((mode) =>
      parseOrder(`buy limit 1 @ 100 stp=${mode}`.split(' ')),
    );
    const events = story.run({ kind: 'placeOrders', account: story.account('alice'), orders });
    const closed = events.flatMap((event) =>
      event.kind === 'orderClosed' ? [`#${event.order.order} ${event.order.closeReason}`] : [],
    );
    expect(closed).toEqual([...['#1 stp', '#2 filled', '#4 filled'], ...['#5 stp'], ...['#3 filled', '#6 filled']]);
  });
});
