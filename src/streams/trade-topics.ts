import type { MessageInitShape } from '@bufbuild/protobuf';
import { streamIntervals, type StreamInterval } from '#api/channels.ts';
import { wireLimits } from '#api/limits.ts';
import type { Candle } from '#domain/candle.ts';
import { lotsText, priceText, quoteText } from '#projections/symbol-directory.ts';
import { tradeTypes } from '#streams/private-contents.ts';
import { speedMs, type PublicTopic, type SymbolTopicParts } from '#streams/public-topic.ts';
import type { PushBody } from '#streams/push.ts';
import type { PublicAggreDealsV3ApiItemSchema } from '#streams/wire/push_pb.ts';

type Deals = MessageInitShape<typeof PublicAggreDealsV3ApiItemSchema>[];
const limits = wireLimits.streams;

/** Every trade of a symbol, not merged; one push per window. */
export function dealsTopic({ market, scheduler, publisher, symbol }: SymbolTopicParts): PublicTopic {
  const periodMs = speedMs(publisher.channel);
  let deals: Deals = [];
  let lastAt = 0;
  const topic: PublicTopic = {
    sendSnapshot: () => {},
    trade: (trade, at) => {
      lastAt = at;
      const listed = market.directory.at(symbol);
      deals.push({
        price: priceText(listed, trade.price),
        quantity: lotsText(listed, trade.lots),
        tradeType: tradeTypes[trade.takerSide],
        time: BigInt(at),
        tradeId: String(trade.trade),
      });
      if (deals.length >= limits.itemsPerPush) topic.flush();
      else scheduler.mark(topic, periodMs);
    },
    flush: () => {
      if (deals.length === 0) return;
      const value = { deals, eventType: publisher.eventType };
      deals = [];
      publisher.publish(publisher.createPush(lastAt, { case: 'publicAggreDeals', value }));
    },
  };
  return topic;
}

/** The current candle of a symbol, at the end of each second in which it changed or a new one began. */
export function klineTopic({ market, scheduler, clock, publisher, symbol }: SymbolTopicParts): PublicTopic {
  const word = publisher.channel.values.interval as StreamInterval;
  const interval = streamIntervals[word];
  let lastSent: Candle | null = null;
  const bodyOf = (candle: Candle): PushBody => {
    const listed = market.directory.at(symbol);
    return {
      case: 'publicSpotKline',
      value: {
        interval: word,
        windowStart: BigInt(candle.openTime / 1000),
        openingPrice: priceText(listed, candle.open),
        closingPrice: priceText(listed, candle.close),
        highestPrice: priceText(listed, candle.high),
        lowestPrice: priceText(listed, candle.low),
        volume: lotsText(listed, candle.lots),
        amount: quoteText(listed, candle.quoteAmount),
        windowEnd: BigInt(candle.closeTime / 1000),
      },
    };
  };
  const current = (): Candle | null => market.currentCandle(symbol, interval, clock.now() as Candle['openTime']);
  const topic: PublicTopic = {
    sendSnapshot: (receiver) => {
      const candle = current();
      if (candle !== null) receiver.push(publisher.createPush(clock.now(), bodyOf(candle)));
    },
    flush: () => {
      scheduler.mark(topic, limits.klineMs);
      const candle = current();
      if (candle === null || (lastSent?.openTime === candle.openTime && lastSent.trades === candle.trades)) return;
      lastSent = candle;
      publisher.publish(publisher.createPush(clock.now(), bodyOf(candle)));
    },
  };
  lastSent = current();
  scheduler.mark(topic, limits.klineMs);
  return topic;
}
