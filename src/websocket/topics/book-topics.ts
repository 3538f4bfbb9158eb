import type { MessageInitShape } from '@bufbuild/protobuf';
import { wireLimits } from '#http/limits.ts';
import type { Lots, PriceTicks } from '#model/units.ts';
import type { BookImage } from '#sequencer/queries/exchange-queries.ts';
import type { BestPrices } from '#market-data/depth-book.ts';
import { lotsText, priceText } from '#market-data/symbol-directory.ts';
import { SharedState, speedMs, type PublicTopic, type SymbolTopicParts } from '#websocket/topics/public-topic.ts';
import type { Push } from '#websocket/pushes/push.ts';
import type { PublicBookTickerV3ApiSchema } from '#websocket/wire/push_pb.ts';

const limits = wireLimits.streams;

interface LevelMessage {
  readonly price: string;
  readonly quantity: string;
}

const levelPrinter =
  ({ market, symbol }: SymbolTopicParts) =>
  ([price, lots]: readonly [PriceTicks, Lots]): LevelMessage => {
    const listed = market.directory.at(symbol);
    return { price: priceText(listed, price), quantity: lotsText(listed, lots) };
  };

const ascending = (first: readonly [number, Lots], second: readonly [number, Lots]): number => first[0] - second[0];

/**
 * Changed levels with the versions that they span. Versions of one channel follow each other without a gap, from the
 * first change after its first subscription on. DEC-STR-20.
 */
export function depthTopic(parts: SymbolTopicParts): PublicTopic {
  const { scheduler, publisher } = parts;
  const periodMs = speedMs(publisher.channel);
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
      const value = {
        asks: [...asks].sort(ascending).map(print),
        bids: [...bids].sort(ascending).reverse().map(print),
        eventType: publisher.eventType,
        fromVersion: String(from),
        toVersion: String(to),
        lastOrderCreateTime: BigInt(lastAt),
      };
      bids = new Map();
      asks = new Map();
      from = 0;
      publisher.publish(publisher.createPush(lastAt, { case: 'publicAggreDepths', value }));
    },
  };
  return topic;
}

const areSameLevels = (one: BookImage['bids'], other: BookImage['bids']): boolean =>
  one.length === other.length &&
  one.every(([price, lots], index) => price === other[index]?.[0] && lots === other[index]?.[1]);

/** All of the best levels, whenever one of them changed. DEC-STR-22. */
export function limitDepthTopic(parts: SymbolTopicParts): PublicTopic {
  const { market, scheduler, clock, publisher, symbol } = parts;
  const levels = Number(publisher.channel.values.levels);
  const print = levelPrinter(parts);
  let lastAt = 0;
  let lastSent = market.depth(symbol, levels);
  const state = new SharedState(scheduler);
  const pushOf = (image: BookImage): Push =>
    publisher.createPush(lastAt === 0 ? clock.now() : lastAt, {
      case: 'publicLimitDepths',
      value: {
        asks: image.asks.map(print),
        bids: image.bids.map(print),
        eventType: publisher.eventType,
        version: String(image.version),
        lastOrderCreateTime: BigInt(lastAt),
      },
    });
  const topic: PublicTopic = {
    sendSnapshot: (receiver) =>
      receiver.push(state.of(market.depthVersion(symbol), () => pushOf(market.depth(symbol, levels)))),
    level: ({ at }) => {
      lastAt = at;
      scheduler.mark(topic, limits.snapshotMs);
    },
    flush: () => {
      const image = market.depth(symbol, levels);
      if (areSameLevels(image.bids, lastSent.bids) && areSameLevels(image.asks, lastSent.asks)) return;
      lastSent = image;
      publisher.publish(pushOf(image));
    },
  };
  return topic;
}

const isSameBest = (one: BestPrices, other: BestPrices): boolean =>
  one.bid?.price === other.bid?.price &&
  one.bid?.lots === other.bid?.lots &&
  one.ask?.price === other.ask?.price &&
  one.ask?.lots === other.ask?.lots;

/** Best prices as the wire has them; a side without orders is empty. DEC-STR-23. */
const bestPrinter =
  ({ market, symbol }: SymbolTopicParts) =>
  ({ bid, ask }: BestPrices) => {
    const listed = market.directory.at(symbol);
    return {
      bidPrice: bid === null ? '' : priceText(listed, bid.price),
      bidQuantity: bid === null ? '' : lotsText(listed, bid.lots),
      askPrice: ask === null ? '' : priceText(listed, ask.price),
      askQuantity: ask === null ? '' : lotsText(listed, ask.lots),
    };
  };

/** Best bid and ask at the end of each window in which they changed. */
export function bookTickerTopic(parts: SymbolTopicParts): PublicTopic {
  const { market, scheduler, clock, publisher, symbol } = parts;
  const periodMs = speedMs(publisher.channel);
  const print = bestPrinter(parts);
  let lastAt = 0;
  let lastSent = market.bestPrices(symbol);
  const state = new SharedState(scheduler);
  const pushOf = (best: BestPrices): Push =>
    publisher.createPush(lastAt === 0 ? clock.now() : lastAt, {
      case: 'publicAggreBookTicker',
      value: {
        ...print(best),
        version: String(market.depthVersion(symbol)),
        lastOrderCreateTime: BigInt(lastAt),
      },
    });
  const topic: PublicTopic = {
    sendSnapshot: (receiver) =>
      receiver.push(state.of(market.depthVersion(symbol), () => pushOf(market.bestPrices(symbol)))),
    level: ({ at }) => {
      lastAt = at;
      scheduler.mark(topic, periodMs);
    },
    flush: () => {
      const best = market.bestPrices(symbol);
      if (isSameBest(best, lastSent)) return;
      lastSent = best;
      publisher.publish(pushOf(best));
    },
  };
  return topic;
}

type BatchItems = MessageInitShape<typeof PublicBookTickerV3ApiSchema>[];

/** Every change of the best bid and ask since the last push. DEC-STR-21. */
export function bookTickerBatchTopic(parts: SymbolTopicParts): PublicTopic {
  const { market, scheduler, clock, publisher, symbol } = parts;
  const print = bestPrinter(parts);
  let items: BatchItems = [];
  let lastAt = 0;
  let lastSent = market.bestPrices(symbol);
  const state = new SharedState(scheduler);
  const pushOf = (batch: BatchItems): Push =>
    publisher.createPush(lastAt === 0 ? clock.now() : lastAt, {
      case: 'publicBookTickerBatch',
      value: { items: batch, version: String(market.depthVersion(symbol)), lastOrderCreateTime: BigInt(lastAt) },
    });
  const topic: PublicTopic = {
    sendSnapshot: (receiver) =>
      receiver.push(state.of(market.depthVersion(symbol), () => pushOf([print(market.bestPrices(symbol))]))),
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
