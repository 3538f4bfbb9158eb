import { wireLimits } from '#http/limits.ts';
import type { Lots, PriceTicks } from '#model/units.ts';
import type { BookImage } from '#sequencer/queries/exchange-queries.ts';
import type { BestPrices } from '#market-data/depth-book.ts';
import { lotsText, priceText } from '#market-data/symbol-directory.ts';
import {
  publicChannel,
  type PublicTopic,
  SharedState,
  speedMs,
  type TopicParts,
} from '#websocket/topics/public-topic.ts';
import { declareBody, type Push, type Receiver } from '#websocket/pushes/push.ts';
import { type ContentOf, declareMessage, field, type Message, repeated } from '#websocket/wire/message.ts';

const limits = wireLimits.streams;

const levelPrice = field(1, 'string');
const aggreDepthLevel = declareMessage('PublicAggreDepthV3ApiItem', '', {
  price: levelPrice,
  quantity: field(2, 'string', 'All that rests at this price now; 0: nothing, remove the level.'),
});
const limitDepthLevel = declareMessage('PublicLimitDepthV3ApiItem', '', {
  price: levelPrice,
  quantity: field(2, 'string'),
});
const eventType = field(3, 'string', 'The channel without its pair.');
const versionField = (number: number) => field(number, 'string', 'Version of the book.');
/** DEC-STR-24. */
const lastChange = (number: number) =>
  field(
    number,
    'int64',
    'When the book last changed, milliseconds since 1970 UTC; 0 in a first state, if it is not known.',
  );

const aggreDepths = declareMessage(
  'PublicAggreDepthsV3Api',
  'Changed levels between two versions; quantities are absolute, 0 removes a level.',
  {
    asks: repeated(1, aggreDepthLevel),
    bids: repeated(2, aggreDepthLevel),
    eventType,
    fromVersion: field(4, 'string', 'Version of the book after the first change in this push.'),
    toVersion: field(5, 'string', 'Version of the book after the last change in this push.'),
    lastOrderCreateTime: field(6, 'int64', 'When the book last changed, milliseconds since 1970 UTC.'),
  },
);
const limitDepths = declareMessage('PublicLimitDepthsV3Api', 'The best levels, whole each time.', {
  asks: repeated(1, limitDepthLevel),
  bids: repeated(2, limitDepthLevel),
  eventType,
  version: versionField(4),
  lastOrderCreateTime: lastChange(5),
});

const bestFields = {
  bidPrice: field(1, 'string'),
  bidQuantity: field(2, 'string'),
  askPrice: field(3, 'string'),
  askQuantity: field(4, 'string'),
};
/** Best prices without a version: an item of a batch. */
export const bookTicker = declareMessage('PublicBookTickerV3Api', '', bestFields);
const aggreBookTicker = declareMessage('PublicAggreBookTickerV3Api', '', {
  ...bestFields,
  version: versionField(5),
  lastOrderCreateTime: lastChange(6),
});
const bookTickerBatch = declareMessage('PublicBookTickerBatchV3Api', '', {
  items: repeated(1, bookTicker),
  version: versionField(2),
  lastOrderCreateTime: lastChange(3),
});

const levelPrinter =
  ({ market, symbol }: TopicParts<Message>) =>
  ([price, lots]: readonly [PriceTicks, Lots]): ContentOf<typeof limitDepthLevel> => {
    const listed = market.directory.at(symbol);
    return { price: priceText(listed, price), quantity: lotsText(listed, lots) };
  };

const ascending = (first: readonly [number, Lots], second: readonly [number, Lots]): number => first[0] - second[0];

/**
 * Changed levels with the versions that they span. Versions of one channel follow each other without a gap, from the
 * first change after its first subscription on. DEC-STR-20.
 */
