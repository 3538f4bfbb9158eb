import type { Attack, AttackLine } from './hostile-attack.ts';
import { atPace } from './hostile-attack.ts';
import { marketAttacks } from './hostile-market-attacks.ts';
import { publicRequest, type Signer, signedRequest } from './signed-requests.ts';

const limited: readonly string[] = [];
const unlimited = ['--no-rate-limits'];
const banning = ['--ban-loopback'];

/** Sends the same over and over, as fast as the other side takes it, and reads or does not. */
function sendWithoutEnd({ socket }: AttackLine, text: string, isReading: boolean): void {
  if (!isReading) socket.pause();
  const send = (): void => {
    while (!socket.destroyed && socket.writableLength < 1_000_000) socket.write(text, 'latin1');
  };
  socket.on('drain', send);
  send();
}

/** Many connections ask for a page many times at once and never read. */
const unread = (path: string, port: Attack['port'], flags: readonly string[]): Attack => ({
  about: `6 connections of each address pipeline GET ${path} and never read, on the ${port} port`,
  flags,
  port,
  addresses: 2,
  connectionsPerAddress: 6,
  backAfterMs: 50,
  drive: (line) => sendWithoutEnd(line, publicRequest(path).repeat(100), false),
});

/** Many connections send the same and read all answers. */
const flood = (text: string, flags: readonly string[], about: string): Attack => ({
  about: `20 connections of one address pipeline ${about} without end`,
  flags,
  port: 'public',
  addresses: 1,
  connectionsPerAddress: 20,
  backAfterMs: 0,
  drive: (line) => sendWithoutEnd(line, text, true),
});

const order = (signer: Signer): string => {
  const query = 'symbol=BTCUSDT&side=BUY&type=LIMIT&quantity=0.0002&price=20000';
  return signedRequest(signer, { method: 'POST', path: '/api/v3/order/test', query });
};
const ping = publicRequest('/api/v3/ping');
const upgrade =
  'GET /ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n';
const tooManyHeaders = (): string => {
  const headers = Array.from({ length: 70 }, (_, index) => `X-H${index}: 1\r\n`).join('');
  return `GET /api/v3/ping HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;
};

let attempts = 0;

/** What stands behind a refusal that closes the connection: more requests, then an upgrade a moment later. */
function pastClosing({ socket, signers: [signer] }: AttackLine): void {
  const first = order(signer!);
  socket.write(first + tooManyHeaders() + first, 'latin1');
  attempts += 1;
  setTimeout(() => socket.write(first + upgrade, 'latin1'), attempts % 7);
  setTimeout(() => socket.destroy(), 40);
}

function upgradeBehind({ socket, signers: [signer] }: AttackLine): void {
  socket.write(order(signer!).repeat(3) + upgrade, 'latin1');
  setTimeout(() => socket.destroy(), 40);
}

/** Upgrades, goes when it is answered, and comes back. */
function upgradeAgain({ socket }: AttackLine): void {
  socket.once('data', () => socket.destroy());
  socket.write(upgrade, 'latin1');
}

const expectation = 'GET /api/v3/ping HTTP/1.1\r\nHost: x\r\nExpect: a-miracle\r\n\r\n';

const membersOf = (count: number): string =>
  `{${Array.from({ length: count }, (_, index) => `"m${index}":${index}`).join(',')}}`;

/** As large as 64 members and 8 KiB let a body be, escaped so that no quick reader takes it. */
function largestBody(): string {
  const filler = '\\u0041'.repeat(20);
  const members = Array.from({ length: 63 }, (_, index) => `"m${index}":"${filler}"`);
  return `{${members.join(',')}}`;
}

const bodyConnections = 16;
/** 500 in 10 s is what an address may spend at an endpoint of weight 1: 50 a second over its connections. */
const bodyPauseMs = (1000 * bodyConnections) / 50;

/** Signed orders whose signatures are wrong: the body is read first, and everything about it is refused. */
const bodies = (body: string): Attack => ({
  about: `4 addresses send 50 bodies/s each of ${body.length} bytes, signed wrongly`,
  flags: limited,
  port: 'public',
  addresses: 4,
  connectionsPerAddress: bodyConnections,
  backAfterMs: bodyPauseMs,
  drive: (line) =>
    atPace(line, bodyPauseMs, () => {
      const {
        socket,
        signers: [signer],
      } = line;
      const target = `/api/v3/order?recvWindow=59999&timestamp=${Date.now()}&signature=${'0'.repeat(64)}`;
      socket.write(
        `POST ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-SVC-APIKEY: ${signer!.apiKey}\r\n` +
          `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
        'latin1',
      );
    }),
});

/** Every attack by its name; its lines are `hostile/NAME` and `hostile/NAME-memory`. */
export const attacks: Readonly<Record<string, Attack>> = {
  'ping-large': bodies(membersOf(15_000)),
  'ping-small': bodies(largestBody()),
  'unread-script': unread('/docs/js/scalar.js', 'public', limited),
  'unread-script-unlimited': unread('/docs/js/scalar.js', 'public', unlimited),
  'unread-streams': unread('/docs/streams', 'public', unlimited),
  'unread-document': unread('/openapi.json', 'public', unlimited),
  'unread-metrics': unread('/metrics', 'public', unlimited),
  'unread-operator-metrics': unread('/metrics', 'operator', limited),
  'unread-operator-script': unread('/docs/js/scalar.js', 'operator', limited),
  'past-closing': {
    about: '20 connections send requests, a refusal that closes, requests behind it and an upgrade, over and over',
    flags: unlimited,
    port: 'public',
    addresses: 1,
    connectionsPerAddress: 20,
    backAfterMs: 0,
    drive: pastClosing,
  },
  'upgrade-behind': {
    about: '20 connections send three orders and an upgrade at once, over and over',
    flags: unlimited,
    port: 'public',
    addresses: 1,
    connectionsPerAddress: 20,
    backAfterMs: 0,
    drive: upgradeBehind,
  },
  'upgrade-churn': {
    about: '100 connections of one address upgrade, close and come back, over and over',
    flags: limited,
    port: 'public',
    addresses: 1,
    connectionsPerAddress: 100,
    backAfterMs: 0,
    drive: upgradeAgain,
  },
  'upgrade-churn-unlimited': {
    about: '100 connections of one address upgrade, close and come back, over and over, without limits',
    flags: unlimited,
    port: 'public',
    addresses: 1,
    connectionsPerAddress: 100,
    backAfterMs: 0,
    drive: upgradeAgain,
  },
  'banned-pings': flood(ping.repeat(1000), banning, 'pings, soon banned,'),
  'unlimited-pings': flood(ping.repeat(1000), unlimited, 'pings'),
  'expect-behind': flood(ping + expectation, limited, 'pings and expectations'),
  ...marketAttacks,
};
