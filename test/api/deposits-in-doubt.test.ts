import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectCode } from './answer-shape.ts';
import { keys, type Reply } from './gateway-harness.ts';
import { outside, startWalletHarness, usdtContract, type WalletHarness } from './wallet-harness.ts';

let wallet: WalletHarness;
beforeAll(async () => {
  wallet = await startWalletHarness();
});
afterAll(() => wallet.close());

test('DEC-WAL-102: while a deposit is being checked, what its account may not do says so and asks to try again', async () => {
  const [{ address }] = (await wallet.post('deposit/address', { coin: 'USDT', network: 'ETH' })).body;
  const payment = { network: 'ETH', address, memo: null, contract: usdtContract, amount: 20n * 10n ** 18n };
  await wallet.chains.deposit(payment);
  await wallet.mine('ETH', 13);
  await wallet.run({ kind: 'recordFork', network: 'ETH', height: 0 });
  const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', quantity: '1', price: '90' };
  const tries: readonly (() => Promise<Reply>)[] = [
    () => wallet.gate.signed('POST', '/api/v3/order', order),
    () => wallet.post('withdraw', { coin: 'USDT', netWork: 'ETH', address: outside.ETH, amount: '50' }),
    () => wallet.post('transfer', { asset: 'USDT', fromAccountType: 'SPOT', toAccountType: 'FUTURES', amount: '1' }),
  ];
  for (const attempt of tries) {
    const refused = await attempt();
    expectCode(refused, 60005);
    expect(refused.body.msg).toBe(
      'Account abnormal: a deposit of it is being checked, because its chain changed; try again in a few seconds.',
    );
  }
  expect((await wallet.gate.signed('POST', '/api/v3/order', order, { key: keys.bob })).status).toBe(200);
  await wallet.settlement.run();
  expect((await Promise.all(tries.map((attempt) => attempt()))).map(({ status }) => status)).toEqual([200, 200, 200]);
});
