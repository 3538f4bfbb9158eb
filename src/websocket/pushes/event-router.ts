import type { Clock, SetTimer } from '#base/clock.ts';
import { type ChannelName, isOfSymbol } from '#websocket/channel.ts';
import { isPrivate, isPublic, parseChannel } from '#websocket/channels.ts';
import { noopSink } from '#model/event-record.ts';
import type { EventSink, Fact } from '#model/events.ts';
import type { AccountId, SymbolId } from '#model/units.ts';
import type { ExchangeQueries } from '#sequencer/queries/exchange-queries.ts';
import type { MarketData } from '#market-data/market-data.ts';
import type { SymbolDirectory } from '#market-data/symbol-directory.ts';
import { FlushScheduler } from '#websocket/pushes/flush-scheduler.ts';
import type { Subscriptions } from '#websocket/connections/connection.ts';
import { MarketDays } from '#websocket/topics/market-days.ts';
import { Outbox } from '#websocket/connections/outbox.ts';
import { PrivatePushes } from '#websocket/pushes/private-pushes.ts';
import { PrivateTopics } from '#websocket/topics/private-topics.ts';
import { PublicTopics } from '#websocket/topics/public-topics.ts';
import type { Receiver } from '#websocket/pushes/push.ts';

/** What the router needs; see `StreamParts`. */
export interface EventRouterParts {
  readonly queries: Pick<ExchangeQueries, 'balancesAt'>;
  readonly market: MarketData;
  readonly clock: Clock;
  readonly monotonic: Clock;
  readonly setTimer: SetTimer;
  /** Called with every fact. */
  readonly onFact: (fact: Fact) => void;
  readonly onTrouble: (what: string, error: unknown) => void;
}

/** Passes each event of the feed to the topics that push it, and connections to their topics. */
export class EventRouter implements Subscriptions {
  readonly scheduler: FlushScheduler;
  readonly outbox: Outbox;
  readonly privateTopics: PrivateTopics;
  readonly privatePushes: PrivatePushes;
  readonly publicTopics: PublicTopics;
  readonly sink: EventSink;
  private readonly directory: SymbolDirectory;
  private readonly onFact: (fact: Fact) => void;

  constructor(parts: EventRouterParts) {
    this.directory = parts.market.directory;
    this.onFact = parts.onFact;
    const { queries, market, clock, monotonic, onTrouble, setTimer } = parts;
    this.scheduler = new FlushScheduler({ monotonic, setTimer });
    this.privateTopics = new PrivateTopics(queries);
    this.outbox = new Outbox(() => this.privatePushes.flush());
    this.privatePushes = new PrivatePushes({
      directory: market.directory,
      audience: this.privateTopics,
      now: () => clock.now(),
      onWaiting: () => this.outbox.schedule(),
    });
    const days = new MarketDays(market);
    this.publicTopics = new PublicTopics({
      market,
      days,
      scheduler: this.scheduler,
      clock,
      onTrouble,
    });
    this.sink = this.createSink();
  }

  find(text: string, account: AccountId | null): ChannelName | null {
    const channel = this.publicTopics.channelOf(text) ?? parseChannel(text);
    if (channel === null) return null;
    if (isPrivate(channel)) return account === null ? null : channel;
    return !isOfSymbol(channel) || this.directory.find(channel.values.symbol as string) !== undefined ? channel : null;
  }

  prepare(channel: ChannelName, receiver: Receiver, account: AccountId | null): Promise<void> | null {
    if (account === null || !isPrivate(channel)) return null;
    return this.privateTopics.prepare(channel.id, account, receiver, () => this.privatePushes.position);
  }

  join(channel: ChannelName, receiver: Receiver, account: AccountId | null): void {
    if (isPublic(channel)) this.publicTopics.join(channel, receiver);
    if (account === null || !isPrivate(channel)) return;
    // Pending pushes are about events before this receiver joined.
    this.privatePushes.flush();
    this.privateTopics.add(channel.id, account, receiver);
  }

  leave(channel: ChannelName, receiver: Receiver, account: AccountId | null): void {
    if (isPublic(channel)) this.publicTopics.leave(channel, receiver);
    else if (account !== null && isPrivate(channel)) this.privateTopics.remove(channel.id, account, receiver);
  }

  /** Passes each kind of event only to what uses it. */
  private createSink(): EventSink {
    const { directory, privatePushes, publicTopics } = this;
    /** Streams are of symbols: they do not tell of contracts. DEC-FUT-61. */
    const isStreamed = (symbol: SymbolId): boolean => directory.contract(symbol) === undefined;
    return {
      ...noopSink,
      entryBegan: (seq, at) => {
        privatePushes.entryBegan(seq, at);
        publicTopics.entryBegan(seq, at);
      },
      orderAccepted: (order) => {
        if (isStreamed(order.symbol)) privatePushes.orderAccepted(order);
      },
      tradeExecuted: (trade) => {
        if (!isStreamed(trade.symbol)) return;
        privatePushes.tradeExecuted(trade);
        publicTopics.tradeExecuted(trade);
      },
      orderFilled: (order, lots) => {
        if (isStreamed(order.symbol)) privatePushes.orderFilled(order, lots);
      },
      orderClosed: (order) => {
        if (isStreamed(order.symbol)) privatePushes.orderClosed(order);
      },
      levelChanged: (symbol, version, side, price, lots) => {
        if (isStreamed(symbol)) publicTopics.levelChanged(symbol, version, side, price, lots);
      },
      posted: (account, asset, free, held, why) => privatePushes.posted(account, asset, free, held, why),
      fact: this.onFact,
    };
  }
}
