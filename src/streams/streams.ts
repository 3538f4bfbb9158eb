import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Clock } from '#base/clock.ts';
import type { EventFeed } from '#egress/event-feed.ts';
import type { RateLimits } from '#http/rate-limits.ts';
import type { ExchangeQueries } from '#ingress/exchange-queries.ts';
import type { MarketData } from '#projections/market-data.ts';
import type { Later } from '#streams/cadence.ts';
import { Hub } from '#streams/hub.ts';
import { ListenKeyDoor } from '#streams/listen-key-door.ts';
import { Room } from '#streams/room.ts';
import type { StreamSettings } from '#streams/stream-settings.ts';
import type { StreamMetrics } from '#streams/stream-metrics.ts';
import { refuseUpgrade } from '#streams/upgrade.ts';

/*
 * Streams: websockets that are told what happens. Start reading here.
 *
 * Events come in by the feed and become pushes in `private-pushes.ts` (per account) and `public-topics.ts` (per
 * channel), each encoded once (`push.ts`). A `Connection` speaks the protocol with one client and holds the frames of
 * this turn, which the `Outbox` writes in one piece. `Cadence` ends the windows of aggregated channels, and the
 * `ListenKeyDoor` knows which keys may come in. Commands never start here, and nothing here answers HTTP but refusals.
 */

/** What streams stand on. */
export interface StreamParts {
  readonly server: Server;
  readonly queries: Pick<ExchangeQueries, 'listenKey' | 'balancesAt' | 'position'>;
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
  /** Timers; those of the machine if not given. */
  readonly later?: Later;
}

/** Running streams. */
export interface Streams {
  /** What is open now, for the operator and for tests of leaks. */
  counts(): StreamCounts;
  /** Tells every client to go and resolves once all are gone. */
  close(): Promise<void>;
}

/** How much of everything there is. */
export interface StreamCounts {
  readonly connections: number;
  readonly addresses: number;
  readonly listenKeys: number;
  readonly publicTopics: number;
  readonly privateTopics: number;
}

const machineTimer: Later = (delayMs, run) => {
  const timer = setTimeout(run, delayMs);
  return () => clearTimeout(timer);
};

/** Serves websockets at `/ws` of a server that handles HTTP otherwise. */
export async function attachStreams(parts: StreamParts): Promise<Streams> {
  const { server, queries, feed, clock, onTrouble, later = machineTimer } = parts;
  // Not within the event, whose entry may still turn out to be broken: closing says on the socket that it happened.
  const onKeyClosed = (keyHash: string): void => queueMicrotask(() => room.closeKey(keyHash));
  const door: ListenKeyDoor = new ListenKeyDoor({ queries, clock }, onKeyClosed);
  const hub = new Hub({ ...parts, later, onFact: (fact) => door.fact(fact) });
  const connection = { ...parts, outbox: hub.outbox, subscriptions: hub };
  const room = new Room({ ...parts, door, later, connection });
  const unsubscribe = feed.subscribe(hub.sink);
  hub.privatePushes.startAt((await queries.position()).seq);
  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    socket.on('error', () => socket.destroy());
    room.admit(request, socket, head).catch((error: unknown) => {
      onTrouble('an upgrade', error);
      refuseUpgrade(socket, { status: 503, text: 'Service not available, retry.' });
    });
  };
  server.on('upgrade', onUpgrade);
  return {
    counts: () => ({ ...room.counts(), publicTopics: hub.publicTopics.size, privateTopics: hub.privateTopics.size }),
    close: async () => {
      server.off('upgrade', onUpgrade);
      await room.close();
      unsubscribe();
      hub.cadence.close();
    },
  };
}
