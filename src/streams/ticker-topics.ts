import { formatDecimal } from '#base/decimal.ts';
import { streamZones, type StreamZone } from '#api/channels.ts';
import { wireLimits } from '#api/limits.ts';
import type { SymbolId, TimestampMs } from '#domain/units.ts';
import { lotsText, priceText, quoteText } from '#projections/symbol-directory.ts';
import type { Span } from '#streams/market-days.ts';
import type { PublicTopic, SymbolTopicParts, TopicParts, TopicVoice } from '#streams/public-topic.ts';
import type { Push, PushBody, Receiver } from '#streams/push.ts';

const limits = wireLimits.streams;
/** The zone that `rate` always is about. DEC-STR-25. */
const homeZoneMinutes = 480;

type MiniTicker = Extract<PushBody, { case: 'publicMiniTicker' }>['value'];

/** Day statistics of one pair in the channel's zone, every three seconds. */
export function miniTickerTopic(parts: SymbolTopicParts): PublicTopic {
  const { voice, clock, symbol } = parts;
  return periodicTopic(
    parts,
    voice,
    () => [symbol],
    ([ticker]) => [voice.say(clock.now(), { case: 'publicMiniTicker', value: ticker as MiniTicker })],
  );
}

/** Day statistics of every pair in the channel's zone; of many pairs in several pushes. */
export function miniTickersTopic(parts: TopicParts & { readonly voice: TopicVoice }): PublicTopic {
  const { voice, clock, market } = parts;
  return periodicTopic(
    parts,
    voice,
    () => market.directory.symbols.map(({ rules }) => rules.id),
    (tickers) => {
      const pushes: Push[] = [];
      for (let first = 0; first < tickers.length; first += limits.itemsPerPush) {
        const items = tickers.slice(first, first + limits.itemsPerPush);
        pushes.push(voice.say(clock.now(), { case: 'publicMiniTickers', value: { items } }));
      }
      return pushes;
    },
  );
}

function periodicTopic(
  parts: TopicParts,
  voice: TopicVoice,
  symbols: () => readonly SymbolId[],
  pushesOf: (tickers: MiniTicker[]) => readonly Push[],
): PublicTopic {
  const { clock, days, cadence, onTrouble } = parts;
  const zone = voice.channel.values.zone as StreamZone;
  const make = async (): Promise<readonly Push[]> => {
    const now = clock.now() as TimestampMs;
    for (const symbol of symbols()) await days.refresh(symbol, now);
    return pushesOf(symbols().map((symbol) => miniTicker(parts, symbol, zone, now)));
  };
  /** Whoever comes and goes quickly gets the list that was made a moment ago: it may be long. */
  const gather = (): Promise<readonly Push[]> => {
    const { text, id } = voice.channel;
    if (id !== 'miniTickers') return make();
    const known = parts.tickerPushes.get(text);
    const madeAt = cadence.now();
    if (known !== undefined && madeAt - known.madeAt < limits.tickersKeptMs) return known.pushes;
    const pushes = make();
    parts.tickerPushes.set(text, { madeAt, pushes });
    return pushes;
  };
  const tell = (receivers: () => Iterable<Receiver>): Promise<void> =>
    gather().then(
      (pushes) => {
        for (const push of pushes) for (const receiver of receivers()) receiver.push(push);
      },
      (error: unknown) => onTrouble('making a mini ticker', error),
    );
  let isTelling = false;
  const topic: PublicTopic = {
    greet: (receiver) => void tell(() => (voice.receivers.has(receiver) ? [receiver] : [])),
    flush: () => {
      cadence.mark(topic, limits.tickerMs);
      if (isTelling) return;
      isTelling = true;
      void tell(() => voice.receivers).then(() => {
        isTelling = false;
      });
    },
  };
  cadence.mark(topic, limits.tickerMs);
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
