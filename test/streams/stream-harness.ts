import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { machineTimer } from '#base/clock.ts';
import type { OrderRequest } from '#model/order.ts';
import type { SymbolListing } from '#model/symbol.ts';
import type { AccountId, SymbolId } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { HttpSettings } from '#http/http-settings.ts';
import { waitingConnectionsMax } from '#http/http-app.ts';
import { RateLimits } from '#http/rate-limits.ts';
import type { Outcome } from '#sequencer/command-ingress.ts';
import { MemoryHistoryStore } from '../ports/memory-history-store.ts';
import { startHistoryWriter } from '#history/collectors/history-writer.ts';
import { createMarketData, type MarketData } from '#market-data/market-data.ts';
import { listenKeyHash } from '#websocket/connections/listen-key-registry.ts';
import type { StreamSettings } from '#websocket/connections/connection-registry.ts';
import { attachStreams, type StreamParts, type Streams } from '#websocket/streams.ts';
import type { TestExchange } from '../exchange-harness.ts';
import { openExchange } from '../follower-exchange.ts';
import { listingOf } from '../permissive-listing.ts';
import { StreamClient } from './stream-client.ts';
import { TestTimers } from './test-timers.ts';

const quoteScale = 8;
const baseScale = 8;
export const priceDecimals = 2;
export const quantityDecimals = 4;

export const ids = { USDT: as<SymbolId>(0), BTC: as<SymbolId>(1), TKN: as<SymbolId>(2) } as const;
/** First accounts that belong to people. */
export const people = { alice: as<AccountId>(4), bob: as<AccountId>(5), carol: as<AccountId>(6) } as const;
export type Person = keyof typeof people;

const listing = (name: string, base: number): SymbolListing =>
  listingOf({ name, base: as(base), quote: as(0), priceDecimals, quantityDecimals });

/** Streams on a port of this machine, with clocks and timers of the test. */
export interface ServedStreams {
  readonly timers: TestTimers;
  readonly streams: Streams;
  readonly port: number;
  readonly url: string;
  readonly counted: { connections: number; subscriptions: number; frames: number; slow: number };
  /** Client addresses, as all ports of a process share them. */
  readonly limits: RateLimits;
  /** Addresses that were banned. */
  readonly banned: string[];
  /** The server's side of every connection. */
  readonly sockets: ReadonlySet<Socket>;
  readonly troubles: string[];
  close(): Promise<void>;
}

const defaultSettings: StreamSettings = {
  rateLimits: true,
  connectionsMax: 10_000,
  connectionsPerAddressMax: 2000,
  allowedOrigins: [],
};

/** The first violation bans, this machine too. */
const addressSettings: HttpSettings = {
  ...defaultSettings,
  trustedProxies: [],
  deniedAddresses: [],
  banAfter: 1,
  banFirstSeconds: 120,
  banMostSeconds: 3600,
  banMemoryHours: 1,
  banLoopback: true,
  faultsPerWindow: 100,
};

