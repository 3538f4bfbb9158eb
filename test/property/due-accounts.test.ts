import fc from 'fast-check';
import { expect, test } from 'vitest';
import { futuresWalletOf, innerHouse } from '#model/account.ts';
import type { RiskTier } from '#model/contract.ts';
import { holdOwnerNumbers } from '#model/hold.ts';
import { as, type AccountId, type AssetId, type SymbolId } from '#model/units.ts';
import { accountsMaybeDue } from '#engine/futures/due-accounts.ts';
import { equityOf, maintenanceMargin } from '#engine/futures/equity.ts';
import { positionId } from '#engine/state/futures/positions.ts';
import { EngineState } from '#engine/state/state.ts';
import { freeOf } from '#engine/money/free-balance.ts';
import { bitcoinRules } from '../scenario/contract-market.ts';

const usdt = as<AssetId>(1);
const insurer = as<AccountId>(50);
const tiers: readonly RiskTier[] = [
  { maxLots: as(1000), maintenancePpm: 4000, initialPpm: 20_000, maxLeverage: 50 },
  { maxLots: as(9_000_000_000), maintenancePpm: 50_000, initialPpm: 100_000, maxLeverage: 10 },
];

interface Given {
  readonly contract: number;
  readonly lots: number;
  /** Settle units per lot. */
  readonly paid: bigint;
  /** How far what is behind it is above maintenance. */
  readonly surplus: bigint;
  readonly free: bigint;
  readonly isIsolated: boolean;
}

/** An account for each list of positions, at these fair prices, with margins that come close to what they must have. */
function stateOf(fairs: readonly number[], accounts: readonly (readonly Given[])[]): EngineState {
  const state = new EngineState();
  for (const [id, code] of ['BTC', 'USDT'].entries())
    state.assets.put({ id: as(id), code, fullName: code, scale: 6, cap: as(1n << 60n), coinId: '', isDelisted: false });
  for (const [id, fair] of fairs.entries()) {
    const rules = { ...bitcoinRules, id: as<SymbolId>(id), name: `C${id}C_USDT`, tiers };
    state.contracts.put({ rules, insurer });
    Object.assign(state.marks.opened(rules), { index: fair, fair });
  }
  for (const [index, given] of accounts.entries()) {
    const account = as<AccountId>(100 + index);
    for (const { contract, lots, paid, surplus, free, isIsolated } of given) {
      const id = as<SymbolId>(contract);
      if (state.positions.find(account, id) !== null) continue;
      const row = state.ledger.balances.row(futuresWalletOf(account), usdt);
      const owner = { kind: holdOwnerNumbers.position, id: positionId(account, id) };
      const position = { account, contract: id, lots, cost: BigInt(lots) * paid, realised: 0n, hold: -1 };
      const terms = { mode: isIsolated ? 'isolated' : 'cross', leverage: 10, openedAt: state.at } as const;
      const open = { ...position, ...terms, updatedAt: state.at, hold: state.holds.open(row, 0, owner) };
      state.positions.put(open);
      const margin = maintenanceMargin(state, open) - equityOf(state, open) + surplus;
      if (margin > 0n) {
        state.ledger.move(innerHouse.grants, futuresWalletOf(account), usdt, margin + free, 'contractProfit');
        state.ledger.resizeHold(open.hold, margin, 'orderHold', null);
      }
    }
  }
  return state;
}

/** Who is due, exactly. */
function due(state: EngineState, accounts: number): AccountId[] {
  return Array.from({ length: accounts }, (_, index) => as<AccountId>(100 + index)).filter((account) => {
    const open = state.positions.of(account);
    const cross = open.filter(({ mode }) => mode === 'cross');
    const free = freeOf(state, futuresWalletOf(account), usdt);
    const equity = cross.reduce((sum, each) => sum + equityOf(state, each), free);
    const needed = cross.reduce((sum, each) => sum + maintenanceMargin(state, each), 0n);
    const isIsolatedDue = open.some(
      (each) => each.mode === 'isolated' && equityOf(state, each) <= maintenanceMargin(state, each),
    );
    return isIsolatedDue || (cross.length > 0 && equity <= needed);
  });
}

const size = fc.oneof(fc.integer({ min: 1, max: 2000 }), fc.integer({ min: 1, max: 9_000_000_000 }));
const anyPosition: fc.Arbitrary<Given> = fc.record({
  contract: fc.nat(2),
  lots: fc.tuple(size, fc.boolean()).map(([lots, isLong]) => (isLong ? lots : -lots)),
  paid: fc.bigInt({ min: 1n, max: 10_000_000n }),
  surplus: fc.bigInt({ min: -3n, max: 3n }),
  free: fc.constantFrom(0n, 1n, 1_000_000n),
  isIsolated: fc.boolean(),
});
const anyFair = fc.integer({ min: 1, max: 100_000 * 100_000_000 });

test('DEC-FUT-47: the quick search leaves out no account that is due, to the unit', () => {
  fc.assert(
    fc.property(
      fc.array(anyFair, { minLength: 3, maxLength: 3 }),
      fc.array(fc.array(anyPosition, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 8 }),
      (fairs, accounts) => {
        const state = stateOf(fairs, accounts);
        expect(accountsMaybeDue(state)).toEqual(expect.arrayContaining(due(state, accounts.length)));
      },
    ),
    { numRuns: 300 },
  );
});

test('DEC-FUT-47: it leaves out those that are safe by more than rounding', () => {
  const safe = { contract: 0, lots: 1000, paid: 6_000_000n, surplus: 100_000n, free: 0n, isIsolated: true };
  const state = stateOf(
    [60_000 * 100_000_000, 1, 1],
    [[safe], [{ ...safe, surplus: 0n }], [{ ...safe, isIsolated: false }]],
  );
  expect(accountsMaybeDue(state)).toEqual([101]);
});
