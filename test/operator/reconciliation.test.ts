import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { as } from '#model/units.ts';
import { proofFault } from '#proof-of-liabilities/liability-tree.ts';
import { readProof, readRoot } from '#proof-of-liabilities/proof-document.ts';
import { startTestOperator, type TestOperator } from './operator-harness.ts';

let operator: TestOperator;
beforeAll(async () => {
  operator = await startTestOperator();
});
afterAll(() => operator.close());
const get = (path: string) => operator.ask('GET', path);

describe('DEC-WAL-80, DEC-WAL-88: proof of liabilities', () => {
  test('before a tree is made there is neither root nor proof', async () => {
    for (const path of ['/v1/liabilities', `/v1/accounts/${operator.alice.uid}/liability-proof`])
      expect((await get(path)).body.code).toBe('noLiabilityTree');
  });

  test('the proofs of all accounts lead to the root that was answered, and a newer tree has other salts', async () => {
    const made = await operator.ask('POST', '/v1/liabilities');
    expect([made.status, made.body.accounts]).toEqual([201, 2]);
    expect(made.body.root.sums).toEqual({ USDT: String(2n * 10n ** 15n) });
    expect((await get('/v1/liabilities')).body).toEqual(made.body);
    const root = readRoot(made.text);
    for (const { uid } of [operator.alice, operator.bob]) {
      const { text, body } = await get(`/v1/accounts/${uid}/liability-proof`);
      expect(proofFault(readProof(text).proof, root)).toBeNull();
      expect([body.uid, body.balances]).toEqual([String(uid), { USDT: String(10n ** 15n) }]);
    }
    const before = (await get(`/v1/accounts/${operator.alice.uid}/liability-proof`)).body.salt;
    await operator.ask('POST', '/v1/liabilities');
    const after = await get(`/v1/accounts/${operator.alice.uid}/liability-proof`);
    expect(after.body.salt).not.toBe(before);
    expect(proofFault(readProof(after.text).proof, root)).not.toBeNull();
  });

  test('DEC-OPR-06: the same key makes no second tree', async () => {
    const headers = { 'idempotency-key': 'tree-1' };
    const first = await operator.ask('POST', '/v1/liabilities', undefined, { headers });
    await operator.exchange.submit({
      kind: 'creditFunds',
      account: operator.bob.account,
      asset: as(1),
      amount: as(5n),
    });
    const again = await operator.ask('POST', '/v1/liabilities', undefined, { headers });
    expect(again.body).toEqual(first.body);
  });

  test('an unknown account, and one that owns nothing, have no proof', async () => {
    expect((await get('/v1/accounts/999/liability-proof')).body.code).toBe('unknownAccount');
    await operator.exchange.submit({
      kind: 'openAccount',
      uid: as(10_000_003),
      name: 'carol',
      master: null,
      class: 'user',
      kycLevel: 1,
      simulated: false,
    });
    await operator.ask('POST', '/v1/liabilities');
    expect((await get('/v1/accounts/10000003/liability-proof')).body.code).toBe('notInLiabilityTree');
  });
});

test('DEC-WAL-81: the reconciliation tells each asset that is on a network, as decimal text', async () => {
  expect((await get('/v1/reconciliation')).body).toEqual({ items: [] });
  const terms = { network: 'ETH', label: 'Ethereum', contract: '0xdAC17F958D2ee523a2206206994597C13D831ec7', scale: 6 };
  await operator.exchange.submit({
    kind: 'configureAssetNetwork',
    network: {
      ...terms,
      asset: as(0),
      depositEnabled: true,
      withdrawEnabled: true,
      minConfirm: 12,
      depositMin: as(1n),
      withdrawFee: as(1000n),
      withdrawMin: as(2000n),
      withdrawMax: as(10n ** 15n),
      withdrawStep: as(1000n),
      sharesAddress: false,
      depositDesc: null,
      depositTips: null,
      withdrawTips: null,
    },
  });
  const { items } = (await get('/v1/reconciliation')).body;
  expect(items).toEqual([
    {
      onWord: [],
      asset: 'USDT',
      onLedger: '0',
      notCredited: '0',
      leaving: '0',
      expected: '0',
      inCustody: '0',
      byHand: null,
      difference: '0',
      rounding: '0',
      isComplete: false,
      isExplained: false,
      networks: [{ network: 'ETH', amount: null, isByHand: false, remainder: '0' }],
    },
  ]);
});
