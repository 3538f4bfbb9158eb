import type { ChannelId, ChannelName } from '#api/channels.ts';
import { wireLimits } from '#api/limits.ts';
import { deafSink } from '#domain/event-record.ts';
import type { EventSink, Trade } from '#domain/events.ts';
import type { Side } from '#domain/order.ts';
import type { BookVersion, Lots, PriceTicks, Seq, SymbolId, TimestampMs } from '#domain/units.ts';
import { bookTickerBatchTopic, bookTickerTopic, depthTopic, limitDepthTopic } from '#streams/book-topics.ts';
import type { Flushable } from '#streams/cadence.ts';
import type { PrivateChannel } from '#streams/private-pushes.ts';
import {
  isOfSymbol,
  type PublicTopic,
  type SymbolTopicParts,
  type TopicParts,
  TopicVoice,
} from '#streams/public-topic.ts';
import type { Receiver } from '#streams/push.ts';
import { miniTickersTopic, miniTickerTopic } from '#streams/ticker-topics.ts';
import { dealsTopic, klineTopic } from '#streams/trade-topics.ts';

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
  readonly voice: TopicVoice;
  readonly topic: PublicTopic;
  readonly symbol: SymbolId | null;
}

/** Who hears what of one pair. */
interface SymbolTopics {
  trades: readonly NonNullable<PublicTopic['trade']>[];
  levels: readonly NonNullable<PublicTopic['level']>[];
  open: number;
}

/**
 * The public channels that somebody listens to. Topics hang on their pair, so that an event of a pair without any costs
 * one look into an array.
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

  constructor(parts: Omit<TopicParts, 'tickerPushes'>) {
    this.parts = { ...parts, tickerPushes: new Map() };
  }

  readonly orderAccepted = deafSink.orderAccepted;
  readonly orderRepeated = deafSink.orderRepeated;
  readonly orderRefused = deafSink.orderRefused;
  readonly cancelRefused = deafSink.cancelRefused;
  readonly orderFilled = deafSink.orderFilled;
  readonly orderClosed = deafSink.orderClosed;
  readonly posted = deafSink.posted;
  readonly fact = deafSink.fact;

  entryBegan(_seq: Seq, at: TimestampMs): void {
    this.at = at;
  }

  tradeExecuted(trade: Trade): void {
    const topics = this.ofSymbol[trade.symbol];
    if (topics !== undefined) for (const hear of topics.trades) hear(trade, this.at);
  }

  levelChanged(symbol: SymbolId, version: BookVersion, side: Side, price: PriceTicks, lots: Lots): void {
    const topics = this.ofSymbol[symbol];
    if (topics === undefined || topics.levels.length === 0) return;
    const change = { version, side, price, lots, at: this.at };
    for (const hear of topics.levels) hear(change);
  }

  /** Adds a receiver, and sends it the current state where the channel has one. The symbol is listed. */
  join(channel: ChannelName & { readonly id: PublicChannel }, receiver: Receiver): void {
    let open = this.topics.get(channel.text);
    if (open === undefined) {
      open = this.open(channel);
      this.topics.set(channel.text, open);
    }
    open.voice.receivers.add(receiver);
    open.topic.greet(receiver);
  }

  leave(channel: ChannelName, receiver: Receiver): void {
    const open = this.topics.get(channel.text);
    if (open === undefined) return;
    open.voice.receivers.delete(receiver);
    if (open.voice.receivers.size === 0) this.close(channel.text, open);
  }

  /** The name of an open topic, taken apart once for all its receivers. */
  channelOf(text: string): ChannelName | null {
    return this.topics.get(text)?.voice.channel ?? null;
  }

  /** Open topics. */
  get size(): number {
    return this.topics.size;
  }

  private open(channel: ChannelName & { readonly id: PublicChannel }): OpenTopic {
    const voice = new TopicVoice(channel, this.parts.clock);
    if (channel.values.zone !== undefined) this.tickers += 1;
    if (channel.id === 'miniTickers' || !isOfSymbol(channel)) {
      return { voice, topic: miniTickersTopic({ ...this.parts, voice }), symbol: null };
    }
    const symbol = this.parts.market.directory.find(channel.values.symbol as string)?.rules.id as SymbolId;
    const topic = topicsOfSymbol[channel.id]({ ...this.parts, voice, symbol });
    const topics = (this.ofSymbol[symbol] ??= { trades: [], levels: [], open: 0 });
    topics.open += 1;
    if (topic.trade !== undefined) topics.trades = [...topics.trades, topic.trade];
    if (topic.level !== undefined) topics.levels = [...topics.levels, topic.level];
    return { voice, topic, symbol };
  }

  private close(name: string, { voice, topic, symbol }: OpenTopic): void {
    this.topics.delete(name);
    this.parts.cadence.drop(topic);
    if (voice.channel.values.zone !== undefined) {
      this.tickers -= 1;
      // Not at once: coming and going would have them fetched from history every time.
      if (this.tickers === 0) this.parts.cadence.mark(this.forgetDays, wireLimits.streams.daysKeptMs);
    }
    const topics = symbol === null ? undefined : this.ofSymbol[symbol];
    if (symbol === null || topics === undefined) return;
    topics.open -= 1;
    topics.trades = topics.trades.filter((hear) => hear !== topic.trade);
    topics.levels = topics.levels.filter((hear) => hear !== topic.level);
    if (topics.open === 0) this.ofSymbol[symbol] = undefined;
  }
}
