import { beforeAll, describe, expect, test } from 'vitest';
import { noopSink } from '#model/event-record.ts';
import type { Takeover } from '#model/contract.ts';
import type { AccountId, AssetId, Balance, Lots, SymbolId } from '#model/units.ts';
import { as } from '#model/units.ts';
import { updateIndices } from '#jobs/update-indices.ts';
import { createPriceIndex } from '#market-data/price-index/index-mean.ts';
import { createSpotFeed } from '#market-data/price-index/spot-feed.ts';
import { demoUidOf } from '#sandbox/demo-accounts.ts';
import { type Sandbox, startSandbox } from './sandbox-harness.ts';

const noon = Date.UTC(2026, 10, 21, 12);
const coin = 10n ** 9n;

/** Lets real time pass, with the index of each second from the spot market, as the worker of the exchange does. */
async function passSeconds(sandbox: Sandbox, seconds: number): Promise<void> {
  const { queries, sequencer } = sandbox;
  const spot = createSpotFeed({
    symbols: async () => (await queries.listing()).symbols,
    pricesOf: async (symbol) => {
      const { bids, asks } = await queries.book(symbol);
      return { bid: bids[0]?.[0] ?? null, ask: asks[0]?.[0] ?? null, last: await queries.lastPrice(symbol) };
    },
    weight: 1,
  });
  const ports = { submit: sequencer.submit.bind(sequencer), queries, index: createPriceIndex([spot]) };
  for (let second = 0; second < seconds; second += 1) {
    await sandbox.pass(1000);
    await updateIndices(ports, as(sandbox.clock.now()));
  }
}

/** Buys contracts of a demo account in slices, with margin from its spot wallet. */
async function goLong(
  sandbox: Sandbox,
  name: string,
  {
    contract,
    mode,
    leverage,
    usdt,
    slices,
  }: {
    readonly contract: SymbolId;
    readonly mode: 'isolated' | 'cross';
    readonly leverage: number;
    readonly usdt: bigint;
    readonly slices: readonly number[];
  },
): Promise<AccountId> {
  const { account } = (await sandbox.queries.accountByUid(demoUidOf(sandbox.seed, name)))!;
  const amount = as<Balance>(usdt * coin);
  const transfer = { kind: 'transferFunds', from: 'spot', to: 'futures', clientTranId: null } as const;
  await sandbox.sequencer.submit({ ...transfer, account, asset: as<AssetId>(0), amount });
  await sandbox.sequencer.submit({ kind: 'setLeverage', account, contract, mode, leverage });
  for (const lots of slices) {
    const order = { symbol: contract, side: 'buy', kind: 'market', price: null, budget: null } as const;
    const terms = { quantity: as<Lots>(lots), clientOrderId: null, stpMode: 'none' } as const;
    await sandbox.sequencer.submit({ kind: 'placeOrder', account, order: { ...order, ...terms } });
    await passSeconds(sandbox, 1);
  }
  return account;
}

describe('a crash of 30 % in two minutes', () => {
  let sandbox: Sandbox;
  let contracts: Record<'btc' | 'doge', SymbolId>;
  let people: Record<'alice' | 'bob', AccountId>;
  const taken: Takeover[] = [];
  const before = new Map<SymbolId, { readonly fair: number; readonly fund: bigint }>();
  const markOf = async (contract: SymbolId) => (await sandbox.queries.contracts.mark(contract))!;
  const liquidated = (account: AccountId) =>
    taken.filter((each) => each.account === account && each.reason === 'liquidation');

  beforeAll(async () => {
    sandbox = startSandbox('crash', noon);
    sandbox.clock.set(noon - 30 * 60_000);
    await sandbox.open();
    await sandbox.openWallet();
    await sandbox.openContracts();
    await sandbox.simulation.seedHistory({ now: noon, onProgress: () => {} });
    await sandbox.simulation.start();
    await passSeconds(sandbox, 3);
    contracts = { btc: as(sandbox.symbolId('BTC_USDT')), doge: as(sandbox.symbolId('DOGE_USDT')) };
    const alice = { contract: contracts.btc, mode: 'isolated', leverage: 10, usdt: 200_000n } as const;
    const bob = { contract: contracts.doge, mode: 'cross', leverage: 20, usdt: 120_000n } as const;
    people = {
      alice: await goLong(sandbox, 'alice', { ...alice, slices: Array.from({ length: 10 }, () => 15_000) }),
      bob: await goLong(sandbox, 'bob', { ...bob, slices: Array.from({ length: 10 }, () => 6_000) }),
    };
    for (const contract of Object.values(contracts)) before.set(contract, await markOf(contract));
    sandbox.sequencer.subscribe({
      ...noopSink,
      fact: (fact) => {
        if (fact.kind === 'positionTaken') taken.push(fact.takeover);
      },
    });
    sandbox.simulation.move({ assets: ['BTC', 'ETH', 'SOL', 'DOGE'], factor: 0.7, durationMs: 120_000 });
    await passSeconds(sandbox, 120);
  }, 180_000);

  test('DEC-FUT-65: pairs, indices and fair prices all fall by about as much, by trades', async () => {
    for (const contract of Object.values(contracts)) {
      const { fair, index } = await markOf(contract);
      expect(fair / before.get(contract)!.fair).toBeGreaterThan(0.66);
      expect(fair / before.get(contract)!.fair).toBeLessThan(0.74);
      expect(fair / index).toBeCloseTo(1, 1);
    }
    expect(sandbox.engine.state.contracts.all().map(({ rules }) => rules.state)).toEqual(Array(4).fill('enabled'));
    expect(sandbox.troubles).toEqual([]);
  });

  test('who is long with much leverage is liquidated, isolated and cross, and owes nothing', async () => {
    for (const account of Object.values(people)) {
      expect(liquidated(account).length).toBeGreaterThan(0);
      expect(await sandbox.queries.contracts.positionsOf(account)).toEqual([]);
    }
    const { free } = (await sandbox.queries.contracts.margin(people.alice, contracts.btc))!;
    expect(free).toBeGreaterThanOrEqual(0n);
  });

  test('the funds take the positions over and close them; what they cannot bear is deleveraged', async () => {
    await passSeconds(sandbox, 62);
    for (const contract of Object.values(contracts)) {
      const insurer = (await sandbox.queries.contracts.insurer(contract))!;
      expect(await sandbox.queries.contracts.position(insurer, contract)).toBeNull();
      const { fund } = await markOf(contract);
      expect(fund).not.toBe(before.get(contract)!.fund);
      expect(fund).toBeGreaterThanOrEqual(0n);
    }
  });

  test('every invariant holds: positions sum up to zero, no money appears, the state is sound', async () => {
    for (const { rules } of sandbox.engine.state.contracts.all()) {
      const positions = await sandbox.queries.contracts.positionsIn(rules.id, null, 1000);
      expect(positions.reduce((sum, { lots }) => sum + lots, 0)).toBe(0);
      const { openInterest } = await markOf(rules.id);
      expect(openInterest).toBe(positions.reduce((sum, { lots }) => sum + Math.max(0, lots), 0));
    }
    expect(sandbox.faults()).toEqual([]);
  });
});
