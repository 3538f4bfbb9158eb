import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Command } from '#model/command.ts';
import { expectCode } from './answer-shape.ts';
import { keys } from './gateway-harness.ts';
import { networks, startWalletHarness, type WalletHarness } from './wallet-harness.ts';

let wallet: WalletHarness;
beforeAll(async () => {
  wallet = await startWalletHarness();
});
afterAll(() => wallet.close());

const terms = { coin: 'USDT', netWork: 'ETH', amount: '50' } as const;
const configure = (changes: object): Command => ({
  kind: 'configureAssetNetwork',
  network: { ...networks['USDT ETH'], ...changes },
});
/** The withdrawal as its history shows it. */
const shown = async (id: string) =>
  (await wallet.get('withdraw/history')).body.find((row: { id: string }) => row.id === id);

test('DEC-WAL-151: inside, a network whose deposits are off is 10206 too', async () => {
  const { address } = (await wallet.post('deposit/address', { coin: 'USDT', network: 'ETH' }, keys.bob)).body[0];
  await wallet.run(configure({ depositEnabled: false }));
  const reply = await wallet.post('withdraw', { ...terms, address });
  expectCode(reply, 10206);
  expect(reply.body.msg).toContain("'netWork': deposits of the asset are switched off there");
  await wallet.run(configure({}));
});

test('DEC-WAL-150: inside, what a frozen receiver was sent is SUCCESS for the sender and 11 for the receiver', async () => {
  const { address } = (await wallet.post('deposit/address', { coin: 'USDT', network: 'ETH' }, keys.bob)).body[0];
  const before = await wallet.balance('USDT', keys.bob);
  await wallet.run({ kind: 'setAccountStatus', account: wallet.gate.accounts.bob, status: 'frozen' });
  const { id } = (await wallet.post('withdraw', { ...terms, address })).body;
  expect(await shown(id)).toMatchObject({ status: 7, transferType: 1 });
  const found = (await wallet.get('deposit/hisrec', { status: '11' }, keys.bob)).body;
  expect(found).toMatchObject([{ txId: id, amount: '50', status: 11 }]);
  expect(await wallet.balance('USDT', keys.bob)).toEqual(before);
  await wallet.run({ kind: 'setAccountStatus', account: wallet.gate.accounts.bob, status: 'normal' });
});
