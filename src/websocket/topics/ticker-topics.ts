import { formatDecimal } from '#base/decimal.ts';
import { streamZones, type StreamZone } from '#websocket/channel.ts';
import { wireLimits } from '#http/limits.ts';
import type { SymbolId, TimestampMs } from '#model/units.ts';
import { lotsText, priceText, quoteText } from '#market-data/symbol-directory.ts';
import type { Span } from '#websocket/topics/market-days.ts';
import { declareBody, type Push, type Receiver } from '#websocket/pushes/push.ts';
import {
  publicChannel,
  type PublicTopic,
  type SharedTopicParts,
  type TopicParts,
} from '#websocket/topics/public-topic.ts';
import { type ContentOf, declareMessage, field, type Message, repeated } from '#websocket/wire/message.ts';

const limits = wireLimits.streams;
/** The zone that `rate` always is about. DEC-STR-25. */
const homeZoneMinutes = 480;

const miniTickerMessage = declareMessage('PublicMiniTickerV3Api', '', {
  symbol: field(1, 'string'),
  price: field(2, 'string', 'Last price.'),
  rate: field(3, 'string', 'Change since the day began at UTC+8, a ratio.'),
  zonedRate: field(4, 'string', "Change since the day began in the channel's zone, a ratio."),
  high: field(5, 'string', "Highest price of the day in the channel's zone."),
  low: field(6, 'string', "Lowest price of the day in the channel's zone."),
  volume: field(7, 'string', 'Turnover in the quote asset.'),
  quantity: field(8, 'string', 'Volume in the base asset.'),
  lastCloseRate: field(9, 'string', 'Change over the day before, which ended at midnight of UTC+8, a ratio.'),
  lastCloseZonedRate: field(10, 'string', "Change over the day before in the channel's zone, a ratio."),
  lastCloseHigh: field(11, 'string', "Highest price of the day before in the channel's zone."),
  lastCloseLow: field(12, 'string', "Lowest price of the day before in the channel's zone."),
});

const miniTickersMessage = declareMessage('PublicMiniTickersV3Api', '', {
  items: repeated(1, miniTickerMessage),
});

type MiniTicker = ContentOf<typeof miniTickerMessage>;

/** Day statistics of one symbol in the channel's zone, every three seconds. */
function miniTickerTopic(parts: TopicParts<typeof miniTickerMessage>): PublicTopic {
  const { publisher, clock, market, symbol } = parts;
  return periodicTopic(
    parts,
    () => [symbol],
    (now) => `${market.trades(symbol, 1)[0]?.trade ?? 0} ${Math.floor(now / 1000)}`,
    ([ticker]) => [publisher.createPush(clock.now(), ticker as MiniTicker)],
  );
}

/** Day statistics of every symbol in the channel's zone, split into pushes of bounded size. */
function miniTickersTopic(parts: TopicParts<typeof miniTickersMessage>): PublicTopic {
  const { publisher, clock, market } = parts;
  return periodicTopic(
    parts,
    () => market.directory.symbols.map(({ rules }) => rules.id),
    () => '',
    (tickers) => {
      const pushes: Push[] = [];
      for (let first = 0; first < tickers.length; first += limits.itemsPerPush) {
        const items = tickers.slice(first, first + limits.itemsPerPush);
        pushes.push(publisher.createPush(clock.now(), { items }));
      }
      return pushes;
    },
  );
}

function periodicTopic(
  parts: TopicParts<Message>,
  symbols: () => readonly SymbolId[],
  versionAt: (now: number) => string,
  pushesOf: (tickers: MiniTicker[]) => readonly Push[],
): PublicTopic {
  const { publisher, clock, days, scheduler, onTrouble } = parts;
  const { receivers } = publisher;
  const { text } = publisher.name;
  const zone = publisher.name.values.zone as StreamZone;
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
    const known = parts.tickerPushes.get(text);
    const madeAt = scheduler.now();
    const version = versionAt(clock.now());
    const isKept = known?.version === version && madeAt - known.madeAt < limits.tickersKeptMs;
    if (isKept) return known.pushes;
    const pushes = make();
    parts.tickerPushes.set(text, { madeAt, version, pushes });
    return pushes;
  };
  const send = (to: () => Iterable<Receiver>): Promise<void> =>
    currentPushes().then(
      (pushes) => {
        for (const push of pushes) for (const receiver of to()) receiver.push(push);
      },
      (error: unknown) => onTrouble('making a mini ticker', error),
    );
  let isSending = false;
  const topic: PublicTopic = {
    sendSnapshot: (receiver) => void send(() => (receivers.has(receiver) ? [receiver] : [])),
    flush: () => {
      scheduler.mark(topic, limits.tickerMs);
      if (isSending) return;
      isSending = true;
      void send(() => receivers).then(() => {
        isSending = false;
      });
    },
  };
  scheduler.mark(topic, limits.tickerMs);
  return topic;
}

/** `lastClose…` are about the day before, in the zone; `24H` is rolling. DEC-STR-25. */
function miniTicker(parts: SharedTopicParts, symbol: SymbolId, zone: StreamZone, now: TimestampMs): MiniTicker {
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

/** The channels of day statistics. */
export const tickerChannels = {
  miniTicker: publicChannel({
    stem: 'public.miniTicker.v3.api.pb',
    parts: ['symbol', 'zone'],
    body: declareBody('publicMiniTicker', 309, miniTickerMessage),
    summary: 'Day statistics of a pair in a zone.',
    pushedWhen: 'every 3 seconds',
    startsWithState: true,
    weight: 2,
    sequence: 'Replaces what came before. Comes also when nothing changed.',
    openTopic: miniTickerTopic,
  }),
  miniTickers: publicChannel({
    stem: 'public.miniTickers.v3.api.pb',
    parts: ['zone'],
    body: declareBody('publicMiniTickers', 310, miniTickersMessage),
    summary: 'Day statistics of every pair in a zone.',
    pushedWhen: 'every 3 seconds',
    startsWithState: true,
    weight: 5,
    sequence: 'Comes also when nothing changed. With more than 1000 pairs it is split into several pushes.',
    openTopic: miniTickersTopic,
  }),
};
