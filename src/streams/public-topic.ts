import type { Clock } from '#base/clock.ts';
import { channels, eventTypeOf, type ChannelName } from '#api/channels.ts';
import type { Trade } from '#domain/events.ts';
import type { Side } from '#domain/order.ts';
import type { BookVersion, Lots, PriceTicks, SymbolId, TimestampMs } from '#domain/units.ts';
import type { MarketData } from '#projections/market-data.ts';
import type { Cadence, Flushable } from '#streams/cadence.ts';
import type { MarketDays } from '#streams/market-days.ts';
import { Push, type PushBody, type Receiver } from '#streams/push.ts';

/** One change of a book. */
export interface LevelChange {
  readonly version: BookVersion;
  readonly side: Side;
  readonly price: PriceTicks;
  readonly lots: Lots;
  readonly at: TimestampMs;
}

/** A public channel that somebody listens to. Made with its first receiver, dropped after its last. */
export interface PublicTopic extends Flushable {
  /** Hears the trades of its symbol. */
  readonly trade?: (trade: Trade, at: TimestampMs) => void;
  /** Hears the book changes of its symbol. */
  readonly level?: (change: LevelChange) => void;
  /** Sends the current state to who just came, where the channel has one. */
  greet(receiver: Receiver): void;
}

/** What public topics are made from. */
export interface TopicParts {
  /** Contains an event already when topics hear of it. */
  readonly market: MarketData;
  readonly days: MarketDays;
  /** The last pushes of each list of tickers, by channel, with when they were made. */
  readonly tickerPushes: Map<string, { readonly madeAt: number; readonly pushes: Promise<readonly Push[]> }>;
  readonly cadence: Cadence;
  /** The exchange's clock. */
  readonly clock: Clock;
  readonly onTrouble: (what: string, error: unknown) => void;
}

/** Name, symbol and receivers of a topic, and how it speaks to them. */
export class TopicVoice {
  readonly receivers = new Set<Receiver>();
  readonly channel: ChannelName;
  readonly eventType: string;
  private readonly clock: Clock;
  private readonly symbolName: string | null;

  constructor(channel: ChannelName, clock: Clock) {
    this.channel = channel;
    this.eventType = eventTypeOf(channel);
    this.clock = clock;
    this.symbolName = channel.values.symbol ?? null;
  }

  /** A push of this channel about something that happened at `createTime`. */
  say(createTime: number, body: PushBody): Push {
    const head = { channel: this.channel.text, symbol: this.symbolName, createTime, sendTime: this.clock.now() };
    return new Push(head, body);
  }

  /** Sends to everybody. */
  publish(push: Push): void {
    for (const receiver of this.receivers) receiver.push(push);
  }
}

/** What a topic about one pair is made with. */
export interface SymbolTopicParts extends TopicParts {
  readonly voice: TopicVoice;
  readonly symbol: SymbolId;
}

/** Milliseconds between the pushes of a channel with a speed in its name. */
export const speedMs = ({ values }: ChannelName): number => (values.speed === '10ms' ? 10 : 100);

/** Whether a channel is about one pair. */
export const isOfSymbol = ({ id }: ChannelName): boolean =>
  (channels[id].parts as readonly string[]).includes('symbol');
