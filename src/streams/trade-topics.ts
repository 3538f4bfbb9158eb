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

/** Every trade of a pair, none merged; those of one window in one push. */
export function dealsTopic({ market, cadence, voice, symbol }: SymbolTopicParts): PublicTopic {
  const periodMs = speedMs(voice.channel);
  let deals: Deals = [];
  let lastAt = 0;
  const topic: PublicTopic = {
    greet: () => {},
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
      else cadence.mark(topic, periodMs);
    },
    flush: () => {
      if (deals.length === 0) return;
      const value = { deals, eventType: voice.eventType };
      deals = [];
      voice.publish(voice.say(lastAt, { case: 'publicAggreDeals', value }));
    },
  };
  return topic;
}

/** The growing candle of a pair, whenever a second ends in which it changed or another one began. */
export function klineTopic({ market, cadence, clock, voice, symbol }: SymbolTopicParts): PublicTopic {
  const word = voice.channel.values.interval as StreamInterval;
  const interval = streamIntervals[word];
  let told: Candle | null = null;
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
    greet: (receiver) => {
      const candle = current();
      if (candle !== null) receiver.push(voice.say(clock.now(), bodyOf(candle)));
    },
    flush: () => {
      cadence.mark(topic, limits.klineMs);
      const candle = current();
      if (candle === null || (told?.openTime === candle.openTime && told.trades === candle.trades)) return;
      told = candle;
      voice.publish(voice.say(clock.now(), bodyOf(candle)));
    },
  };
  told = current();
  cadence.mark(topic, limits.klineMs);
  return topic;
}
