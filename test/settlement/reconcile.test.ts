import { expect, test } from 'vitest';
import { house, innerHouse } from '#model/account.ts';
import {
  type AccountId,
  as,
  type AssetId,
  type Balance,
  type Lots,
  type PriceTicks,
  type SymbolId,
} from '#model/units.ts';
import { engineLimits } from '#model/limits.ts';
import { NetworkUnavailable, type Custody, type NetworkCustody } from '#custody/custody.ts';
import { createWatchOnlyCustody } from '#custody/watch-only.ts';
import { demoBlockMs } from '#sandbox/wallet-listing.ts';
import { reconcile, type ReconciledAsset } from '#custody/settlement/reconcile.ts';
import { operated } from '../operated.ts';
import { listingOf } from '../permissive-listing.ts';
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

test('DEC-OPR-187: a deposit that was paid back explains nothing any more', async () => {
  const world = await SettlementWorld.open();
  await world.pay(alice, 'BTC', 'BTC', bitcoin);
  await turns(world, 1);
  const [{ deposit } = { deposit: 0 }] = await world.deposits();
  for (const decision of ['flag', 'refund', 'paidBack'] as const)
    await world.must({ kind: 'reviewDeposit', deposit, decision, account: null, sight: null });
  expect(await rowOf(world, 'BTC')).toMatchObject({ notCredited: 0n, difference: bitcoin, isExplained: false });
  const paid = withHoldings(world.custody.get('BTC')!, () => 0n);
  expect((await rowOf(world, 'BTC', new Map([...world.custody, ['BTC', paid]]))).isExplained).toBe(true);
  await world.turn(engineLimits.creditedDepositWatchedMs + demoBlockMs);
  await world.pay(bob, 'BTC', 'BTC', bitcoin);
  await turns(world, 4);
  expect((await world.deposits()).map((each) => each.status)).toEqual(['success']);
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
          isReading: true,
          holdings: async () => [{ contract: null, amount }],
        },
      ],
    ]);
  expect(await rowOf(world, 'BTC', holding(bitcoin + 1n))).toMatchObject({ difference: 1n, isExplained: false });
  expect(await rowOf(world, 'BTC', holding(bitcoin - 1n))).toMatchObject({ difference: -1n, isExplained: false });
  expect(await rowOf(world, 'BTC', holding(bitcoin))).toMatchObject({ difference: 0n, isExplained: true });
});

test('DEC-WAL-81: a network that is unavailable or not served has no amount, and nothing is explained', async () => {
  const world = await SettlementWorld.open();
  await world.pay(alice, 'BTC', 'BTC', bitcoin);
  await turns(world, 4);
  const silent = { ...world.custody.get('BTC')!, holdings: () => Promise.reject(new NetworkUnavailable('gone')) };
  for (const custody of [silent, null]) {
    const all = new Map(world.custody);
    if (custody === null) all.delete('BTC');
    else all.set('BTC', custody);
    const row = await rowOf(world, 'BTC', all);
    expect([row.isComplete, row.isExplained, row.byHand, row.networks]).toEqual([
      ...[false, false, null],
      [{ network: 'BTC', amount: null, isByHand: false, remainder: 0n }],
    ]);
    expect((await rowOf(world, 'XRP', all)).isExplained).toBe(true);
  }
});

test('DEC-OPR-186: what must be on a network that nobody reads is told, and is no difference', async () => {
  const world = await SettlementWorld.open();
  await world.pay(alice, 'BTC', 'BTC', bitcoin);
  await turns(world, 4);
  const watched = createWatchOnlyCustody({ network: 'BTC', key: bip84Key });
  const row = await rowOf(world, 'BTC', new Map([...world.custody, ['BTC', watched]]));
  expect(row).toMatchObject({ expected: bitcoin, inCustody: 0n, byHand: bitcoin, difference: 0n, isExplained: true });
  expect(row.networks).toEqual([{ network: 'BTC', amount: null, isByHand: true, remainder: 0n }]);
  // Of USDT one network is read: what it has not is on the others, but it never has too much.
  await world.pay(alice, 'USDT', 'ETH', 50_000_000n);
  await world.turnsUntil(async () => world.free(alice, 'USDT') > 0n);
  const usdt = world.free(alice, 'USDT');
  const tron = { ...world.custody.get('TRX')!, isReading: false, holdings: async () => [] };
  const beside = async (less: bigint) => {
    const eth = withHoldings(world.custody.get('ETH')!, (_, amount) => amount - less);
    return rowOf(world, 'USDT', new Map([...world.custody, ['TRX', tron], ['ETH', eth]]));
  };
  expect(await beside(0n)).toMatchObject({ byHand: 0n, difference: 0n, isExplained: true });
  expect(await beside(1_000_000n)).toMatchObject({ byHand: usdt / 50n, difference: 0n, isExplained: true });
  expect(await beside(-1_000_000n)).toMatchObject({ byHand: 0n, difference: usdt / 50n, isExplained: false });
});

