import type { Clock } from '#base/clock.ts';
import { channels, eventTypeOf, type ChannelName } from '#websocket/channels.ts';
import { wireLimits } from '#http/limits.ts';
import type { Trade } from '#model/events.ts';
import type { Side } from '#model/order.ts';
import type { BookVersion, Lots, PriceTicks, SymbolId, TimestampMs } from '#model/units.ts';
import type { MarketData } from '#market-data/market-data.ts';
import type { FlushScheduler, Flushable } from '#websocket/pushes/flush-scheduler.ts';
import type { MarketDays } from '#websocket/topics/market-days.ts';
import { Push, type PushBody, type Receiver } from '#websocket/pushes/push.ts';

/** One change of a book. */
export interface LevelChange {
  readonly version: BookVersion;
  readonly side: Side;
  readonly price: PriceTicks;
  readonly lots: Lots;
  readonly at: TimestampMs;
}

/** A public channel with subscribers. Created with the first receiver, dropped after the last. */
export interface PublicTopic extends Flushable {
  /** Called with each trade of its symbol. */
  readonly trade?: (trade: Trade, at: TimestampMs) => void;
  /** Called with each book change of its symbol. */
  readonly level?: (change: LevelChange) => void;
  /** Sends the current state to a new receiver, if the channel has one. */
  sendSnapshot(receiver: Receiver): void;
}

/** Pushes of a channel of tickers, which new receivers share. */
interface TickerPushes {
  readonly madeAt: number;
  readonly version: string;
  readonly pushes: Promise<readonly Push[]>;
}

/** What public topics need. */
export interface TopicParts {
  /** Already contains an event when topics are called with it. */
  readonly market: MarketData;
  readonly days: MarketDays;
  /** The last pushes of each channel of tickers, with the time they were made and what they show. */
  readonly tickerPushes: Map<string, TickerPushes>;
  readonly scheduler: FlushScheduler;
  /** The exchange's clock. */
  readonly clock: Clock;
  /** Time of the last entry that topics have seen; 0 before the first. Times of entries never decrease. */
  readonly lastEntryAt: () => number;
  readonly onTrouble: (what: string, error: unknown) => void;
}

/** Creates the pushes of one topic and sends them to its receivers. */
export class TopicPublisher {
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
  createPush(createTime: number, body: PushBody): Push {
    const head = { channel: this.channel.text, symbol: this.symbolName, createTime, sendTime: this.clock.now() };
    return new Push(head, body);
  }

  /** Sends to every receiver. */
  publish(push: Push): void {
    for (const receiver of this.receivers) receiver.push(push);
  }
}

/** What a topic of one symbol needs. */
export interface SymbolTopicParts extends TopicParts {
  readonly publisher: TopicPublisher;
  readonly symbol: SymbolId;
}

/**
 * The push of a topic's current state for new receivers: made and encoded once for all who join while its version
 * stands, and made anew after a while, so that its time is not old. DEC-STR-103.
 */
export class SharedState {
  readonly #scheduler: FlushScheduler;
  #push: Push | null = null;
  #version: number | string = '';
  #madeAt = 0;

  constructor(scheduler: FlushScheduler) {
    this.#scheduler = scheduler;
  }

  /** The push of this version; `make` is called if there is none. */
  of(version: number | string, make: () => Push): Push {
    const now = this.#scheduler.now();
    const isKept = this.#version === version && now - this.#madeAt < wireLimits.streams.statesKeptMs;
    if (isKept && this.#push !== null) return this.#push;
    this.#push = make();
    this.#version = version;
    this.#madeAt = now;
    return this.#push;
  }
}

/** Push interval in milliseconds of a channel with a speed in its name. */
export const speedMs = ({ values }: ChannelName): number => (values.speed === '10ms' ? 10 : 100);

/** Whether a channel is about one symbol. */
export const isOfSymbol = ({ id }: ChannelName): boolean =>
  (channels[id].parts as readonly string[]).includes('symbol');
