import type { Clock } from '#base/clock.ts';
import type { Channel, ChannelName } from '#websocket/channel.ts';
import { wireLimits } from '#http/limits.ts';
import type { Trade } from '#model/events.ts';
import type { Side } from '#model/order.ts';
import type { BookVersion, Lots, PriceTicks, SymbolId, TimestampMs } from '#model/units.ts';
import type { MarketData } from '#market-data/market-data.ts';
import type { FlushScheduler, Flushable } from '#websocket/pushes/flush-scheduler.ts';
import type { MarketDays } from '#websocket/topics/market-days.ts';
import { createPush, type Push, type PushBody, type Receiver } from '#websocket/pushes/push.ts';
import type { ContentOf, Message } from '#websocket/wire/message.ts';

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

/** A channel that anybody may subscribe to. */
export interface PublicChannel<Of extends Message = Message> extends Channel {
  readonly audience: 'public';
  readonly body: PushBody<Of>;
  /** Begins to make pushes; called for the first receiver. */
  openTopic(parts: TopicParts<Of>): PublicTopic;
}

/** Declares a public channel: its topic makes pushes of its body. */
export const publicChannel = <Of extends Message>(
  declared: Omit<PublicChannel<Of>, 'audience'>,
): PublicChannel<Of> => ({
  ...declared,
  audience: 'public',
});

/** Pushes of a channel of tickers, which new receivers share. */
interface TickerPushes {
  readonly madeAt: number;
  readonly version: string;
  readonly pushes: Promise<readonly Push[]>;
}

/** What all public topics share. */
export interface SharedTopicParts {
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

/** What one topic needs. */
export interface TopicParts<Of extends Message> extends SharedTopicParts {
  readonly publisher: TopicPublisher<Of>;
  /** The symbol of its channel, if that names one. */
  readonly symbol: SymbolId;
}

/** Creates the pushes of one topic and sends them to its receivers. */
export class TopicPublisher<Of extends Message = Message> {
  readonly receivers = new Set<Receiver>();
  readonly name: ChannelName<PublicChannel<Of>>;
  /** The channel without its symbol. */
  readonly eventType: string;
  private readonly clock: Clock;

  constructor(name: ChannelName<PublicChannel<Of>>, clock: Clock) {
    const { speed } = name.values;
    this.name = name;
    this.eventType = `spot@${name.channel.stem}${speed === undefined ? '' : `@${speed}`}`;
    this.clock = clock;
  }

  /** A push of this channel about something that happened at `createTime`. */
  createPush(createTime: number, content: ContentOf<Of>): Push {
    const { text, channel, values } = this.name;
    const head = { channel: text, symbol: values.symbol ?? null, createTime, sendTime: this.clock.now() };
    return createPush(head, channel.body, content);
  }

  /** Sends to every receiver. */
  publish(push: Push): void {
    for (const receiver of this.receivers) receiver.push(push);
  }
}

/**
 * The push of a topic's current state for new receivers: made and encoded once for all who join while its version
 * stands, and made anew after a while, so that its time is not old. DEC-STR-103.
 */
export class SharedState {
  private readonly scheduler: FlushScheduler;
  private push: Push | null = null;
  private version: number | string = '';
  private madeAt = 0;

  constructor(scheduler: FlushScheduler) {
    this.scheduler = scheduler;
  }

  /** The push of this version; `make` is called if there is none. */
  of(version: number | string, make: () => Push): Push {
    const now = this.scheduler.now();
    const isKept = this.version === version && now - this.madeAt < wireLimits.streams.statesKeptMs;
    if (isKept && this.push !== null) return this.push;
    this.push = make();
    this.version = version;
    this.madeAt = now;
    return this.push;
  }
}

/** Push interval in milliseconds of a channel with a speed in its name. */
export const speedMs = ({ values }: ChannelName): number => (values.speed === '10ms' ? 10 : 100);
