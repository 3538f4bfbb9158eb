import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestOperator, type TestOperator } from './operator-harness.ts';
import { addresses, openWallet } from './wallet-stage.ts';

let operator: TestOperator;
beforeAll(async () => {
  operator = await startTestOperator({ hasChains: true });
  await openWallet(operator);
});
afterAll(() => operator.close());

const named = (body: { errors?: readonly { pointer?: string; parameter?: string }[] }) =>
  (body.errors ?? []).map(({ pointer, parameter }) => pointer ?? parameter);
const state = async () => (await operator.ask('GET', '/v1/chains/ETH')).body;
const control = (name: string, body: object, key?: string, method = 'POST') =>
  operator.ask(
    method,
    `/v1/chains/ETH/${name}`,
    body,
    key === undefined ? {} : { headers: { 'idempotency-key': key } },
  );
const payment = { asset: 'USDT', address: addresses.alice, memo: null, amount: '12.345678' };

describe('DEC-OPR-16: chain controls', () => {
  test('mine blocks', async () => {
    const { height } = await state();
    const { body } = await control('blocks', { blocks: 3 });
    expect(body.height).toBe(height + 3);
    expect(await state()).toEqual(body);
  });

  test('pay, and the payment is in the next block', async () => {
    const { status, body } = await control('deposits', payment);
    expect(status).toBe(201);
    expect(body.txId).toMatch(/^0x[0-9a-f]{64}$/);
    expect(body.chain.mempoolSize).toBe(1);
    expect((await control('blocks', { blocks: 1 })).body.mempoolSize).toBe(0);
  });

  test('an account has one address, which is made where there is none', async () => {
    const give = (uid: number) => control('addresses', { uid });
    const [first, second] = await Promise.all([give(operator.bob.uid), give(operator.bob.uid)]);
    expect([first.status, second.status, second.body]).toEqual([200, 200, first.body]);
    const { body } = await operator.ask('GET', `/v1/accounts/${operator.bob.uid}/deposit-addresses`);
    const { address, memo } = first.body;
    expect(body.items).toContainEqual(expect.objectContaining({ network: 'ETH', address, memo }));
    expect((await control('deposits', { ...payment, address, memo })).status).toBe(201);
    expect((await give(99_999_999)).body.code).toBe('unknownAccount');
    await control('blocks', { blocks: 1 });
  });

  test('reorganise, and the payment waits again unless it is dropped', async () => {
    const { hash } = (await control('reorganisations', { depth: 1, drop: false })).body;
    const waiting = await state();
    expect(waiting.hash).toBe(hash);
    expect(waiting.mempoolSize).toBe(1);
    await control('blocks', { blocks: 1 });
    expect((await control('reorganisations', { depth: 1, drop: true })).body.mempoolSize).toBe(0);
  });

  test('delay payments', async () => {
    expect((await control('delay', { blocks: 2 }, undefined, 'PUT')).body.delayBlocks).toBe(2);
    await control('deposits', payment);
    expect((await control('blocks', { blocks: 2 })).body.mempoolSize).toBe(1);
    expect((await control('blocks', { blocks: 1 })).body.mempoolSize).toBe(0);
    expect((await control('delay', { blocks: 0 }, undefined, 'PUT')).body.delayBlocks).toBe(0);
  });

  test('limit what the paying wallet has', async () => {
    expect((await control('wallet-limit', { asset: 'USDT', amount: '0' }, undefined, 'PUT')).status).toBe(200);
    expect((await control('wallet-limit', { asset: 'USDT', amount: null }, undefined, 'PUT')).status).toBe(200);
  });

  test.each([
    ['blocks', 'POST', { blocks: 0 }, ['/blocks']],
    ['blocks', 'POST', { blocks: 10_001 }, ['/blocks']],
    ['reorganisations', 'POST', { depth: 101, drop: true }, ['/depth']],
    ['reorganisations', 'POST', { depth: 1 }, ['/drop']],
    ['deposits', 'POST', { ...payment, amount: '0.1234567' }, ['/amount']],
    ['deposits', 'POST', { ...payment, amount: '0' }, ['/amount']],
    ['deposits', 'POST', { ...payment, address: 'nowhere' }, ['/address']],
    ['deposits', 'POST', { ...payment, asset: 'NOPE' }, ['/asset']],
  ])('%s by %s with %j is refused by name', async (name, method, body, at) => {
    const before = await state();
    const reply = await control(name, body, undefined, method);
    expect({ status: reply.status, at: named(reply.body) }).toEqual({ status: 400, at });
    expect(await state()).toEqual(before);
  });

  test('an unknown network and an asset that is not on it are refused', async () => {
    expect(named((await operator.ask('GET', '/v1/chains/DOGE')).body)).toEqual(['network']);
    expect((await control('deposits', { ...payment, asset: 'BTC' })).body.code).toBe('unknownNetwork');
  });

  test('DEC-OPR-06: a repeated key mines nothing again, another request under it is 422', async () => {
    const first = await control('blocks', { blocks: 2 }, 'mine-1');
    expect((await control('blocks', { blocks: 2 }, 'mine-1')).body).toEqual(first.body);
    expect((await state()).height).toBe(first.body.height);
    expect((await control('blocks', { blocks: 3 }, 'mine-1')).body.code).toBe('idempotencyKeyInUse');
    expect((await control('reorganisations', { depth: 1, drop: true }, 'mine-1')).body.code).toBe(
      'idempotencyKeyInUse',
    );
    const refused = await control('reorganisations', { depth: 100, drop: true }, 'deep-1');
    expect(named(refused.body)).toEqual(['/depth']);
    await control('blocks', { blocks: 100 });
    expect((await control('reorganisations', { depth: 100, drop: true }, 'deep-1')).status).toBe(200);
  });
});
