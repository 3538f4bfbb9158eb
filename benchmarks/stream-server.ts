import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import { monotonicClock, wallClock } from '#base/clock.ts';
import type { Trade } from '#model/events.ts';
import { as } from '#model/units.ts';
import { RateLimits } from '#http/rate-limits.ts';
import { MemoryHistoryStore } from '../test/ports/memory-history-store.ts';
import { createFanOut } from '#sequencer/event-feed.ts';
import { createMarketData } from '#market-data/market-data.ts';
import { SymbolDirectory } from '#market-data/symbol-directory.ts';
import { dealContent, privateChannels } from '#websocket/pushes/private-channels.ts';
import { createPush } from '#websocket/pushes/push.ts';
import { attachStreams } from '#websocket/streams.ts';
import { listing, account } from './stream-listing.ts';

/**
 * A server of websockets in a process of its own: the real streams over a feed that the parent drives, or a bare `ws`
 * server that sends the same bytes. The real one looks keys up like any other, but every key is of one account.
 */
export type StreamServerKind = 'streams' | 'bare';

/** What the parent asks for: fills in bursts of one turn each, or how much memory is in use. */
export type StreamServerTask =
  | { readonly kind: 'fills'; readonly turns: number; readonly perTurn: number }
  | { readonly kind: 'memory' };

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const unlimited = { rateLimits: false, connectionsMax: 1, connectionsPerAddressMax: 1 };
const addressSettings = {
  trustedProxies: [],
  deniedAddresses: [],
  banAfter: 5,
  banFirstSeconds: 120,
  banMostSeconds: 120,
  banMemoryHours: 1,
  banLoopback: false,
  faultsPerWindow: 100,
};
const uncounted = { connections: () => {}, subscriptions: () => {}, sent: () => {}, slowReaderClosed: () => {} };

function fill(number: number): Trade {
  return {
    symbol: as(0),
    trade: as(number),
    price: as(6_000_000),
    lots: as(1234),
    quoteAmount: as(60_000_000),
    takerSide: 'buy',
    taker: as(number),
    maker: as(7),
    takerAccount: account,
    makerAccount: as(99),
    takerClientOrderId: null,
    makerClientOrderId: null,
    fillOfTaker: 1,
    takerFee: as(50),
    takerFeeAsset: as(1),
    makerFee: as(0),
    makerFeeAsset: as(0),
  };
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

async function serveStreams(server: Server): Promise<(turns: number, perTurn: number) => Promise<void>> {
  const sink = createFanOut();
  const market = createMarketData({ history: new MemoryHistoryStore(), awaitHistory: async () => {} });
  market.configure(listing);
  await attachStreams({
    server,
    market,
    clock: wallClock,
    monotonic: monotonicClock,
    metrics: uncounted,
    feed: sink,
    queries: {
      position: async () => ({ seq: as(0), at: as(0) }),
      balancesAt: async () => ({ seq: as(0), balances: [] }),
      listenKey: async (keyHash) => ({
        keyHash,
        account,
        accessKey: '',
        sealedKey: '',
        createdAt: as(0),
        expiresAt: as(Number.MAX_SAFE_INTEGER),
      }),
      isOff: () => false,
      usableKey: (accessKey) => ({
        account,
        accessKey,
        note: '',
        permissions: 0,
        ips: [],
        sealedSecret: '',
        createdAt: as(0),
        endsAt: null,
      }),
    },
    settings: { ...unlimited, allowedOrigins: [] },
    limits: new RateLimits({
      settings: { ...unlimited, ...addressSettings },
      monotonic: monotonicClock,
      wall: wallClock,
      log: silent,
      storeBan: async () => {},
    }),
    onTrouble: (what, error) => {
      throw new Error(what, { cause: error });
    },
  });
  let made = 0;
  return async (turns, perTurn) => {
    for (let count = 0; count < turns; count += 1) {
      sink.entryBegan(as(made + 1), as(wallClock.now()));
      for (let index = 0; index < perTurn; index += 1) sink.tradeExecuted(fill((made += 1)));
      await turn();
    }
  };
}

/** The plain way: one `send` for each message and socket. Messages are made once, as the streams make them. */
function serveBare(server: Server): (turns: number, perTurn: number) => Promise<void> {
  const webSockets = new WebSocketServer({ server, perMessageDeflate: false });
  const directory = new SymbolDirectory();
  directory.load(listing);
  let made = 0;
  const message = (): Buffer => {
    const at = wallClock.now();
    const head = { channel: 'spot@private.deals.v3.api.pb', symbol: 'BTCUSDT', createTime: at, sendTime: at };
    const deal = dealContent(directory, fill((made += 1)), { isMaker: false, at });
    const frame = createPush(head, privateChannels.deals.body, deal).frame('protobuf');
    return frame.subarray(frame[1] === 126 ? 4 : 2);
  };
  return async (turns, perTurn) => {
    for (let count = 0; count < turns; count += 1) {
      for (let index = 0; index < perTurn; index += 1) {
        const bytes = message();
        for (const socket of webSockets.clients) socket.send(bytes, { binary: true });
      }
      await turn();
    }
  };
}

async function serve(kind: StreamServerKind): Promise<void> {
  const server = createServer();
  const run = kind === 'streams' ? await serveStreams(server) : serveBare(server);
  process.on('message', async (task: StreamServerTask) => {
    if (task.kind === 'memory') {
      for (let round = 0; round < 3; round += 1) {
        (globalThis as { gc?: () => void }).gc?.();
        await turn();
      }
      process.send?.(process.memoryUsage.rss());
      return;
    }
    await run(task.turns, task.perTurn);
    process.send?.('sent');
  });
  server.listen({ host: '127.0.0.1', port: 0, backlog: 4096 }, () =>
    process.send?.((server.address() as AddressInfo).port),
  );
}

await serve(process.argv[2] as StreamServerKind);
