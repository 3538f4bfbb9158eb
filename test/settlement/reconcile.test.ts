import { expect, test } from 'vitest';
import { engineLimits } from '#model/limits.ts';
import { NetworkUnavailable, type Custody } from '#custody/custody.ts';
import { createWatchOnlyCustody } from '#custody/watch-only.ts';
import { demoBlockMs } from '#sandbox/wallet-listing.ts';
import { reconcile, type ReconciledAsset } from '#custody/settlement/reconcile.ts';
import { alice, bob, SettlementWorld } from './settlement-world.ts';

const bitcoin = 10n ** 8n;
const ether = 10n ** 18n;
/** Of the account of BIP-84's test vectors. */
const bip84Key =
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs';

async function rowOf(world: SettlementWorld, code: string, custody: Custody = world.custody): Promise<ReconciledAsset> {
  const rows = await reconcile(world.exchange.queries, custody);
  return rows.find(({ asset }) => asset.code === code)!;
}
async function turns(world: SettlementWorld, blocks: number): Promise<void> {
  for (let block = 0; block < blocks; block += 1) await world.turn(demoBlockMs);
}

test('DEC-WAL-81: a deposit counts as not credited while it is pending, and as on the ledger once it is paid', async () => {
  const world = await SettlementWorld.open();
  await world.pay(alice, 'BTC', 'BTC', bitcoin);
  await turns(world, 1);
  const none = { leaving: 0n, expected: bitcoin, inCustody: bitcoin, difference: 0n, isExplained: true };
  expect(await rowOf(world, 'BTC')).toMatchObject({ onLedger: 0n, notCredited: bitcoin, ...none });
  await turns(world, 2);
  expect(await rowOf(world, 'BTC')).toMatchObject({ onLedger: bitcoin, notCredited: 0n, ...none });
});

test('DEC-WAL-81: small, invalid and restricted deposits count as not credited', async () => {
  const world = await SettlementWorld.open();
  await world.pay(alice, 'BTC', 'BTC', 100n);
  const { address } = await world.addressOf(alice, 'XRP');
  await world.controls.deposit({ network: 'XRP', address, memo: null, contract: null, amount: 10n ** 8n });
  await world.must({ kind: 'setAccountStatus', account: bob, status: 'frozen' });
  await world.pay(bob, 'SOL', 'SOL', 10n ** 9n);
  await turns(world, 40);
  expect((await world.deposits()).map(({ status }) => status).sort()).toEqual(['invalid', 'restricted', 'small']);
  for (const code of ['BTC', 'XRP', 'SOL']) {
    const row = await rowOf(world, code);
    expect([code, row.onLedger, row.difference, row.notCredited > 0n]).toEqual([code, 0n, 0n, true]);
  }
});

test.each([
  ['rejected', ['flag', 'reject']],
  ['refund', ['flag', 'refund']],
] as const)('DEC-WAL-86: a deposit that is %s explains what custody has for good', async (status, decisions) => {
  const world = await SettlementWorld.open();
  await world.pay(alice, 'BTC', 'BTC', bitcoin);
  await turns(world, 1);
  const [{ deposit } = { deposit: 0 }] = await world.deposits();
  for (const decision of decisions)
    await world.must({ kind: 'reviewDeposit', deposit, decision, account: null, sight: null });
  await world.turn(engineLimits.creditedDepositWatchedMs + demoBlockMs);
  await world.pay(bob, 'BTC', 'BTC', bitcoin);
  await turns(world, 4);
  expect((await world.deposits()).map((each) => each.status)).toEqual([status, 'success']);
  const row = await rowOf(world, 'BTC');
  expect([row.onLedger, row.notCredited, row.difference]).toEqual([bitcoin, bitcoin, 0n]);
});

test('DEC-WAL-81: a withdrawal with its network fee is explained at every status', async () => {
  const world = await SettlementWorld.open();
  await world.pay(alice, 'ETH', 'ETH', 2n * ether);
  await world.turnsUntil(async () => world.free(alice, 'ETH') > 0n);
  const withdrawal = await world.withdraw(alice, 'ETH', 'ETH', 10n ** 9n);
  const seen = new Set<string>();
  await world.turnsUntil(async () => {
    const row = await rowOf(world, 'ETH');
    const { status } = world.withdrawal(withdrawal);
    seen.add(row.leaving > 0n ? `${status} and in a block` : status);
    expect([status, row.isExplained, row.difference]).toEqual([status, true, 0n]);
    return status === 'success';
  });
  for (const status of ['apply', 'wait', 'confirming and in a block', 'success']) expect(seen).toContain(status);
});

test('DEC-WAL-81: what nobody reported and what custody lacks is named as the difference', async () => {
  const world = await SettlementWorld.open();
  await world.pay(alice, 'BTC', 'BTC', bitcoin);
  await turns(world, 4);
  const holding = (amount: bigint): Custody =>
    new Map([
      ...world.custody,
      [
        'BTC',
        {
          ...createWatchOnlyCustody({ network: 'BTC', key: bip84Key }),
          holdings: async () => [{ contract: null, amount }],
        },
      ],
    ]);
  expect(await rowOf(world, 'BTC', holding(bitcoin + 1n))).toMatchObject({ difference: 1n, isExplained: false });
  expect(await rowOf(world, 'BTC', holding(bitcoin - 1n))).toMatchObject({ difference: -1n, isExplained: false });
  expect(await rowOf(world, 'BTC', holding(bitcoin))).toMatchObject({ difference: 0n, isExplained: true });
});

test('DEC-WAL-81: a network that is watch-only, unavailable or not served has no amount, and nothing is explained', async () => {
  const world = await SettlementWorld.open();
  await world.pay(alice, 'BTC', 'BTC', bitcoin);
  await turns(world, 4);
  const watched = createWatchOnlyCustody({ network: 'BTC', key: bip84Key });
  const silent = { ...watched, holdings: () => Promise.reject(new NetworkUnavailable('gone')) };
  for (const custody of [watched, silent, null]) {
    const all = new Map(world.custody);
    if (custody === null) all.delete('BTC');
    else all.set('BTC', custody);
    const row = await rowOf(world, 'BTC', all);
    expect([row.isComplete, row.isExplained, row.networks]).toEqual([
      false,
      false,
      [{ network: 'BTC', amount: null, remainder: 0n }],
    ]);
    expect((await rowOf(world, 'XRP', all)).isExplained).toBe(true);
  }
});

test('DEC-WAL-19, DEC-WAL-87: remainders are listed, and explain a surplus of as many units as there were payments', async () => {
  const world = await SettlementWorld.open();
  for (let payment = 0; payment < 3; payment += 1) await world.pay(alice, 'ETH', 'ETH', ether + 900_000_000n);
  await turns(world, 20);
  const row = await rowOf(world, 'ETH');
  expect(row.onLedger).toBe(3n * 10n ** 9n);
  // 3 times 0.9 units: 2 units and a remainder of 0.7.
  expect([row.difference, row.networks[0]!.remainder, row.isExplained]).toEqual([2n, 700_000_000n, true]);
});
