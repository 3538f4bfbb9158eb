import { describe, expect, test } from 'vitest';
import { ClientOrderId } from '#model/client-order-id.ts';
import type { OrderRequest } from '#model/order.ts';
import type { RejectReason } from '#model/rejection.ts';
import { rejectReasons } from '#model/rejection.ts';
import type { SymbolListing } from '#model/symbol.ts';
import { as } from '#model/units.ts';
import { outcomeOf, TradingStory } from './trading-story.ts';

/** Everything that can be wrong with a buy at once: an order, the rules it meets, and the account it comes from. */
interface Attempt {
  order: OrderRequest;
  rules: Partial<SymbolListing>;
  openOrdersMax: number;
  isFunded: boolean;
}

const worst = (kind: 'postOnly' | 'market' | 'limit'): Attempt => ({
  order: {
    symbol: as(99),
    side: 'buy',
    kind,
    price: kind === 'market' ? null : as(100_000),
    quantity: as(0),
    budget: as(0),
    clientOrderId: ClientOrderId.of('taken'),
    stpMode: 'none',
  },
  rules: {
    status: 'paused',
    apiTradingAllowed: false,
    tradeSideType: 'sellOnly',
    orderKinds: [kind === 'market' ? 'limit' : 'market'],
    minLots: as(100),
    minNotional: as(10 ** 12),
    minNotionalMarket: as(10 ** 12),
    maxNotional: as(2 ** 50),
    maxNotionalMarket: as(2 ** 50),
    bidMultiplierUpPpm: 1_000_000,
  },
  openOrdersMax: 1,
  isFunded: false,
});

type Mend = (attempt: Attempt) => void;
const amounts = (least: number, most: number) => ({
  minNotional: least,
  minNotionalMarket: least,
  maxNotional: most,
  maxNotionalMarket: most,
});

/** The reasons in the order of DEC-ORD-04, each with what takes it away. */
const ladder: readonly (readonly [RejectReason, Mend])[] = [
  ['unknownSymbol', ({ order }) => Object.assign(order, { symbol: 0 })],
  ['tradingSuspended', ({ rules }) => Object.assign(rules, { status: 'online' })],
  ['apiTradingOff', ({ rules }) => Object.assign(rules, { apiTradingAllowed: true })],
  ['sideNotAllowed', ({ rules }) => Object.assign(rules, { tradeSideType: 'buyOnly' })],
  ['kindNotAllowed', () => undefined],
  [
    'marketNotAllowed',
    ({ rules, order }) => Object.assign(rules, { orderKinds: [...new Set(['market', order.kind, 'limit'])] }),
  ],
  ['malformedOrder', ({ order }) => Object.assign(order, { budget: null })],
  ['belowMinimumQuantity', ({ order }) => Object.assign(order, { quantity: 1000 })],
  ['belowMinimumAmount', ({ rules }) => Object.assign(rules, amounts(1, 10 ** 8))],
  ['aboveMaximumAmount', ({ rules }) => Object.assign(rules, amounts(1, 2 ** 50))],
  ['priceOutsideBand', ({ rules }) => Object.assign(rules, { bidMultiplierUpPpm: 20_000_000 })],
  ['tooManyOpenOrders', (attempt) => Object.assign(attempt, { openOrdersMax: 500 })],
  ['clientOrderIdInUse', ({ order }) => Object.assign(order, { clientOrderId: ClientOrderId.of('fresh') })],
  ['wouldTakeLiquidity', () => undefined],
  ['noOpposingOrder', () => undefined],
  ['notEnoughQuote', (attempt) => Object.assign(attempt, { isFunded: true })],
];
/** Reasons that a kind of order never meets, or meets under another name. */
const notMet: Record<string, readonly RejectReason[]> = {
  limit: ['marketNotAllowed', 'wouldTakeLiquidity', 'noOpposingOrder'],
  postOnly: ['marketNotAllowed', 'noOpposingOrder', 'priceOutsideBand', 'notEnoughQuote'],
  market: ['kindNotAllowed', 'priceOutsideBand', 'tooManyOpenOrders', 'wouldTakeLiquidity', 'notEnoughQuote'],
};

