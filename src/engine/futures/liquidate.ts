import { futuresWalletOf } from '#model/account.ts';
import type { CloseReason } from '#model/order.ts';
import type { AccountId, AssetId, SymbolId } from '#model/units.ts';
import { accountsMaybeDue } from '#engine/futures/due-accounts.ts';
import { crossPositions, equityOf, maintenanceMargin, unrealisedProfit } from '#engine/futures/equity.ts';
import type { Position } from '#engine/state/futures/positions.ts';
import { takeOver } from '#engine/futures/take-over.ts';
import { isWaiting } from '#engine/futures/waiting-contract.ts';
import { freeOf } from '#engine/money/free-balance.ts';
import type { EngineState } from '#engine/state/state.ts';

/** Cancels open orders of an account on these markets. */
export type CancelOrders = (account: AccountId, symbols: readonly SymbolId[], reason: CloseReason) => void;

/**
 * Liquidates what is due at the fair prices of now: by account, its isolated positions by contract, then its cross
 * ones. DEC-FUT-47, DEC-FUT-59.
 */
export function liquidate(state: EngineState, cancelOrders: CancelOrders): void {
  for (const account of accountsMaybeDue(state)) {
    const open = state.positions.of(account);
    for (const position of open) if (position.mode === 'isolated') liquidateIsolated(state, cancelOrders, position);
    const settles = open.filter(({ mode }) => mode === 'cross').map((each) => settleOf(state, each));
    // stored order: that of the contracts
    for (const settle of new Set(settles)) liquidateCross(state, cancelOrders, account, settle);
  }
}

/**
 * Liquidates positions of a contract that could not pay all of a funding, as a whole. What the fund cannot take stays;
 * it is due with the others then, or pays the next funding. DEC-FUT-50.
 */
export function liquidateDebtors(
  state: EngineState,
  cancelOrders: CancelOrders,
  contract: SymbolId,
  debtors: readonly AccountId[],
): void {
  if (isWaiting(state, contract)) return;
  for (const account of debtors) {
    const position = state.positions.find(account, contract);
    if (position === null || account === state.contracts.at(contract).insurer) continue;
    const markets = position.mode === 'isolated' ? [contract] : marketsSettledIn(state, settleOf(state, position));
    cancelOrders(account, markets, 'byExchange');
    takeOver(state, position, Math.abs(position.lots));
  }
}

const settleOf = ({ contracts }: EngineState, { contract }: Position): AssetId => contracts.at(contract).rules.settle;

const marketsSettledIn = ({ contracts }: EngineState, settle: AssetId): readonly SymbolId[] =>
  contracts.settledIn(settle).map(({ rules }) => rules.id);

function liquidateIsolated(state: EngineState, cancelOrders: CancelOrders, position: Position): void {
  const isDue = (): boolean => position.lots !== 0 && equityOf(state, position) <= maintenanceMargin(state, position);
  if (isWaiting(state, position.contract) || !isDue()) return;
  cancelOrders(position.account, [position.contract], 'byExchange');
  while (isDue()) if (!takeOver(state, position, lotsOfStep(state, position))) return;
}

function liquidateCross(state: EngineState, cancelOrders: CancelOrders, account: AccountId, settle: AssetId): void {
  const isDue = (): boolean => {
    const cross = crossPositions(state, account, settle);
    const free = freeOf(state, futuresWalletOf(account), settle);
    const equity = cross.reduce((sum, each) => sum + equityOf(state, each), free);
    return cross.length > 0 && equity <= cross.reduce((sum, each) => sum + maintenanceMargin(state, each), 0n);
  };
  if (!isDue() || worstOf(state, account, settle) === null) return;
  cancelOrders(account, marketsSettledIn(state, settle), 'byExchange');
  while (isDue()) {
    const worst = worstOf(state, account, settle);
    if (worst === null || !takeOver(state, worst, lotsOfStep(state, worst))) return;
  }
}

/** The cross position that loses most, of equal ones that of the lower contract; `null`: all of them wait. */
function worstOf(state: EngineState, account: AccountId, settle: AssetId): Position | null {
  let worst: Position | null = null;
  let least = 0n;
  for (const position of crossPositions(state, account, settle)) {
    const profit = unrealisedProfit(state, position);
    if (isWaiting(state, position.contract) || (worst !== null && profit >= least)) continue;
    worst = position;
    least = profit;
  }
  return worst;
}

/** How many lots a step takes: those above the tier below, in the first tier all. DEC-FUT-47. */
function lotsOfStep({ contracts }: EngineState, { contract, lots }: Position): number {
  const { tiers } = contracts.at(contract).rules;
  const all = Math.abs(lots);
  const index = tiers.findIndex(({ maxLots }) => all <= maxLots);
  const below = index < 0 ? tiers.at(-2) : tiers[index - 1];
  return all - (below?.maxLots ?? 0);
}
