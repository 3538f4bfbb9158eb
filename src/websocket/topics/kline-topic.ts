import { streamIntervals, type StreamInterval } from '#websocket/channels.ts';
import { wireLimits } from '#http/limits.ts';
import { type Candle, candleOpenTime, shiftCandle } from '#model/candle.ts';
import type { TimestampMs } from '#model/units.ts';
import { type ListedSymbol, lotsText, priceText, quoteText } from '#market-data/symbol-directory.ts';
import { type PublicTopic, SharedState, type SymbolTopicParts } from '#websocket/topics/public-topic.ts';
import type { Push, PushBody } from '#websocket/pushes/push.ts';

const limits = wireLimits.streams;

/**
 * The current candle of a symbol: at the end of each second in which it changed, when its window begins, and once more
 * when it is over, if trades came after the push before. DEC-STR-22, DEC-STR-28.
 *
 * The first trade of a later window ends the one before it. Without such a trade the clock does, once any later entry
 * was seen, or else a second late: a trade of the last moment may still be on its way from the journal. One that comes
 * later still takes the topic back to its window, so that the last push about a window is right in any case.
 */
export function klineTopic(parts: SymbolTopicParts): PublicTopic {
  const { market, scheduler, clock, lastEntryAt, publisher, symbol } = parts;
  const word = publisher.channel.values.interval as StreamInterval;
  const interval = streamIntervals[word];
  const windowOf = (at: number): TimestampMs => candleOpenTime(interval, at);
  const current = (now: TimestampMs): Candle | null => market.currentCandle(symbol, interval, now);
  const pushOf = (candle: Candle): Push =>
    publisher.createPush(clock.now(), bodyOf(market.directory.at(symbol), word, candle));
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

function bodyOf(listed: ListedSymbol, interval: StreamInterval, candle: Candle): PushBody {
  return {
    case: 'publicSpotKline',
    value: {
      interval,
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
}
