import { afterEach, expect, test } from 'vitest';
import type { ClaimVerdict, SignatureClaim, SignatureUse } from '#sequencer/signature-authority.ts';
import { expectCode } from './answer-shape.ts';
import { encode, keys, type Reply, sign } from './gateway-harness.ts';
import { outside, startWalletHarness, type WalletHarness } from './wallet-harness.ts';

let wallet: WalletHarness | null = null;
afterEach(async () => {
  await wallet?.close();
  wallet = null;
});

/** A gateway in a cluster whose leader decides as the test says. */
async function start(signatureReuse: 'all' | 'money' | 'off') {
  const claims: SignatureClaim[] = [];
  const seen: SignatureUse[] = [];
  const leader: { decide: () => Promise<ClaimVerdict> } = { decide: async () => 'granted' };
  const opened = await startWalletHarness({
    settings: { signatureReuse },
    context: (context) => ({
      ...context,
      signatures: {
        claim: (claim) => {
          claims.push(claim);
          return leader.decide();
        },
        seen: (use) => void seen.push(use),
      },
    }),
  });
  wallet = opened;
  // The harness has placed orders.
  claims.length = 0;
  seen.length = 0;
  const { time } = opened.gate.exchange.clock;
  let count = 0;
  /** The same bytes at each call. */
  const request = (method: string, path: string, parameters: Record<string, string>): (() => Promise<Reply>) => {
    count += 1;
    const query = encode({ ...parameters, timestamp: String(time), recvWindow: String(5000 + count) });
    const target = `/api/v3/${path}?${query}&signature=${sign(query)}`;
    return () => opened.gate.send(method, target, { headers: { 'X-SVC-APIKEY': keys.alice } });
  };
  const withdraw = (amount: string) =>
    request('POST', 'capital/withdraw', { coin: 'USDT', netWork: 'ETH', address: outside.ETH, amount });
  return { gate: opened.gate, claims, seen, leader, request, withdraw, time };
}

test('DEC-CLU-20: what is guarded asks the leader with signature, route and timestamp; it is told of the rest', async () => {
  const { claims, seen, request, withdraw, time } = await start('money');
  expect((await withdraw('50')()).status).toBe(200);
  expect(claims).toEqual([
    { signature: expect.any(Uint8Array), route: 'POST /api/v3/capital/withdraw', isOnce: true, madeAt: time },
  ]);
  expect((await request('GET', 'account', {})()).status).toBe(200);
  expect(seen.map(({ route }) => route)).toEqual(['GET /api/v3/account']);
  expect([...claims, ...seen].map(({ signature }) => signature.length)).toEqual([32, 32]);
});

test('DEC-CLU-20: what the leader does not grant changes nothing, and says whether to sign anew', async () => {
  const { gate, leader, withdraw } = await start('all');
  const before = gate.digest();
  for (const [verdict, code] of [
    ['used', 700002],
    ['fromBefore', 700003],
    ['tooSoon', 503],
  ] as const) {
    leader.decide = async () => verdict;
    expectCode(await withdraw('50')(), code, code === 503 ? 503 : 400);
  }
  leader.decide = () => Promise.reject(new Error('the connection to the leader has ended'));
  const again = withdraw('50');
  expectCode(await again(), 503, 503);
  expect(gate.digest()).toBe(before);
  // It was not served, so the same request may come again.
  leader.decide = async () => 'granted';
  expect((await again()).status).toBe(200);
  expectCode(await again(), 700002);
});

test('DEC-CLU-20: a read that this node served is not granted as something else, whatever the leader knows', async () => {
  const { gate, claims, time } = await start('all');
  const query = encode({ symbol: 'BTCUSDT', timestamp: String(time) });
  const send = (method: string) =>
    gate.send(method, `/api/v3/openOrders?${query}&signature=${sign(query)}`, {
      headers: { 'X-SVC-APIKEY': keys.alice },
    });
  expect((await send('GET')).status).toBe(200);
  expectCode(await send('DELETE'), 700002);
  expect(claims).toEqual([]);
});

test('without the setting the leader is neither asked nor told', async () => {
  const { claims, seen, request, withdraw } = await start('off');
  expect((await withdraw('50')()).status).toBe(200);
  expect((await request('GET', 'account', {})()).status).toBe(200);
  expect([claims, seen]).toEqual([[], []]);
});
