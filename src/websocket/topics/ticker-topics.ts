import { formatDecimal } from '#base/decimal.ts';
import { streamZones, type StreamZone } from '#websocket/channels.ts';
import { wireLimits } from '#http/limits.ts';
import type { SymbolId, TimestampMs } from '#model/units.ts';
import { lotsText, priceText, quoteText } from '#market-data/symbol-directory.ts';
import type { Span } from '#websocket/topics/market-days.ts';
import type { PublicTopic, SymbolTopicParts, TopicParts, TopicPublisher } from '#websocket/topics/public-topic.ts';
import type { Push, PushBody, Receiver } from '#websocket/pushes/push.ts';

const limits = wireLimits.streams;
/** The zone that `rate` always is about. DEC-STR-25. */
const homeZoneMinutes = 480;

type MiniTicker = Extract<PushBody, { case: 'publicMiniTicker' }>['value'];

/** Day statistics of one symbol in the channel's zone, every three seconds. */
export function miniTickerTopic(parts: SymbolTopicParts): PublicTopic {
  const { publisher, clock, market, symbol } = parts;
  return periodicTopic(
    parts,
    publisher,
    () => [symbol],
    (now) => `${market.trades(symbol, 1)[0]?.trade ?? 0} ${Math.floor(now / 1000)}`,
    ([ticker]) => [publisher.createPush(clock.now(), { case: 'publicMiniTicker', value: ticker as MiniTicker })],
  );
}

/** Day statistics of every symbol in the channel's zone, split into pushes of bounded size. */
export function miniTickersTopic(parts: TopicParts & { readonly publisher: TopicPublisher }): PublicTopic {
  const { publisher, clock, market } = parts;
  return periodicTopic(
    parts,
    publisher,
    () => market.directory.symbols.map(({ rules }) => rules.id),
    () => '',
    (tickers) => {
      const pushes: Push[] = [];
      for (let first = 0; first < tickers.length; first += limits.itemsPerPush) {
        const items = tickers.slice(first, first + limits.itemsPerPush);
        pushes.push(publisher.createPush(clock.now(), { case: 'publicMiniTickers', value: { items } }));
      }
      return pushes;
    },
  );
}

function periodicTopic(
  parts: TopicParts,
  publisher: TopicPublisher,
  symbols: () => readonly SymbolId[],
  versionAt: (now: number) => string,
  pushesOf: (tickers: MiniTicker[]) => readonly Push[],
): PublicTopic {
  const { clock, days, scheduler, onTrouble } = parts;
  const zone = publisher.channel.values.zone as StreamZone;
  const make = async (): Promise<readonly Push[]> => {
    const now = clock.now() as TimestampMs;
    for (const symbol of symbols()) await days.refresh(symbol, now);
    return pushesOf(symbols().map((symbol) => miniTicker(parts, symbol, zone, now)));
  };
  /**
   * Reuses recent pushes, so that frequent subscriptions do not recompute them: those of one pair while it has the same
   * trades, a list of all pairs in any case. DEC-STR-103.
   */
  const currentPushes = (): Promise<readonly Push[]> => {
    const { text } = publisher.channel;
    const known = parts.tickerPushes.get(text);
    const madeAt = scheduler.now();
    const version = versionAt(clock.now());
    const isKept = known?.version === version && madeAt - known.madeAt < limits.tickersKeptMs;
    if (isKept) return known.pushes;
    const pushes = make();
    parts.tickerPushes.set(text, { madeAt, version, pushes });
    return pushes;
  };
  const send = (receivers: () => Iterable<Receiver>): Promise<void> =>
    currentPushes().then(
      (pushes) => {
        for (const push of pushes) for (const receiver of receivers()) receiver.push(push);
      },
      (error: unknown) => onTrouble('making a mini ticker', error),
    );
  let isSending = false;
  const topic: PublicTopic = {
    sendSnapshot: (receiver) => void send(() => (publisher.receivers.has(receiver) ? [receiver] : [])),
    flush: () => {
      scheduler.mark(topic, limits.tickerMs);
      if (isSending) return;
      isSending = true;
      void send(() => publisher.receivers).then(() => {
        isSending = false;
      });
    },
  };
  scheduler.mark(topic, limits.tickerMs);
  return topic;
}

/** `lastClose…` are about the day before, in the zone; `24H` is rolling. DEC-STR-25. */
function miniTicker(parts: TopicParts, symbol: SymbolId, zone: StreamZone, now: TimestampMs): MiniTicker {
  const { market, days } = parts;
  const listed = market.directory.at(symbol);
  const minutes = streamZones[zone];
  const home = days.today(symbol, homeZoneMinutes, now);
  const homeBefore = days.yesterday(symbol, homeZoneMinutes, now);
  const zoned = minutes === null ? market.ticker(symbol, now) : days.today(symbol, minutes, now);
  const zonedBefore = minutes === null ? days.dayBeforeLast(symbol, now) : days.yesterday(symbol, minutes, now);
  const last = market.lastPrice(symbol);
  const price = (ticks: number | null): string => priceText(listed, ticks ?? 0);
  return {
    symbol: listed.rules.name,
    price: price(last),
    rate: rateOf({ open: home.open, close: last }),
    zonedRate: rateOf({ open: zoned.open, close: last }),
    high: price(zoned.high),
    low: price(zoned.low),
    volume: quoteText(listed, zoned.quoteAmount),
    quantity: lotsText(listed, zoned.lots),
    lastCloseRate: rateOf(homeBefore),
    lastCloseZonedRate: rateOf(zonedBefore),
    lastCloseHigh: price(zonedBefore.high),
    lastCloseLow: price(zonedBefore.low),
  };
}

/** Change as a ratio, cut at 4 decimals; 0 without a trade. */
function rateOf({ open, close }: Pick<Span, 'open' | 'close'>): string {
  if (open === null || close === null) return '0';
  return formatDecimal((BigInt(close - open) * 10_000n) / BigInt(open), 4);
}
