import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectCode } from './answer-shape.ts';
import { keys } from './gateway-harness.ts';
import { outside, startWalletHarness, usdtContract, type WalletHarness } from './wallet-harness.ts';

let wallet: WalletHarness;
beforeAll(async () => {
  wallet = await startWalletHarness();
});
afterAll(() => wallet.close());

const terms = { coin: 'USDT', netWork: 'ETH', address: outside.ETH, amount: '10' };

test.each([usdtContract, usdtContract.toLowerCase()])(
  'DEC-WAL-174: paying an asset to its own contract, written as %s, is 33333',
  async (address) => {
    const before = wallet.gate.digest();
    const reply = await wallet.post('withdraw', { ...terms, address });
    expectCode(reply, 33333);
    expect(reply.body.msg).toContain("'address'");
    expect(wallet.gate.digest()).toBe(before);
  },
);

test('DEC-REQ-161: a remark has at most 64 characters, however they are encoded', async () => {
  const remark = '\u{1F600}'.repeat(64);
  const { body } = await wallet.post('withdraw', { ...terms, remark });
  const [listed] = (await wallet.get('withdraw/history')).body;
  expect(listed).toMatchObject({ id: body.id, remark });
  expectCode(await wallet.post('withdraw', { ...terms, remark: `${remark}x` }), 10268);
});

test('DEC-WAL-175: the history takes statuses by number and by name', async () => {
  const rows = async (status: string) =>
    (await wallet.get('withdraw/history', { status }, keys.bob)).body.map(({ amount }: { amount: string }) => amount);
  await wallet.post('withdraw', { ...terms, amount: '11' }, keys.bob);
  const { body } = await wallet.post('withdraw', { ...terms, amount: '12' }, keys.bob);
  await wallet.remove('withdraw', { id: body.id }, keys.bob);
  for (const status of ['9', 'CANCEL']) expect(await rows(status)).toEqual(['12']);
  for (const status of ['1', 'APPLY']) expect(await rows(status)).toEqual(['11']);
  for (const status of ['7', 'SUCCESS', 'MANUAL']) expect(await rows(status)).toEqual([]);
  for (const status of ['0', '11', 'apply'])
    expectCode(await wallet.get('withdraw/history', { status }, keys.bob), 33333);
});