/** Serves streams over an exchange. */
export async function serveStreams(
  parts: Pick<StreamParts, 'queries' | 'feed' | 'market' | 'clock' | 'interceptor' | 'observer'>,
  settings: Partial<StreamSettings> = {},
): Promise<ServedStreams> {
  const timers = new TestTimers();
  const server = createServer((_request, response) => response.end('ok'));
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const counted = { connections: 0, subscriptions: 0, frames: 0, slow: 0 };
  const banned: string[] = [];
  const troubles: string[] = [];
  const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  const limits = new RateLimits({
    settings: { ...addressSettings, ...settings },
    monotonic: timers,
    wall: timers,
    log,
    storeBan: async ({ address }) => void banned.push(address),
  });
  const streams = await attachStreams({
    ...parts,
    server,
    monotonic: timers,
    setTimer: timers.setTimer,
    settings: { ...defaultSettings, ...settings },
    limits,
    metrics: {
      connections: (change) => {
        counted.connections += change;
      },
      subscriptions: (change) => {
        counted.subscriptions += change;
      },
      sent: (frames) => {
        counted.frames += frames;
      },
      slowReaderClosed: () => {
        counted.slow += 1;
      },
    },
    onTrouble: (what, error) => void troubles.push(`${what}: ${String(error)}`),
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', waitingConnectionsMax, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    timers,
    streams,
    port,
    url: `ws://127.0.0.1:${port}/ws`,
    counted,
    limits,
    banned,
    sockets,
    troubles,
    close: async () => {
      await streams.close();
      server.close();
    },
  };
}

export interface StreamHarness extends ServedStreams {
  readonly exchange: TestExchange;
  readonly market: MarketData;
  /** Makes a listen key of an account by an API key, which is made first if there is none, and answers the token. */
  addKey(
    account: AccountId,
    options?: { readonly accessKey: string; readonly ips?: readonly string[] },
  ): Promise<string>;
  connect(query?: string): Promise<StreamClient>;
  /** Connects with a fresh key of an account. */
  listen(account: AccountId, query?: string): Promise<StreamClient>;
  order(account: AccountId, order: Partial<OrderRequest>): Promise<Outcome>;
}

let keysMade = 0;

export interface StreamHarnessOptions {
  readonly settings?: Partial<StreamSettings>;
  readonly exchange?: TestExchange;
  /** What touches and sees what is sent. */
  readonly interception?: (exchange: TestExchange) => Pick<StreamParts, 'interceptor' | 'observer'>;
  /** False: nothing is listed and nobody has an account yet. */
  readonly isOpened?: boolean;
}

/** An exchange in memory with two pairs, three rich people, and streams. */
export async function startStreamHarness(options: StreamHarnessOptions = {}): Promise<StreamHarness> {
  const { settings = {}, exchange = await openExchange(), isOpened = true, interception = () => ({}) } = options;
  const history = new MemoryHistoryStore();
  const fail = (error: unknown): never => {
    throw error;
  };
  const writer = await startHistoryWriter({
    store: history,
    onFailure: fail,
    setTimer: machineTimer,
  });
  const market = createMarketData({ history, awaitHistory: (upTo) => writer.flush(upTo) });
  exchange.sequencer.subscribe(market);
  exchange.sequencer.subscribe(writer);
  if (isOpened) await openMarket(exchange);
  const parts = {
    queries: exchange.queries,
    feed: exchange.sequencer,
    market,
    clock: exchange.clock,
    ...interception(exchange),
  };
  const served = await serveStreams(parts, settings);
  const addKey: StreamHarness['addKey'] = async (account, options) => {
    keysMade += 1;
    const token = keysMade.toString(16).padStart(64, '0');
    const keyHash = listenKeyHash(token);
    const accessKey = options?.accessKey ?? `mx0stream${account}`;
    // Refused if it is there: one key of an account makes all its listen keys.
    const ips = options?.ips ?? [];
    await exchange.submit({
      kind: 'createApiKey',
      account,
      accessKey,
      sealedSecret: '',
      note: '',
      permissions: 0,
      ips,
      unboundLifeMs: null,
    });
    await exchange.submit({ kind: 'createListenKey', account, accessKey, keyHash, sealedKey: `sealed ${token}` });
    return token;
  };
  const endServing = served.close;
  return Object.assign(served, {
    exchange,
    market,
    addKey,
    connect: (query = '') => StreamClient.open(served.url + query),
    listen: async (account: AccountId, query = '') =>
      StreamClient.open(`${served.url}?listenKey=${await addKey(account)}${query}`),
    order: (account: AccountId, order: Partial<OrderRequest>) => exchange.place(account, order),
    close: async () => {
      await endServing();
      await exchange.close();
      await writer.close();
      await history.close();
    },
  });
}

async function openMarket(exchange: TestExchange): Promise<void> {
  for (const [code, scale, coin] of [
    ['USDT', quoteScale, '1'],
    ['BTC', baseScale, '2'],
    ['TKN', 8, '3'],
  ] as const) {
    await exchange.submit({
      kind: 'configureAsset',
      asset: { code, fullName: code, scale, cap: as(2n ** 61n), coinId: coin.repeat(32) },
    });
  }
  await exchange.submit({ kind: 'configureSymbol', symbol: listing('BTCUSDT', ids.BTC) });
  await exchange.submit({ kind: 'configureSymbol', symbol: listing('TKNUSDT', ids.TKN) });
  for (const name of Object.keys(people) as Person[]) {
    await exchange.submit({
      kind: 'openAccount',
      uid: as(1000 + people[name]),
      name,
      master: null,
      class: 'user',
      kycLevel: 2,
      simulated: false,
    });
    for (const asset of [ids.USDT, ids.BTC, ids.TKN]) {
      await exchange.submit({
        kind: 'creditFunds',
        account: people[name],
        asset: as(asset),
        amount: as(10n ** 15n),
      });
    }
  }
}
