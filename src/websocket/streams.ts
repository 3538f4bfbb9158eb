import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type Clock, machineTimer, type SetTimer } from '#base/clock.ts';
import type { EventFeed } from '#sequencer/event-feed.ts';
import type { RateLimits } from '#http/rate-limits.ts';
import { releaseSocket } from '#http/request-gate.ts';
import type { ExchangeQueries } from '#sequencer/queries/exchange-queries.ts';
import type { MarketData } from '#market-data/market-data.ts';
import { EventRouter } from '#websocket/pushes/event-router.ts';
import { ListenKeyRegistry } from '#websocket/connections/listen-key-registry.ts';
import type { StreamMetrics } from '#websocket/connections/connection.ts';
import type { StreamInterceptor, StreamObserver } from '#websocket/connections/stream-interception.ts';
import { ConnectionRegistry, type StreamSettings } from '#websocket/connections/connection-registry.ts';
import { refuseUpgrade } from '#websocket/connections/upgrade.ts';

/*
 * Streams: push what happens over websockets. Start reading here.
 *
 * The `EventRouter` takes the events of the feed to `private-pushes.ts` (pushes per account) and `public-topics.ts`
 * (pushes per channel). Each push is encoded once (`push.ts`). A `Connection` speaks the protocol with one client and
 * holds its frames until the `Outbox` writes them at the end of the event-loop turn. The `FlushScheduler` ends the
 * windows of aggregated channels. The `ConnectionRegistry` and the `ListenKeyRegistry` decide who may connect. Streams
 * submit no commands, and answer HTTP with refusals of upgrades only.
 */

/** What streams need. */
export interface StreamParts {
  readonly server: Server;
  readonly queries: Pick<ExchangeQueries, 'listenKey' | 'usableKey' | 'isOff' | 'balancesAt' | 'position'>;
  readonly feed: EventFeed;
  /** Subscribed to the feed before streams are attached. */
  readonly market: MarketData;
  /** The exchange's clock. */
  readonly clock: Clock;
  readonly monotonic: Clock;
  readonly settings: StreamSettings;
  /** Those of all ports: one ban ladder for requests and messages. */
  readonly limits: RateLimits;
  readonly metrics: StreamMetrics;
  readonly onTrouble: (what: string, error: unknown) => void;
  /** What a sandbox touches and sees; absent elsewhere. */
  readonly interceptor?: StreamInterceptor | undefined;
  readonly observer?: StreamObserver | undefined;
  /** Timers; those of the machine if not given. */
  readonly setTimer?: SetTimer;
}

/** Running streams. */
export interface Streams {
  /** What is open now, for metrics and for tests of leaks. */
  counts(): StreamCounts;
  /** Closes every connection and resolves once all have ended. */
  close(): Promise<void>;
}

/** Numbers of open connections, keys and topics. */
export interface StreamCounts {
  readonly connections: number;
  readonly addresses: number;
  readonly listenKeys: number;
  readonly publicTopics: number;
  readonly privateTopics: number;
}

/** Serves websockets at `/ws` of a server that handles HTTP otherwise. */
export async function attachStreams(parts: StreamParts): Promise<Streams> {
  const { server, queries, feed, clock, onTrouble, setTimer = machineTimer } = parts;
  // Deferred, because the entry of this event may still fail: closing the socket would reveal it to the client.
  const onKeyClosed = (keyHash: string): void => queueMicrotask(() => connections.closeKey(keyHash));
  const listenKeys: ListenKeyRegistry = new ListenKeyRegistry({ queries, clock, limits: parts.limits }, onKeyClosed);
  const router = new EventRouter({ ...parts, setTimer, onFact: (fact) => listenKeys.fact(fact) });
  const connection = { ...parts, outbox: router.outbox, subscriptions: router };
  const connections = new ConnectionRegistry({ ...parts, listenKeys, setTimer, connection });
  const unsubscribe = feed.subscribe(router.sink);
  router.privatePushes.startAt((await queries.position()).seq);
  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    releaseSocket(socket as Socket);
    socket.on('error', () => socket.destroy());
    connections.admit(request, socket, head).catch((error: unknown) => {
      onTrouble('an upgrade', error);
      refuseUpgrade(socket, { status: 503, text: 'Service not available, retry.' });
    });
  };
  server.on('upgrade', onUpgrade);
  return {
    counts: () => ({
      ...connections.counts(),
      publicTopics: router.publicTopics.size,
      privateTopics: router.privateTopics.size,
    }),
    close: async () => {
      server.off('upgrade', onUpgrade);
      await connections.close();
      unsubscribe();
      router.scheduler.close();
    },
  };
}
