import type { CandleInterval } from '#model/candle.ts';

/**
 * The channels of the websocket, as data: the socket, the AsyncAPI document and its page loop over this. The name of a
 * channel is `spot@` and its stem, then one part for each parameter, all joined by `@`. DEC-STR-08.
 */

/** Push intervals of the aggregated channels, in milliseconds. */
export const streamSpeeds = ['10ms', '100ms'] as const;
export const streamLevels = ['5', '10', '20'] as const;
/** Interval words of the kline channel and the candle each means. */
export const streamIntervals = {
  Min1: '1m',
  Min5: '5m',
  Min15: '15m',
  Min30: '30m',
  Min60: '60m',
  Hour4: '4h',
  Hour8: '8h',
  Day1: '1d',
  Week1: '1W',
  Month1: '1M',
} as const satisfies Record<string, CandleInterval>;
export type StreamInterval = keyof typeof streamIntervals;

/** Zones of the mini tickers with their distance from UTC in minutes; `24H` is a rolling day, not a zone's. */
export const streamZones = {
  '24H': null,
  'UTC-10': -600,
  'UTC-8': -480,
  'UTC-7': -420,
  'UTC-6': -360,
  'UTC-5': -300,
  'UTC-4': -240,
  'UTC-3': -180,
  'UTC+0': 0,
  'UTC+1': 60,
  'UTC+2': 120,
  'UTC+3': 180,
  'UTC+4': 240,
  'UTC+4:30': 270,
  'UTC+5': 300,
  'UTC+5:30': 330,
  'UTC+6': 360,
  'UTC+7': 420,
  'UTC+8': 480,
  'UTC+9': 540,
  'UTC+10': 600,
  'UTC+11': 660,
  'UTC+12': 720,
  'UTC+12:45': 765,
  'UTC+13': 780,
} as const satisfies Record<string, number | null>;
export type StreamZone = keyof typeof streamZones;

/** Kinds of parts of a channel name. A symbol is any listed symbol, in capitals. */
export const channelParameters = {
  speed: streamSpeeds,
  levels: streamLevels,
  interval: Object.keys(streamIntervals) as readonly StreamInterval[],
  zone: Object.keys(streamZones) as readonly StreamZone[],
  symbol: null,
} as const;
export type ChannelParameter = keyof typeof channelParameters;

/** One family of channels. */
export interface Channel {
  /** Second part of the name, behind `spot@`. */
  readonly stem: string;
  readonly audience: 'private' | 'public';
  /** Further parts of the name, in order. */
  readonly parts: readonly ChannelParameter[];
  /** Field of the pushed message that carries the content. */
  readonly body: string;
  readonly summary: string;
  /** When a push is made. */
  readonly pushedWhen: string;
  /** Whether the current state is pushed on subscription. */
  readonly startsWithState: boolean;
  /** What a subscription costs of the weight of its connection and address: more where state is read. DEC-STR-100. */
  readonly weight: number;
  /** How its pushes relate to each other and to REST. */
  readonly sequence: string;
}