/** The same custody with other amounts. */
const withHoldings = (
  custody: NetworkCustody,
  change: (contract: string | null, amount: bigint) => bigint,
): NetworkCustody => ({
  ...custody,
  network: custody.network,
  isReading: true,
  isPaying: true,
  fateOf: (transaction) => custody.fateOf(transaction),
  holdings: async (contracts, count) =>
    (await custody.holdings(contracts, count)).map(({ contract, amount }) => ({
      contract,
      amount: change(contract, amount),
    })),
});

test('DEC-OPR-185: fees, gas, capital and revenue of an ordinary day are explained, and one unit more or less is not', async () => {
  const world = await SettlementWorld.open();
  const [eth, usdt] = [world.assetId('ETH'), world.assetId('USDT')];
  const token = world.listed('USDT', 'ETH').contract;
  /** What the operator sent to custody and took out of it, past the exchange; in units of the chain. */
  const moved = { ether: 0n, tokens: 0n };
  const custody = (): Custody => {
    const own = world.custody.get('ETH')!;
    const change = (contract: string | null, amount: bigint): bigint =>
      amount + (contract === null ? moved.ether : contract === token ? moved.tokens : 0n);
    return new Map([...world.custody, ['ETH', withHoldings(own, change)]]);
  };
  const differences = async () =>
    (await reconcile(world.exchange.queries, custody()))
      .filter(({ isExplained }) => !isExplained)
      .map(({ asset, difference }) => [asset.code, difference]);
  await world.pay(alice, 'ETH', 'ETH', 5n * ether);
  await world.pay(bob, 'USDT', 'ETH', 1_000_000_000n);
  await world.turnsUntil(async () => world.free(bob, 'USDT') > 0n && world.free(alice, 'ETH') > 0n);
  // A trade whose fees stay in custody, and a withdrawal that pays gas.
  const pair = { name: 'ETHUSDT', base: eth, quote: usdt, priceDecimals: 2, quantityDecimals: 4 };
  await world.must({ kind: 'configureSymbol', symbol: listingOf({ ...pair, makerFeePpm: 1000, takerFeePpm: 1000 }) });
  const order = { symbol: as<SymbolId>(0), price: as<PriceTicks>(10_000), quantity: as<Lots>(20_000) };
  await world.exchange.place(alice, { ...order, side: 'sell' });
  await world.exchange.place(bob, { ...order, side: 'buy' });
  expect([world.free(house.fees, 'ETH') > 0n, world.free(house.fees, 'USDT') > 0n]).toEqual([true, true]);
  const withdrawal = await world.withdraw(alice, 'ETH', 'ETH', 10n ** 9n);
  await world.turnsUntil(async () => world.withdrawal(withdrawal).status === 'success');
  const debt = -world.free(innerHouse.gas, 'ETH');
  expect(debt > 0n).toBe(true);
  expect(await differences()).toEqual([]);
  // The operator pays for the gas, and takes out what was earned.
  const adjust = (
    type: 'capitalIn' | 'revenueOut' | 'correction',
    account: AccountId,
    asset: AssetId,
    amount: bigint,
  ) =>
    world.must(
      operated('erin', {
        ...{ kind: 'adjustBalance', account, wallet: null, asset, amount: as<Balance>(amount), type },
        ...{ reason: 'why', reference: null },
      }),
    );
  await world.must({ kind: 'recordProfile', profile: 'production' });
  moved.ether += debt * 10n ** 9n;
  expect(await differences()).toEqual([['ETH', debt]]);
  await adjust('capitalIn', innerHouse.gas, eth, debt);
  expect([world.free(innerHouse.gas, 'ETH'), await differences()]).toEqual([0n, []]);
  const earned = world.free(house.fees, 'USDT');
  /** Of the chain, which counts 6 decimals. */
  const unit = 10n ** BigInt(world.exchange.engine.state.assets.at(usdt).scale - 6);
  const out = (earned / unit) * unit;
  await adjust('revenueOut', house.fees, usdt, out);
  expect(await differences()).toEqual([['USDT', out]]);
  moved.tokens -= out / unit;
  expect(await differences()).toEqual([]);
  // What is wrong by one unit is an alarm, until it is corrected.
  moved.tokens -= 1n;
  expect(await differences()).toEqual([['USDT', -unit]]);
  await adjust('correction', innerHouse.capital, usdt, -unit);
  expect(await differences()).toEqual([]);
  moved.ether += 10n ** 12n;
  expect((await differences()).map(([code]) => code)).toEqual(['ETH']);
  expect(world.exchange.faults()).toEqual([]);
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
