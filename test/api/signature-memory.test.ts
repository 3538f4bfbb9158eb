import { expect, test } from 'vitest';
import { expectCode } from './answer-shape.ts';
import { encode, keys, type Reply, sign } from './gateway-harness.ts';
import { outside, startWalletHarness, type WalletHarness } from './wallet-harness.ts';

const withdrawal = { coin: 'USDT', netWork: 'ETH', address: outside.ETH, amount: '50' };
const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', quantity: '0.5', price: '30000' };

/** The same bytes at each call. */
function request(wallet: WalletHarness, path: string, parameters: Record<string, string>, timestamp: number) {
  const query = encode({ ...parameters, timestamp: String(timestamp) });
  return (): Promise<Reply> =>
    wallet.gate.send('POST', `/api/v3/${path}?${query}&signature=${sign(query)}`, {
      headers: { 'X-SVC-APIKEY': keys.alice },
    });
}

test.each(['all', 'money'] as const)(
  'DEC-REQ-15: with %s the same request does not take money out of a wallet twice; orders may repeat',
  async (signatureReuse) => {
    const wallet = await startWalletHarness({ settings: { signatureReuse } });
    const { time } = wallet.gate.exchange.clock;
    const withdraw = request(wallet, 'capital/withdraw', withdrawal, time);
    expect((await withdraw()).status).toBe(200);
    const before = wallet.gate.digest();
    expectCode(await withdraw(), 700002);
    expect(wallet.gate.digest()).toBe(before);
    const place = request(wallet, 'order', order, time);
    expect([(await place()).status, (await place()).status]).toEqual([200, 200]);
    await wallet.close();
  },
);

test('DEC-REQ-15: guarded routes refuse what was signed before serving began: its use may be forgotten', async () => {
  const wallet = await startWalletHarness({ settings: { signatureReuse: 'money' } });
  const { clock } = wallet.gate.exchange;
  const start = clock.time;
  expectCode(await request(wallet, 'capital/withdraw', withdrawal, start - 1)(), 700003);
  expect((await request(wallet, 'order', order, start - 1)()).status).toBe(200);
  expect((await request(wallet, 'capital/withdraw', withdrawal, start)()).status).toBe(200);
  // The exchange's clock is set back by more than the time since: what is signed by the right time is served.
  clock.time = start - 3_600_000;
  const kept = request(wallet, 'capital/withdraw', { ...withdrawal, amount: '51' }, clock.time);
  expect((await kept()).status).toBe(200);
  await wallet.close();
});

test('DEC-REQ-15: without the setting nothing is remembered', async () => {
  const wallet = await startWalletHarness({ settings: { signatureReuse: 'off' } });
  const { time } = wallet.gate.exchange.clock;
  const withdraw = request(wallet, 'capital/withdraw', withdrawal, time - 1);
  expect([(await withdraw()).status, (await withdraw()).status]).toEqual([200, 200]);
  await wallet.close();
});
