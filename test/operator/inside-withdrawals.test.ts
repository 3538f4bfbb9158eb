import { afterAll, beforeAll, expect, test } from 'vitest';
import { as } from '#model/units.ts';
import { startTestOperator, type TestOperator } from './operator-harness.ts';
import { addresses, openWallet, pay } from './wallet-stage.ts';

let operator: TestOperator;
beforeAll(async () => {
  operator = await startTestOperator();
  await openWallet(operator);
});
afterAll(() => operator.close());

const freeOf = async (uid: number, asset = 'USDT'): Promise<string> => {
  const { body } = await operator.ask('GET', `/v1/accounts/${uid}/balances`);
  return body.spot.find((each: { asset: string }) => each.asset === asset)?.free ?? '0';
};

test('DEC-WAL-150: an inside withdrawal to a frozen account waits in 11, and an operator credits or refunds it', async () => {
  const { alice, bob, exchange } = operator;
  const statusOf = (uid: number, status: string) => operator.ask('PUT', `/v1/accounts/${uid}/status`, { status });
  const send = async (): Promise<number> => {
    const { events } = await exchange.submit({
      ...{ kind: 'requestWithdrawal', account: alice.account, asset: as(0), network: 'ETH', address: addresses.bob },
      ...{ memo: null, amount: as(15n * 10n ** 9n), withdrawOrderId: null, remark: null },
    });
    const changed = events.find((event) => event.kind === 'depositChanged');
    return changed!.deposit.deposit;
  };
  await pay(operator, `0x${'a1'.repeat(32)}`, 100n);
  const before = [Number(await freeOf(alice.uid)), Number(await freeOf(bob.uid))];
  const moved = async () => [Number(await freeOf(alice.uid)) - before[0]!, Number(await freeOf(bob.uid)) - before[1]!];
  const house = async () =>
    (await operator.ask('GET', '/v1/ledger/trial-balance')).body.items
      .find(({ asset }: { asset: string }) => asset === 'USDT')
      .house.find(({ account }: { account: string }) => account === 'undelivered')?.balance;
  expect((await statusOf(bob.uid, 'frozen')).status).toBe(200);
  const [first, second] = [await send(), await send()];
  expect((await operator.ask('GET', `/v1/deposits/${first}`)).body).toMatchObject({
    ...{ status: 'restricted', isInside: true, uid: bob.uid, amount: '15' },
  });
  expect([await moved(), await house()]).toEqual([[-30, 0], '30']);
  for (const decision of ['flag', 'reject'])
    expect((await operator.ask('POST', `/v1/deposits/${first}/review`, { decision })).body.code).toBe('wrongState');
  const refunded = await operator.ask('POST', `/v1/deposits/${first}/review`, { decision: 'refund' });
  expect(refunded.body).toMatchObject({ deposit: first, status: 'refund' });
  const credited = await operator.ask('POST', `/v1/deposits/${second}/review`, { decision: 'credit' });
  expect(credited.body).toMatchObject({ deposit: second, status: 'success' });
  expect([await moved(), await house()]).toEqual([[-15, 15], undefined]);
  await statusOf(bob.uid, 'normal');
});
