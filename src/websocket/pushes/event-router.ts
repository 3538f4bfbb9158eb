import type { Clock, SetTimer } from '#base/clock.ts';
import { type ChannelName, isOfSymbol } from '#websocket/channel.ts';
import { isPrivate, isPublic, parseChannel } from '#websocket/channels.ts';
import type { EventSink, Fact } from '#model/events.ts';
import type { AccountId } from '#model/units.ts';
import { createFanOut } from '#sequencer/event-feed.ts';
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
  /** Takes the events of the feed. */
  readonly sink: EventSink;
  private readonly directory: SymbolDirectory;

  constructor(parts: EventRouterParts) {
    this.directory = parts.market.directory;
    const { queries, market, clock, monotonic, onFact, onTrouble, setTimer } = parts;
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
    const sinks = createFanOut();
    for (const sink of [this.privatePushes, this.publicTopics, { fact: onFact }]) sinks.subscribe(sink);
    this.sink = sinks;
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
}
