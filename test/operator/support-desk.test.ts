import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestOperator, type TestOperator } from './operator-harness.ts';
import { openWallet, pay, withdraw } from './wallet-stage.ts';

let operator: TestOperator;
beforeAll(async () => {
  operator = await startTestOperator();
  await openWallet(operator);
  await pay(operator, `0x${'a1'.repeat(32)}`, 10_000n);
});
afterAll(() => operator.close());

describe('remarks of reviews', () => {
  test('DEC-OPR-230: a review tells the account why, and history keeps it', async () => {
    const withdrawal = await withdraw(operator, 600n);
    const path = `/v1/withdrawals/${withdrawal}`;
    const before = operator.digest();
    for (const remark of ['', '\u{1f600}'.repeat(65), 'two\nlines', 7]) {
      const { status, body } = await operator.ask('POST', `${path}/review`, { decision: 'reject', remark });
      expect([status, body.errors[0].pointer]).toEqual([400, '/remark']);
    }
    expect(operator.digest()).toBe(before);
    const remark = '\u{1f600}'.repeat(64);
    const kept = await operator.ask('POST', `${path}/review`, { decision: 'manual', remark });
    expect(kept.body).toMatchObject({ status: 'manual', remark });
    const rejected = await operator.ask('POST', `${path}/review`, { decision: 'reject', reason: 'Odd.' });
    expect(rejected.body).toMatchObject({ status: 'failed', remark });
    const { body } = await operator.ask('GET', `/v1/accounts/${operator.alice.uid}/withdrawals`);
    expect(body.items[0]).toMatchObject({ withdrawal, status: 'failed', remark });
  });
});

describe('closing an account', () => {
  const register = async (): Promise<string> =>
    `/v1/accounts/${(await operator.ask('POST', '/v1/accounts', { name: 'carol' })).body.uid}`;
  const close = (path: string, closed = true, headers = {}) =>
    operator.ask('PUT', `${path}/closed`, { closed, reason: 'Asked for.' }, { headers });

  test('DEC-OPR-235: what is left is named, and nothing changes', async () => {
    const path = `/v1/accounts/${operator.alice.uid}`;
    await withdraw(operator, 600n);
    const before = operator.digest();
    const { status, body } = await close(path);
    expect([status, body.code]).toEqual([409, 'accountNotEmpty']);
    expect(body.detail).toMatch(/^Left: balances: [\d.]+ USDT \(spot\); withdrawals in progress: 1\.$/);
    expect(operator.digest()).toBe(before);
    for (const body of [{ closed: 1, reason: 'x' }, { closed: true, reason: '' }, { reason: 'x' }, { closed: true }])
      expect((await operator.ask('PUT', `${path}/closed`, body)).status).toBe(400);
    expect((await close('/v1/accounts/4711')).status).toBe(404);
    expect(operator.digest()).toBe(before);
  });

  test('DEC-OPR-235, DEC-OPR-236: closed once, found still, without keys, and reopened', async () => {
    const path = await register();
    const key = { note: 'bot', permissions: ['SPOT_DEAL_READ'], ips: [] };
    await operator.ask('POST', `${path}/api-keys`, key);
    const stale = await close(path, true, { 'if-match': '"0"' });
    expect(stale.status).toBe(412);
    for (const _ of [1, 2]) {
      const closed = await close(path, true, { 'idempotency-key': path });
      expect([closed.status, closed.body.status]).toEqual([200, 'closed']);
    }
    expect((await operator.ask('GET', `${path}/api-keys`)).body.items).toEqual([]);
    expect((await operator.ask('GET', '/v1/accounts?name=carol')).body.items[0].status).toBe('closed');
    const refused = [
      await close(path),
      await operator.ask('POST', `${path}/api-keys`, key),
      await operator.ask('PUT', `${path}/status`, { status: 'normal' }),
      await operator.ask('POST', '/v1/adjustments', {
        ...{ uid: Number(path.split('/').at(-1)), asset: 'USDT', amount: '1', kind: 'credit', reason: 'x' },
      }),
    ];
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual(Array(4).fill([409, 'accountClosed']));
    const [act] = (await operator.ask('GET', '/v1/acts?command=setAccountClosed&refused=false')).body.items;
    expect(act).toMatchObject({ reason: 'Asked for.', target: { type: 'account' } });
    expect((await close(path, false)).body.status).toBe('normal');
    expect((await close(path, false)).body.code).toBe('wrongState');
  });
});
