import type { ChannelId, ChannelName, PrivateChannel } from '#websocket/channels.ts';
import { wireLimits } from '#http/limits.ts';
import { noopSink } from '#model/event-record.ts';
import type { EventSink, Trade } from '#model/events.ts';
import type { Side } from '#model/order.ts';
import type { BookVersion, Lots, PriceTicks, Seq, SymbolId, TimestampMs } from '#model/units.ts';
import { bookTickerBatchTopic, bookTickerTopic, depthTopic, limitDepthTopic } from '#websocket/topics/book-topics.ts';
import type { Flushable } from '#websocket/pushes/flush-scheduler.ts';
import {
  isOfSymbol,
  type PublicTopic,
  type SymbolTopicParts,
  type TopicParts,
  TopicPublisher,
} from '#websocket/topics/public-topic.ts';
import { klineTopic } from '#websocket/topics/kline-topic.ts';
import type { Receiver } from '#websocket/pushes/push.ts';
import { miniTickersTopic, miniTickerTopic } from '#websocket/topics/ticker-topics.ts';
import { dealsTopic } from '#websocket/topics/trade-topics.ts';

/** Channels that are not private. */
export type PublicChannel = Exclude<ChannelId, PrivateChannel>;

const topicsOfSymbol: Record<Exclude<PublicChannel, 'miniTickers'>, (parts: SymbolTopicParts) => PublicTopic> = {
  aggreDeals: dealsTopic,
  aggreDepth: depthTopic,
  aggreBookTicker: bookTickerTopic,
  limitDepth: limitDepthTopic,
  bookTickerBatch: bookTickerBatchTopic,
  kline: klineTopic,
  miniTicker: miniTickerTopic,
};

interface OpenTopic {
  readonly publisher: TopicPublisher;
  readonly topic: PublicTopic;
  readonly symbol: SymbolId | null;
}

/** Open topics of one symbol, by the events they need. */
interface SymbolTopics {
  trades: readonly NonNullable<PublicTopic['trade']>[];
  levels: readonly NonNullable<PublicTopic['level']>[];
  open: number;
}

/**
 * The public channels with subscribers. Topics are kept per symbol, so that an event of a symbol without topics costs
 * one array access.
 */
export class PublicTopics implements EventSink {
  private readonly parts: TopicParts;
  private readonly topics = new Map<string, OpenTopic>();
  private readonly ofSymbol: (SymbolTopics | undefined)[] = [];
  private at = 0 as TimestampMs;
  private tickers = 0;
  private readonly forgetDays: Flushable = {
    flush: () => {
      if (this.tickers > 0) return;
      this.parts.days.clear();
      this.parts.tickerPushes.clear();
    },
  };

  constructor(parts: Omit<TopicParts, 'tickerPushes' | 'lastEntryAt'>) {
    this.parts = { ...parts, tickerPushes: new Map(), lastEntryAt: () => this.at };
  }

  readonly orderAccepted = noopSink.orderAccepted;
  readonly orderRepeated = noopSink.orderRepeated;
  readonly rebateAccrued = noopSink.rebateAccrued;
  readonly positionChanged = noopSink.positionChanged;
  readonly orderRefused = noopSink.orderRefused;
  readonly cancelRefused = noopSink.cancelRefused;
  readonly orderFilled = noopSink.orderFilled;
  readonly orderClosed = noopSink.orderClosed;
  readonly posted = noopSink.posted;
  readonly fact = noopSink.fact;

  entryBegan(_seq: Seq, at: TimestampMs): void {
    this.at = at;
  }

  tradeExecuted(trade: Trade): void {
    const topics = this.ofSymbol[trade.symbol];
    if (topics !== undefined) for (const listener of topics.trades) listener(trade, this.at);
  }

  levelChanged(symbol: SymbolId, version: BookVersion, side: Side, price: PriceTicks, lots: Lots): void {
    const topics = this.ofSymbol[symbol];
    if (topics === undefined || topics.levels.length === 0) return;
    const change = { version, side, price, lots, at: this.at };
    for (const listener of topics.levels) listener(change);
  }

  /** Adds a receiver and sends it the current state, if the channel has one. The symbol must be listed. */
  join(channel: ChannelName & { readonly id: PublicChannel }, receiver: Receiver): void {
    let open = this.topics.get(channel.text);
    if (open === undefined) {
      open = this.open(channel);
      this.topics.set(channel.text, open);
    }
    open.publisher.receivers.add(receiver);
    open.topic.sendSnapshot(receiver);
  }

  leave(channel: ChannelName, receiver: Receiver): void {
    const open = this.topics.get(channel.text);
    if (open === undefined) return;
    open.publisher.receivers.delete(receiver);
    if (open.publisher.receivers.size === 0) this.close(channel.text, open);
  }

  /** The parsed name of an open topic, so that further receivers need not parse it. */
  channelOf(text: string): ChannelName | null {
    return this.topics.get(text)?.publisher.channel ?? null;
  }

  /** Open topics. */
  get size(): number {
    return this.topics.size;
  }

  private open(channel: ChannelName & { readonly id: PublicChannel }): OpenTopic {
    const publisher = new TopicPublisher(channel, this.parts.clock);
    if (channel.values.zone !== undefined) this.tickers += 1;
    if (channel.id === 'miniTickers' || !isOfSymbol(channel)) {
      return { publisher, topic: miniTickersTopic({ ...this.parts, publisher }), symbol: null };
    }
    const symbol = this.parts.market.directory.find(channel.values.symbol as string)?.rules.id as SymbolId;
    const topic = topicsOfSymbol[channel.id]({ ...this.parts, publisher, symbol });
    const topics = (this.ofSymbol[symbol] ??= { trades: [], levels: [], open: 0 });
    topics.open += 1;
    if (topic.trade !== undefined) topics.trades = [...topics.trades, topic.trade];
    if (topic.level !== undefined) topics.levels = [...topics.levels, topic.level];
    return { publisher, topic, symbol };
  }

  private close(name: string, { publisher, topic, symbol }: OpenTopic): void {
    this.topics.delete(name);
    this.parts.scheduler.drop(topic);
    if (publisher.channel.values.zone !== undefined) {
      this.tickers -= 1;
      // Delayed: otherwise each short subscription would read the days from history again.
      if (this.tickers === 0) this.parts.scheduler.mark(this.forgetDays, wireLimits.streams.daysKeptMs);
    }
    const topics = symbol === null ? undefined : this.ofSymbol[symbol];
    if (symbol === null || topics === undefined) return;
    topics.open -= 1;
    topics.trades = topics.trades.filter((listener) => listener !== topic.trade);
    topics.levels = topics.levels.filter((listener) => listener !== topic.level);
    if (topics.open === 0) this.ofSymbol[symbol] = undefined;
  }
}