/** All channels by name, with the parts of their names and who may subscribe. */
export const channels = {
  account: {
    stem: 'private.account.v3.api.pb',
    audience: 'private',
    parts: [],
    body: 'privateAccount',
    summary: "Changes of the account's balances.",
    pushedWhen: 'once per posting',
    startsWithState: false,
    weight: 5,
    sequence:
      'Each push has the balance after the change, so the newest one of an asset is its balance. There is no ' +
      'sequence number: after reconnecting read GET /api/v3/account.',
  },
  deals: {
    stem: 'private.deals.v3.api.pb',
    audience: 'private',
    parts: [],
    body: 'privateDeals',
    summary: 'Trades of the account.',
    pushedWhen: 'once per fill and side',
    startsWithState: false,
    weight: 1,
    sequence: "`tradeId` is `id` of GET /api/v3/myTrades, which has what was missed; `time` is the trade's.",
  },
  orders: {
    stem: 'private.orders.v3.api.pb',
    audience: 'private',
    parts: [],
    body: 'privateOrders',
    summary: "Changes of the account's orders.",
    pushedWhen: 'once per change of state',
    startsWithState: false,
    weight: 1,
    sequence:
      'The first push of an order has `status` 1, also if it trades at once; a fill that ends it is one push with ' +
      'the final status. Then nothing comes any more. After reconnecting read GET /api/v3/openOrders.',
  },
  aggreDeals: {
    stem: 'public.aggre.deals.v3.api.pb',
    audience: 'public',
    parts: ['speed', 'symbol'],
    body: 'publicAggreDeals',
    summary: 'Trades of a pair, none merged.',
    pushedWhen: 'every 10 or 100 ms with trades',
    startsWithState: false,
    weight: 1,
    sequence: 'Oldest first. `tradeId` counts the trades of the pair from 1 without a gap: `id` of GET /api/v3/trades.',
  },
  aggreDepth: {
    stem: 'public.aggre.depth.v3.api.pb',
    audience: 'public',
    parts: ['speed', 'symbol'],
    body: 'publicAggreDepths',
    summary: 'Changed levels of a book, with the range of versions they span.',
    pushedWhen: 'every 10 or 100 ms with changes',
    startsWithState: false,
    weight: 1,
    sequence:
      '`fromVersion` is one after the `toVersion` of the push before; the versions between are in this push. A ' +
      'level that changed more than once is listed once, as it is at `toVersion`. Asks and bids begin with the best ' +
      'price.',
  },
  aggreBookTicker: {
    stem: 'public.aggre.bookTicker.v3.api.pb',
    audience: 'public',
    parts: ['speed', 'symbol'],
    body: 'publicAggreBookTicker',
    summary: 'Best bid and ask of a pair.',
    pushedWhen: 'every 10 or 100 ms when it changed',
    startsWithState: true,
    weight: 2,
    sequence: 'Replaces what came before. `version` is that of the book. A side without orders is empty text.',
  },
  limitDepth: {
    stem: 'public.limit.depth.v3.api.pb',
    audience: 'public',
    parts: ['symbol', 'levels'],
    body: 'publicLimitDepths',
    summary: 'The best levels of a book, whole each time.',
    pushedWhen: 'every 100 ms when it changed',
    startsWithState: true,
    weight: 2,
    sequence: 'Replaces what came before. `version` is that of the book. Asks and bids begin with the best price.',
  },
  bookTickerBatch: {
    stem: 'public.bookTicker.batch.v3.api.pb',
    audience: 'public',
    parts: ['symbol'],
    body: 'publicBookTickerBatch',
    summary: 'Every best bid and ask there was since the last push.',
    pushedWhen: 'every 10 ms with changes',
    startsWithState: true,
    weight: 2,
    sequence:
      'Oldest first; the last item is the current one, and `version` is that of the book then. A side without ' +
      'orders is empty text.',
  },
  kline: {
    stem: 'public.kline.v3.api.pb',
    audience: 'public',
    parts: ['symbol', 'interval'],
    body: 'publicSpotKline',
    summary: 'The current candle of a pair.',
    pushedWhen: 'every second when it changed or a window began, and once more when a window is over',
    startsWithState: true,
    weight: 2,
    sequence:
      'The same `windowStart` replaces the candle, a later one begins the next. The last push of a window is its ' +
      'final candle, as GET /api/v3/klines has it; it comes with the first trade of a later window, else within two ' +
      'seconds of `windowEnd`, and not again if nothing traded since the push before.',
  },
  miniTicker: {
    stem: 'public.miniTicker.v3.api.pb',
    audience: 'public',
    parts: ['symbol', 'zone'],
    body: 'publicMiniTicker',
    summary: 'Day statistics of a pair in a zone.',
    pushedWhen: 'every 3 seconds',
    startsWithState: true,
    weight: 2,
    sequence: 'Replaces what came before. Comes also when nothing changed.',
  },
  miniTickers: {
    stem: 'public.miniTickers.v3.api.pb',
    audience: 'public',
    parts: ['zone'],
    body: 'publicMiniTickers',
    summary: 'Day statistics of every pair in a zone.',
    pushedWhen: 'every 3 seconds',
    startsWithState: true,
    weight: 5,
    sequence: 'Comes also when nothing changed. With more than 1000 pairs it is split into several pushes.',
  },
} as const satisfies Readonly<Record<string, Channel>>;
export type ChannelId = keyof typeof channels;
/** Channels of one account: those that are declared as private. */
export type PrivateChannel = {
  [Id in ChannelId]: (typeof channels)[Id]['audience'] extends 'private' ? Id : never;
}[ChannelId];
const isPrivate = (id: ChannelId): id is PrivateChannel => channels[id].audience === 'private';
/** Every private channel, in the order of their declaration. */
export const privateChannels: readonly PrivateChannel[] = (Object.keys(channels) as ChannelId[]).filter(isPrivate);

/** A parsed channel name. */
export interface ChannelName {
  readonly id: ChannelId;
  /** As the client sent it. */
  readonly text: string;
  readonly values: Readonly<Partial<Record<ChannelParameter, string>>>;
}

const byStem = new Map<string, ChannelId>((Object.keys(channels) as ChannelId[]).map((id) => [channels[id].stem, id]));

/** Parses a channel name; `null` if there is no such channel. Does not check whether the symbol is listed. */
export function parseChannel(text: string): ChannelName | null {
  const [market, stem, ...parts] = text.split('@');
  const id = stem === undefined ? undefined : byStem.get(stem);
  if (market !== 'spot' || id === undefined) return null;
  const wanted: readonly ChannelParameter[] = channels[id].parts;
  if (parts.length !== wanted.length) return null;
  const values: Partial<Record<ChannelParameter, string>> = {};
  for (const [index, parameter] of wanted.entries()) {
    const value = parts[index] as string;
    const allowed: readonly string[] | null = channelParameters[parameter];
    if (allowed === null ? !/^[A-Z0-9]{2,24}$/.test(value) : !allowed.includes(value)) return null;
    values[parameter] = value;
  }
  return { id, text, values };
}

/** `eventType` of a push: the channel without its symbol. */
export const eventTypeOf = ({ id, values }: ChannelName): string =>
  values.speed === undefined ? `spot@${channels[id].stem}` : `spot@${channels[id].stem}@${values.speed}`;
