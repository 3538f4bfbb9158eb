import { type ChannelName, isOfSymbol } from '#websocket/channel.ts';
import { wireLimits } from '#http/limits.ts';
import type { EventSink, Fact, Trade } from '#model/events.ts';
import type { Side } from '#model/order.ts';
import type { BookVersion, Lots, PriceTicks, Seq, SymbolId, TimestampMs } from '#model/units.ts';
import type { Flushable } from '#websocket/pushes/flush-scheduler.ts';
import {
  type PublicChannel,
  type PublicTopic,
  type SharedTopicParts,
  TopicPublisher,
} from '#websocket/topics/public-topic.ts';
import type { Receiver } from '#websocket/pushes/push.ts';

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
export class PublicTopics implements Partial<EventSink> {
  private readonly parts: SharedTopicParts;
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

  constructor(parts: Omit<SharedTopicParts, 'tickerPushes' | 'lastEntryAt'>) {
    this.parts = { ...parts, tickerPushes: new Map(), lastEntryAt: () => this.at };
  }

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

  /** Receivers of a delisted pair hear what was still to be pushed, and nothing more. DEC-STR-29. */
  fact(fact: Fact): void {
    if (fact.kind !== 'symbolConfigured' || fact.symbol.status !== 'delisted') return;
    for (const { topic, symbol } of this.topics.values())
      if (symbol === fact.symbol.id) this.parts.scheduler.finish(topic);
  }

  /** Adds a receiver and sends it the current state, if the channel has one. The symbol must be listed. */
  join(channel: ChannelName<PublicChannel>, receiver: Receiver): void {
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
  channelOf(text: string): ChannelName<PublicChannel> | null {
    return this.topics.get(text)?.publisher.name ?? null;
  }

  /** Open topics. */
  get size(): number {
    return this.topics.size;
  }

  private open(name: ChannelName<PublicChannel>): OpenTopic {
    const publisher = new TopicPublisher(name, this.parts.clock);
    if (name.values.zone !== undefined) this.tickers += 1;
    const listed = isOfSymbol(name) ? this.parts.market.directory.find(name.values.symbol as string) : undefined;
    const symbol = listed?.rules.id ?? null;
    const topic = name.channel.openTopic({ ...this.parts, publisher, symbol: symbol as SymbolId });
    if (symbol === null) return { publisher, topic, symbol };
    const topics = (this.ofSymbol[symbol] ??= { trades: [], levels: [], open: 0 });
    topics.open += 1;
    if (topic.trade !== undefined) topics.trades = [...topics.trades, topic.trade];
    if (topic.level !== undefined) topics.levels = [...topics.levels, topic.level];
    return { publisher, topic, symbol };
  }

  private close(name: string, { publisher, topic, symbol }: OpenTopic): void {
    this.topics.delete(name);
    this.parts.scheduler.drop(topic);
    if (publisher.name.values.zone !== undefined) {
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
