import type { CandleInterval } from '#model/candle.ts';
import type { PushBody } from '#websocket/pushes/push.ts';

/*
 * What a channel of the websocket is. Each is declared once, as data, beside the code that makes its pushes: the
 * private ones in `pushes/private-channels.ts`, the public ones in `topics/`. The socket, the schema for download, the
 * AsyncAPI document and its page loop over `channels.ts`, which lists them. The name of a channel is `spot@` and its
 * stem, then one part for each parameter, all joined by `@`. DEC-STR-08.
 */

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

/** Kinds of parts of a channel name, and what each may be. A symbol is any listed symbol, in capitals. */
export const channelParameters = {
  speed: ['10ms', '100ms'],
  levels: ['5', '10', '20'],
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
  readonly body: PushBody;
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

/** Address of a channel family: `spot@public.kline.v3.api.pb@{symbol}@{interval}`. */
export const channelAddress = ({ stem, parts }: Channel): string =>
  ['spot', stem, ...parts.map((part) => `{${part}}`)].join('@');

/** A parsed channel name. */
export interface ChannelName<Of extends Channel = Channel> {
  /** Key of the channel among `channels`. */
  readonly id: string;
  readonly channel: Of;
  /** As the client sent it. */
  readonly text: string;
  readonly values: Readonly<Partial<Record<ChannelParameter, string>>>;
}

/** Whether a channel is about one symbol. */
export const isOfSymbol = ({ channel }: ChannelName): boolean => channel.parts.includes('symbol');
