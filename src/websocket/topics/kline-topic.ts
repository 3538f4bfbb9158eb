import { streamIntervals, type StreamInterval } from '#websocket/channel.ts';
import { wireLimits } from '#http/limits.ts';
import { type Candle, candleOpenTime, shiftCandle } from '#model/candle.ts';
import type { TimestampMs } from '#model/units.ts';
import { type ListedSymbol, lotsText, priceText, quoteText } from '#market-data/symbol-directory.ts';
import { declareBody, type Push } from '#websocket/pushes/push.ts';
import { publicChannel, type PublicTopic, SharedState, type TopicParts } from '#websocket/topics/public-topic.ts';
import { type ContentOf, declareMessage, field } from '#websocket/wire/message.ts';

const limits = wireLimits.streams;

const klineMessage = declareMessage('PublicSpotKlineV3Api', '', {
  interval: field(1, 'string', 'As in the name of the channel.'),
  windowStart: field(2, 'int64', 'Seconds since 1970 UTC.'),
  openingPrice: field(3, 'string'),
  closingPrice: field(4, 'string'),
  highestPrice: field(5, 'string'),
  lowestPrice: field(6, 'string'),
  volume: field(7, 'string', 'In the base asset.'),
  amount: field(8, 'string', 'In the quote asset.'),
  windowEnd: field(9, 'int64', 'windowStart plus the interval, seconds.'),
});

/**
 * The current candle of a symbol: at the end of each second in which it changed, when its window begins, and once more
 * when it is over, if trades came after the push before. DEC-STR-22, DEC-STR-28.
 *
 * The first trade of a later window ends the one before it. Without such a trade the clock does, once any later entry
 * was seen, or else a second late: a trade of the last moment may still be on its way from the journal. One that comes
 * later still takes the topic back to its window, so that the last push about a window is right in any case.
 */
function klineTopic(parts: TopicParts<typeof klineMessage>): PublicTopic {
  const { market, scheduler, clock, lastEntryAt, publisher, symbol } = parts;
  const word = publisher.name.values.interval as StreamInterval;
  const interval = streamIntervals[word];
  const windowOf = (at: number): TimestampMs => candleOpenTime(interval, at);
  const current = (now: TimestampMs): Candle | null => market.currentCandle(symbol, interval, now);
  const pushOf = (candle: Candle): Push =>
    publisher.createPush(clock.now(), contentOf(market.directory.at(symbol), word, candle));
  const publish = (candle: Candle): void => publisher.publish(pushOf(candle));
  const state = new SharedState(scheduler);
  /** Of the window that is told of: that of the last trade, or a later one. */
  let openTime = windowOf(clock.now());
  openTime = current(openTime)?.openTime ?? openTime;
  let closeTime = shiftCandle(interval, openTime, 1);
  /** The candle changed since its last push. */
  let isChanged = false;
  /** The clock had passed its end at the flush before. */
  let isOver = false;
  const turn = (to: TimestampMs): void => {
    openTime = to;
    closeTime = shiftCandle(interval, to, 1);
    isChanged = true;
    isOver = false;
  };
  const tellChange = (): void => {
    const candle = isChanged ? current(openTime) : null;
    isChanged = false;
    if (candle !== null) publish(candle);
  };
  const topic: PublicTopic = {
    sendSnapshot: (receiver) => {
      const candle = current(openTime);
      if (candle === null) return;
      receiver.push(state.of(`${candle.openTime} ${candle.trades}`, () => pushOf(candle)));
    },
    trade: (_trade, at) => {
      if (at >= closeTime && isChanged) {
        const closed = market.closedCandle(symbol, interval);
        if (closed?.openTime === openTime) publish(closed);
      }
      if (at < openTime || at >= closeTime) turn(windowOf(at));
      isChanged = true;
    },
    flush: () => {
      scheduler.mark(topic, limits.klineMs);
      tellChange();
      const now = clock.now();
      if (now >= closeTime && (isOver || lastEntryAt() >= closeTime)) turn(windowOf(now));
      tellChange();
      isOver = now >= closeTime;
    },
  };
  scheduler.mark(topic, limits.klineMs);
  return topic;
}

function contentOf(listed: ListedSymbol, interval: StreamInterval, candle: Candle): ContentOf<typeof klineMessage> {
  return {
    interval,
    windowStart: candle.openTime / 1000,
    openingPrice: priceText(listed, candle.open),
    closingPrice: priceText(listed, candle.close),
    highestPrice: priceText(listed, candle.high),
    lowestPrice: priceText(listed, candle.low),
    volume: lotsText(listed, candle.lots),
    amount: quoteText(listed, candle.quoteAmount),
    windowEnd: candle.closeTime / 1000,
  };
}

/** The channel of candles. */
export const klineChannels = {
  kline: publicChannel({
    stem: 'public.kline.v3.api.pb',
    parts: ['symbol', 'interval'],
    body: declareBody('publicSpotKline', 308, klineMessage),
    summary: 'The current candle of a pair.',
    pushedWhen: 'every second when it changed or a window began, and once more when a window is over',
    startsWithState: true,
    weight: 2,
    sequence:
      'The same `windowStart` replaces the candle, a later one begins the next. The last push of a window is its ' +
      'final candle, as GET /api/v3/klines has it; it comes with the first trade of a later window, else within two ' +
      'seconds of `windowEnd`, and not again if nothing traded since the push before.',
    openTopic: klineTopic,
  }),
};