function depthTopic(parts: TopicParts<typeof aggreDepths>): PublicTopic {
  const { scheduler, publisher } = parts;
  const periodMs = speedMs(publisher.name);
  const print = levelPrinter(parts);
  let bids = new Map<PriceTicks, Lots>();
  let asks = new Map<PriceTicks, Lots>();
  let from = 0;
  let to = 0;
  let lastAt = 0;
  const topic: PublicTopic = {
    sendSnapshot: () => {},
    level: ({ version, side, price, lots, at }) => {
      if (from === 0) from = version;
      to = version;
      lastAt = at;
      (side === 'buy' ? bids : asks).set(price, lots);
      if (bids.size + asks.size >= limits.itemsPerPush) topic.flush();
      else scheduler.mark(topic, periodMs);
    },
    flush: () => {
      if (from === 0) return;
      const content = {
        asks: [...asks].sort(ascending).map(print),
        bids: [...bids].sort(ascending).reverse().map(print),
        eventType: publisher.eventType,
        fromVersion: String(from),
        toVersion: String(to),
        lastOrderCreateTime: lastAt,
      };
      bids = new Map();
      asks = new Map();
      from = 0;
      publisher.publish(publisher.createPush(lastAt, content));
    },
  };
  return topic;
}

/** A topic that shows a part of a book, whenever that changed: its pushes, and the one for new receivers. */
interface Showing<Shown, Of extends Message> {
  readonly read: () => Shown;
  readonly isSame: (one: Shown, other: Shown) => boolean;
  readonly contentOf: (shown: Shown, lastAt: number) => ContentOf<Of>;
  readonly periodMs: number;
}

/** Tells what is shown at the end of each window in which it changed. DEC-STR-22. */
function showingTopic<Shown, Of extends Message>(
  parts: TopicParts<Of>,
  { read, isSame, contentOf, periodMs }: Showing<Shown, Of>,
): PublicTopic {
  const { scheduler, publisher } = parts;
  let lastAt = 0;
  let lastSent = read();
  const pushOf = (shown: Shown): Push => createStatePush(parts, lastAt, contentOf(shown, lastAt));
  const topic: PublicTopic = {
    sendSnapshot: sharedSnapshot(parts, () => pushOf(read())),
    level: ({ at }) => {
      lastAt = at;
      scheduler.mark(topic, periodMs);
    },
    flush: () => {
      const shown = read();
      if (isSame(shown, lastSent)) return;
      lastSent = shown;
      publisher.publish(pushOf(shown));
    },
  };
  return topic;
}

/** A push of a book as it is; as long as no change of it was seen, of this moment. */
const createStatePush = <Of extends Message>(
  { publisher, clock }: TopicParts<Of>,
  lastAt: number,
  content: ContentOf<Of>,
): Push => publisher.createPush(lastAt === 0 ? clock.now() : lastAt, content);

/** Sends the current state of a book, which new receivers share while its version stands. */
function sharedSnapshot({ market, scheduler, symbol }: TopicParts<Message>, make: () => Push): (to: Receiver) => void {
  const state = new SharedState(scheduler);
  return (receiver) => receiver.push(state.of(market.depthVersion(symbol), make));
}

const areSameLevels = (one: BookImage['bids'], other: BookImage['bids']): boolean =>
  one.length === other.length &&
  one.every(([price, lots], index) => price === other[index]?.[0] && lots === other[index]?.[1]);

/** All of the best levels. */
function limitDepthTopic(parts: TopicParts<typeof limitDepths>): PublicTopic {
  const { market, publisher, symbol } = parts;
  const print = levelPrinter(parts);
  return showingTopic(parts, {
    read: () => market.depth(symbol, Number(publisher.name.values.levels)),
    isSame: (one, other) => areSameLevels(one.bids, other.bids) && areSameLevels(one.asks, other.asks),
    contentOf: (image, lastAt) => ({
      asks: image.asks.map(print),
      bids: image.bids.map(print),
      eventType: publisher.eventType,
      version: String(image.version),
      lastOrderCreateTime: lastAt,
    }),
    periodMs: limits.snapshotMs,
  });
}

const isSameBest = (one: BestPrices, other: BestPrices): boolean =>
  one.bid?.price === other.bid?.price &&
  one.bid?.lots === other.bid?.lots &&
  one.ask?.price === other.ask?.price &&
  one.ask?.lots === other.ask?.lots;

/** Best prices as the wire has them; a side without orders is empty. DEC-STR-23. */
const bestPrinter =
  ({ market, symbol }: TopicParts<Message>) =>
  ({ bid, ask }: BestPrices): ContentOf<typeof bookTicker> => {
    const listed = market.directory.at(symbol);
    return {
      bidPrice: bid === null ? '' : priceText(listed, bid.price),
      bidQuantity: bid === null ? '' : lotsText(listed, bid.lots),
      askPrice: ask === null ? '' : priceText(listed, ask.price),
      askQuantity: ask === null ? '' : lotsText(listed, ask.lots),
    };
  };

