import { afterAll, beforeAll, expect, test } from 'vitest';
import { as, type Balance } from '#model/units.ts';
import { keys, startTestGateway, type TestGateway } from './gateway-harness.ts';
import { rules } from './wallet-harness.ts';

let gate: TestGateway;
beforeAll(async () => {
  gate = await startTestGateway();
  const coin = { fullName: 'Nil', scale: 6, cap: as<Balance>(10n ** 12n), coinId: '1'.repeat(32) };
  await gate.exchange.submit({ kind: 'configureAsset', asset: { code: 'NIL', ...coin } });
  await gate.exchange.submit({ kind: 'configureWallet', rules: { ...rules, transferable: [as(0)] } });
});
afterAll(() => gate.close());

const signed = (method: string, path: string, terms: Record<string, string> = {}) =>
  gate.signed(method, `/api/v3/capital/${path}`, terms, { key: keys.alice });
const coins = async (): Promise<string[]> =>
  (await signed('GET', 'config/getall')).body.map(({ coin }: { coin: string }) => coin);

test('DEC-OPR-172: clients find a delisted asset in what is past only', async () => {
  const address = { coin: 'NIL', address: 'nobody', network: 'ETH', amount: '1' };
  const transfer = { asset: 'NIL', amount: '1', fromAccountType: 'SPOT', toAccountType: 'FUTURES' };
  expect(await coins()).toContain('NIL');
  const { events } = await gate.exchange.submit({ kind: 'delistAsset', asset: as(3) });
  expect(events.map(({ kind }) => kind)).toEqual(['assetConfigured']);
  expect(await coins()).not.toContain('NIL');
  for (const [path, terms] of [
    ['withdraw', address],
    ['deposit/address', { coin: 'NIL', network: 'ETH' }],
    ['transfer', transfer],
  ] as const)
    expect([path, (await signed('POST', path, terms)).body.code]).toEqual([path, 10232]);
  for (const path of ['deposit/hisrec', 'withdraw/history']) {
    const { status, body } = await signed('GET', path, { coin: 'NIL' });
    expect([path, status, body]).toEqual([path, 200, []]);
    expect((await signed('GET', path, { coin: 'NEVERWAS' })).body.code).toBe(10232);
  }
});
