import type { ContractRules, MarginMode, PositionView } from '#model/contract.ts';
import { as, type AccountId, type Balance, type SymbolId } from '#model/units.ts';
import { noHold } from '#engine/ledger/hold-table.ts';
import type { Position } from '#engine/state/futures/positions.ts';
import type { EngineState } from '#engine/state/state.ts';

/** Leverage of an account that never chose one, unless the contract allows less. DEC-FUT-24. */
const defaultLeverage = 20;

/** The position of an account in a contract; a new one without lots if there is none. */
export function positionFor(state: EngineState, account: AccountId, contract: SymbolId): Position {
  const known = state.positions.find(account, contract);
  if (known !== null) return known;
  const position: Position = {
    account,
    contract,
    lots: 0,
    cost: 0n,
    mode: modeOf(state, account, contract),
    leverage: leverageOf(state, account, contract),
    realised: 0n,
    openedAt: state.at,
    updatedAt: state.at,
    hold: noHold,
  };
  state.positions.put(position);
  return position;
}

/** Leverage at which an account trades a contract. */
export const leverageOf = (state: EngineState, account: AccountId, contract: SymbolId): number =>
  state.positions.find(account, contract)?.leverage ??
  Math.min(defaultLeverage, state.contracts.at(contract).rules.tiers[0]!.maxLeverage);

/** How the margin of an account's position is kept: cross unless it was set. DEC-FUT-24. */
export const modeOf = ({ positions }: EngineState, account: AccountId, contract: SymbolId): MarginMode =>
  positions.find(account, contract)?.mode ?? 'cross';

/** What is held for a position. */
export const marginOf = ({ holds }: EngineState, { hold }: Position): bigint =>
  hold === noHold ? 0n : BigInt(holds.amount(hold));

/** The most lots that a position of this leverage may have; 0: the contract does not allow the leverage. DEC-FUT-08. */
export const mostLots = ({ tiers }: ContractRules, leverage: number): number =>
  tiers.reduce((most, tier) => (tier.maxLeverage >= leverage ? Math.max(most, tier.maxLots) : most), 0);

/** A notional amount divided by the leverage, rounded up; exact. */
export function initialMargin(notional: number, leverage: number): number {
  const rest = notional % leverage;
  return (notional - rest) / leverage + (rest > 0 ? 1 : 0);
}

/** A position as facts and queries tell it. */
export const viewOfPosition = (state: EngineState, position: Position): PositionView => ({
  account: position.account,
  contract: position.contract,
  lots: position.lots,
  cost: as<Balance>(position.cost),
  mode: position.mode,
  leverage: position.leverage,
  margin: as<Balance>(marginOf(state, position)),
  realised: as<Balance>(position.realised),
  openedAt: position.openedAt,
  updatedAt: position.updatedAt,
});