/** What the attempt meets: a last price of 100, a resting order of carol at 500 unless the order is a market order. */
function outcomeOfAttempt({ order, rules, openOrdersMax, isFunded }: Attempt): string {
  const story = new TradingStory();
  story.tell(`
    bob   buy limit 1 @ 100              => new
    carol sell limit 1 @ 100             => filled: 1@100
    alice buy limit 1 @ 1 id=taken       => new
  `);
  if (order.kind !== 'market') story.tell('carol sell limit 0.5 @ 500 => new');
  const account = story.account('alice');
  story.run({ kind: 'setTradingRules', account, makerFeePpm: null, takerFeePpm: null, openOrdersMax });
  if (openOrdersMax > 1) story.tell('alice buy limit 99.5 @ 100 on TKNUSDT => new');
  if (isFunded) story.tell('alice gets 10000 USDT =>');
  story.relist(rules);
  const before = story.engine.digest();
  const predicted = story.engine.matching.orderRefusal(account, order);
  const outcome = outcomeOf(story.run({ kind: 'placeOrder', account, order }));
  expect(outcome.startsWith('refused') ? outcome.slice(8) : null).toBe(predicted);
  if (outcome.startsWith('refused')) expect(story.engine.digest()).toBe(before);
  return outcome;
}

describe('DEC-ORD-04: refusal precedence', () => {
  test('the table of reasons stands in the order of DEC-ORD-04', () => {
    const known = ladder.map(([reason]) => rejectReasons.indexOf(reason));
    expect(known).toEqual([...known].sort((first, second) => first - second));
  });

  test.for(['limit', 'postOnly', 'market'] as const)('a %s order is answered the first reason that applies', (kind) => {
    const attempt = worst(kind);
    for (const [reason, mend] of ladder) {
      if (!notMet[kind]?.includes(reason)) expect(outcomeOfAttempt(attempt)).toBe(`refused ${reason}`);
      mend(attempt);
    }
  });

  test('E01: terms that a kind needs cannot be left out', () => {
    new TradingStory().tell(`
      alice buy limit 1 @ -          => refused malformedOrder
      alice buy limit - @ 100        => refused malformedOrder
      alice buy market               => refused malformedOrder
      alice buy fok 1 @ 0            => refused malformedOrder
      alice buy market 1 @ 100       => refused malformedOrder
    `);
  });

  test('C05: a quantity of zero is below the minimum', () => {
    new TradingStory().tell(`
      alice buy limit 0 @ 100        => refused belowMinimumQuantity
      alice buy market 0             => refused belowMinimumQuantity
      alice buy market for 0         => refused belowMinimumAmount
    `);
  });

  test('E16: a paused market refuses orders and lets them be cancelled', () => {
    const story = new TradingStory();
    story.tell('alice buy limit 1 @ 100 => new');
    for (const status of ['paused', 'cancelOnly'] as const) {
      story.relist({ status });
      story.tell('alice sell limit 1 @ 100 => refused tradingSuspended');
    }
    story.tell('alice cancel #1 => canceled').tell('alice USDT => 10000');
  });

  test('E16: a market takes only the sides and kinds it is open for', () => {
    const story = new TradingStory();
    const outcomes = (['all', 'buyOnly', 'sellOnly', 'closed'] as const).map((tradeSideType) => {
      story.relist({ tradeSideType });
      return [story.say('alice buy limit 1 @ 1'), story.say('alice sell limit 1 @ 1000')];
    });
    const no = 'refused sideNotAllowed';
    expect(outcomes).toEqual([
      ['new', 'new'],
      ['new', no],
      [no, 'new'],
      [no, no],
    ]);
    story.relist({ orderKinds: ['limit'] });
    story.tell(`
      alice buy maker 1 @ 1          => refused kindNotAllowed
      alice buy market 1             => refused marketNotAllowed
      alice buy limit 1 @ 1          => new
    `);
  });

  test('E22: the cap on open orders counts only those that may rest', () => {
    const story = new TradingStory();
    story.run({
      kind: 'setTradingRules',
      account: story.account('alice'),
      makerFeePpm: null,
      takerFeePpm: null,
      openOrdersMax: 2,
    });
    story.tell(`
      alice buy limit 1 @ 100        => new
      alice buy limit 1 @ 100        => new
      alice buy limit 1 @ 100        => refused tooManyOpenOrders
      alice buy maker 1 @ 100        => refused tooManyOpenOrders
      bob   sell limit 1 @ 101       => new
      alice buy ioc 0.5 @ 101        => filled: 0.5@101
      alice buy market 0.5           => filled: 0.5@101
      alice cancel #1                => canceled
      alice buy limit 1 @ 100        => new
    `);
  });

  test('D03: an order of somebody else, or of another market, cannot be cancelled', () => {
    new TradingStory().tell(`
      alice buy limit 1 @ 100 id=x   => new
      bob   cancel #1                => refused unknownOrder
      bob   cancel x                 => refused unknownOrder
      alice cancel #2                => refused unknownOrder
      alice buy limit 1 @ 1 on TKNUSDT => new
      alice cancel #2                => refused unknownOrder
      alice cancel x                 => canceled
      alice cancel x                 => refused unknownOrder
    `);
  });
});
