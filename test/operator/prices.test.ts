import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { as, type Balance } from '#model/units.ts';
import { startTestOperator, type TestOperator } from './operator-harness.ts';
import { openWallet, withdraw } from './wallet-stage.ts';

let operator: TestOperator;
beforeAll(async () => {
  operator = await startTestOperator();
});
afterAll(() => operator.close());

const reference = (asset: string, body: object) => operator.ask('PUT', `/v1/prices/${asset}/reference`, body);
const terms = { price: '2.5', validHours: 1, reason: 'A thin book.' };

describe('DEC-OPR-130: reference prices', () => {
  test('there are none before the wallet has rules', async () => {
    expect((await operator.ask('GET', '/v1/prices')).body.code).toBe('walletNotConfigured');
    expect((await reference('BTC', terms)).body.code).toBe('walletNotConfigured');
    await openWallet(operator);
  });

  test('one is set, listed, replaced and removed', async () => {
    const set = await reference('BTC', { ...terms, price: '0.000000000000000001' });
    expect(set).toMatchObject({
      status: 200,
      body: {
        asset: 'BTC',
        higher: '0',
        lower: '0',
        reference: { price: '0.000000000000000001', isInForce: true, reason: terms.reason, actor: 'root' },
      },
    });
    const { body } = await reference('BTC', terms);
    expect(body).toMatchObject({ higher: '2.5', lower: '2.5', reference: { price: '2.5' } });
    expect(body.reference.validUntil - body.reference.setAt).toBe(3_600_000);
    const page = await operator.ask('GET', '/v1/prices?limit=500');
    const shown = new Map(page.body.items.map((item: { asset: string }) => [item.asset, item]));
    expect(shown.get('BTC')).toEqual(body);
    expect(shown.get('USDT')).toMatchObject({ higher: '1', lower: '1', reference: null });
    const removed = await operator.ask('DELETE', '/v1/prices/BTC/reference?reason=deep');
    expect(removed).toMatchObject({ status: 200, body: { asset: 'BTC', higher: null, lower: null, reference: null } });
    const again = await operator.ask('DELETE', '/v1/prices/BTC/reference?reason=deep');
    expect([again.status, again.body.code]).toEqual([404, 'unknownReferencePrice']);
  });

  test('what is malformed is refused by its name, and changes nothing', async () => {
    const faults: readonly (readonly [object, string])[] = [
      [{ ...terms, price: '0' }, '/price'],
      [{ ...terms, price: '0.0' }, '/price'],
      [{ ...terms, price: '-1' }, '/price'],
      [{ ...terms, price: '1.0000000000000000001' }, '/price'],
      [{ ...terms, price: '999999999999999999.9' }, '/price'],
      [{ ...terms, validHours: 0 }, '/validHours'],
      [{ ...terms, validHours: 8785 }, '/validHours'],
      [{ ...terms, reason: '' }, '/reason'],
      [{ ...terms, reason: 'x'.repeat(501) }, '/reason'],
    ];
    for (const [body, pointer] of faults) {
      const { status, body: answer } = await reference('BTC', body);
      expect([body, status, answer.errors?.[0]?.pointer]).toEqual([body, 400, pointer]);
    }
    expect((await reference('NOPE', terms)).body.code).toBe('unknownAsset');
    expect((await reference('USDT', terms)).body.code).toBe('invalidConfiguration');
    const { body } = await operator.ask('DELETE', '/v1/prices/BTC/reference');
    expect(body.errors[0].parameter).toBe('reason');
  });
});

test('DEC-WAL-143, DEC-WAL-144: a withdrawal without a price is held, and needs four eyes', async () => {
  await operator.ask('DELETE', '/v1/prices/BTC/reference?reason=gone');
  const amount = as<Balance>(10_000_000n);
  await operator.exchange.submit({ kind: 'creditFunds', account: operator.alice.account, asset: as(1), amount });
  const { events } = await operator.exchange.submit({
    kind: 'requestWithdrawal',
    account: operator.alice.account,
    asset: as(1),
    network: 'BTC',
    address: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
    memo: null,
    amount,
    withdrawOrderId: null,
    remark: null,
  });
  const changed = events.find((event) => event.kind === 'withdrawalChanged');
  const number = changed?.kind === 'withdrawalChanged' ? changed.withdrawal.withdrawal : 0;
  const step = { transaction: null, confirmations: 0, networkFee: as<Balance>(0n) };
  await operator.exchange.submit({ kind: 'advanceWithdrawal', withdrawal: number, event: 'assess', ...step });
  const approve = () => operator.ask('POST', `/v1/withdrawals/${number}/review`, { decision: 'approve' });
  expect((await approve()).body).toMatchObject({ status: 'auditing', value: null });
  expect((await approve()).body.code).toBe('sameOperator');
});

test('DEC-WAL-144: four eyes hold where there is no risk hold', async () => {
  const rules = (await operator.ask('GET', '/v1/wallet/rules')).body;
  const put = await operator.ask('PUT', '/v1/wallet/rules', { ...rules, riskHoldAbove: null, fourEyesAbove: '1000' });
  expect(put.status).toBe(200);
  await operator.exchange.submit({
    kind: 'creditFunds',
    account: operator.alice.account,
    asset: as(0),
    amount: as(10_000n * 10n ** 9n),
  });
  const statusOf = async (coins: bigint) =>
    (await operator.ask('GET', `/v1/withdrawals/${await withdraw(operator, coins)}`)).body.status;
  expect([await statusOf(1000n), await statusOf(1001n)]).toEqual(['wait', 'auditing']);
});
