import { createPrng } from '#base/prng.ts';
import type { Attack, AttackLine } from './hostile-attack.ts';
import { atPace } from './hostile-attack.ts';
import { publicRequest } from './signed-requests.ts';

/** Thirty channels that each begin with a state: as many as a connection may have. */
const channels = ['BTCUSDT', 'ETHUSDT'].flatMap((symbol) => [
  ...['5', '10', '20'].map((levels) => `spot@public.limit.depth.v3.api.pb@${symbol}@${levels}`),
  ...['Min1', 'Min5', 'Min15', 'Min30', 'Min60', 'Hour4', 'Hour8', 'Day1', 'Week1', 'Month1'].map(
    (interval) => `spot@public.kline.v3.api.pb@${symbol}@${interval}`,
  ),
  ...['10ms', '100ms'].map((speed) => `spot@public.aggre.bookTicker.v3.api.pb@${speed}@${symbol}`),
]);

/** A text frame as a client sends it, masked with zeros. */
function textFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  return Buffer.concat([Buffer.of(0x81, 0x80 | 126, payload.length >> 8, payload.length & 0xff, 0, 0, 0, 0), payload]);
}
const [subscribing, unsubscribing] = ['SUBSCRIPTION', 'UNSUBSCRIPTION'].map((method) =>
  textFrame(JSON.stringify({ method, params: channels })),
) as [Buffer, Buffer];

const churnMs = 100;

/** Opens a websocket, and subscribes and unsubscribes in turns. */
function churn(line: AttackLine): void {
  const { socket } = line;
  socket.write(
    'GET /ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n',
  );
  let isSubscribed = false;
  socket.once('data', () =>
    atPace(line, churnMs, () => {
      socket.write(isSubscribed ? unsubscribing : subscribing);
      isSubscribed = !isSubscribed;
    }),
  );
}

const readers = 16;
const readersConnections = 10;
const dayMs = 86_400_000;
const chance = createPrng(25);

interface Read {
  readonly about: string;
  /** What every address sends within its budget. */
  readonly perSecond: number;
  /** `at`: some moment of the last month. */
  readonly target: (at: number) => string;
}

/** Sixteen addresses read, each as fast as its budget allows; the moments are those of a new market's history. */
function reads({ about, perSecond, target }: Read): Attack {
  const pauseMs = (1000 * readersConnections) / perSecond;
  return {
    about: `${readers} addresses read ${perSecond} times/s each ${about}`,
    flags: [],
    hasMarket: true,
    port: 'public',
    addresses: readers,
    connectionsPerAddress: readersConnections,
    backAfterMs: pauseMs,
    drive: (line) =>
      atPace(line, pauseMs, () => {
        line.socket.write(publicRequest(target(Date.now() - 2 * dayMs - chance.below(28 * dayMs))), 'latin1');
      }),
  };
}

/** Attacks on what costs most to answer; they need a market with a history. */
export const marketAttacks: Readonly<Record<string, Attack>> = {
  'subscription-churn': {
    about: '190 connections of one address send 10 messages/s each that subscribe and unsubscribe 30 channels',
    flags: [],
    hasMarket: true,
    port: 'public',
    addresses: 1,
    connectionsPerAddress: 190,
    backAfterMs: 1000,
    drive: churn,
  },
  'old-candles': reads({
    about: '1,000 old candles of a minute',
    perSecond: 50,
    target: (at) => `/api/v3/klines?symbol=BTCUSDT&interval=1m&startTime=${at}&limit=1000`,
  }),
  'contract-candles': reads({
    about: '2,000 candles of a contract',
    perSecond: 10,
    target: (at) => {
      const start = Math.floor(at / 1000);
      return `/api/v1/contract/kline/BTC_USDT?interval=Min1&start=${start}&end=${start + 2000 * 60}`;
    },
  }),
};