/** Best bid and ask. */
function bookTickerTopic(parts: TopicParts<typeof aggreBookTicker>): PublicTopic {
  const { market, publisher, symbol } = parts;
  const print = bestPrinter(parts);
  return showingTopic(parts, {
    read: () => market.bestPrices(symbol),
    isSame: isSameBest,
    contentOf: (best, lastAt) => ({
      ...print(best),
      version: String(market.depthVersion(symbol)),
      lastOrderCreateTime: lastAt,
    }),
    periodMs: speedMs(publisher.name),
  });
}

/** Every change of the best bid and ask since the last push. DEC-STR-21. */
function bookTickerBatchTopic(parts: TopicParts<typeof bookTickerBatch>): PublicTopic {
  const { market, scheduler, publisher, symbol } = parts;
  const print = bestPrinter(parts);
  let items: ContentOf<typeof bookTicker>[] = [];
  let lastAt = 0;
  let lastSent = market.bestPrices(symbol);
  const pushOf = (batch: typeof items): Push =>
    createStatePush(parts, lastAt, {
      items: batch,
      version: String(market.depthVersion(symbol)),
      lastOrderCreateTime: lastAt,
    });
  const topic: PublicTopic = {
    sendSnapshot: sharedSnapshot(parts, () => pushOf([print(market.bestPrices(symbol))])),
    level: ({ at }) => {
      const best = market.bestPrices(symbol);
      if (isSameBest(best, lastSent)) return;
      lastSent = best;
      lastAt = at;
      items.push(print(best));
      if (items.length >= limits.itemsPerPush) topic.flush();
      else scheduler.mark(topic, limits.batchMs);
    },
    flush: () => {
      if (items.length === 0) return;
      const batch = items;
      items = [];
      publisher.publish(pushOf(batch));
    },
  };
  return topic;
}

/** The channels of books. */
export const bookChannels = {
  aggreDepth: publicChannel({
    stem: 'public.aggre.depth.v3.api.pb',
    parts: ['speed', 'symbol'],
    body: declareBody('publicAggreDepths', 313, aggreDepths),
    summary: 'Changed levels of a book, with the range of versions they span.',
    pushedWhen: 'every 10 or 100 ms with changes',
    startsWithState: false,
    weight: 1,
    sequence:
      '`fromVersion` is one after the `toVersion` of the push before; the versions between are in this push. A ' +
      'level that changed more than once is listed once, as it is at `toVersion`. Asks and bids begin with the best ' +
      'price.',
    openTopic: depthTopic,
  }),
  aggreBookTicker: publicChannel({
    stem: 'public.aggre.bookTicker.v3.api.pb',
    parts: ['speed', 'symbol'],
    body: declareBody('publicAggreBookTicker', 315, aggreBookTicker),
    summary: 'Best bid and ask of a pair.',
    pushedWhen: 'every 10 or 100 ms when it changed',
    startsWithState: true,
    weight: 2,
    sequence: 'Replaces what came before. `version` is that of the book. A side without orders is empty text.',
    openTopic: bookTickerTopic,
  }),
  limitDepth: publicChannel({
    stem: 'public.limit.depth.v3.api.pb',
    parts: ['symbol', 'levels'],
    body: declareBody('publicLimitDepths', 303, limitDepths),
    summary: 'The best levels of a book, whole each time.',
    pushedWhen: 'every 100 ms when it changed',
    startsWithState: true,
    weight: 2,
    sequence: 'Replaces what came before. `version` is that of the book. Asks and bids begin with the best price.',
    openTopic: limitDepthTopic,
  }),
  bookTickerBatch: publicChannel({
    stem: 'public.bookTicker.batch.v3.api.pb',
    parts: ['symbol'],
    body: declareBody('publicBookTickerBatch', 311, bookTickerBatch),
    summary: 'Every best bid and ask there was since the last push.',
    pushedWhen: 'every 10 ms with changes',
    startsWithState: true,
    weight: 2,
    sequence:
      'Oldest first; the last item is the current one, and `version` is that of the book then. A side without ' +
      'orders is empty text.',
    openTopic: bookTickerBatchTopic,
  }),
};
