import { futuresWalletOf } from '#domain/account.ts';
import type { ContractCommand } from '#domain/contract-command.ts';
import type { ContractRules, ContractState, MarkView } from '#domain/contract.ts';
import type { AccountId, Balance, SymbolId } from '#domain/units.ts';
import { as } from '#domain/units.ts';
import { refuse } from '#engine/commands/command-function.ts';
import type { Contract } from '#engine/contracts/contracts.ts';
import { isMarkPrice } from '#engine/contracts/mark-price.ts';
import { settleFunding } from '#engine/contracts/settle-funding.ts';
import { predictedRate, updateMark, type DueFunding, type MarkedMarket } from '#engine/contracts/update-mark.ts';
import type { EngineState } from '#engine/state.ts';
import { freeOf } from '#engine/wallet/existing.ts';

type UpdateIndices = Extract<ContractCommand, { kind: 'updateIndices' }>;

/** What follows from new prices besides funding. */
export interface PriceConsequences {
  /** Stops an enabled contract and tells of it. */
  pause(contract: SymbolId): void;
  /** Liquidates positions of accounts that could not pay all of a funding. */
  liquidateDebtors(contract: SymbolId, debtors: readonly AccountId[]): void;
  /** Liquidates all other positions that are due; then funds close theirs. */
  liquidate(): void;
}

/** States in which a contract has neither orders nor positions. DEC-FUT-09. */
const endedStates: ReadonlySet<ContractState> = new Set(['delivered', 'offline']);

/**
 * Takes up the index prices of a second: first the fair prices of all contracts, and a pause where no index is known
 * for a minute; then funding that is due, with its debtors; then liquidation, and snapshots of the funds. A contract
 * that the command leaves out has no live source; one that has ended gets no prices any more. DEC-FUT-03, DEC-FUT-59.
 */
export function updatePrices(state: EngineState, consequences: PriceConsequences, { prices }: UpdateIndices): void {
  if (prices.some(({ contract }) => state.contracts.get(contract) === null)) {
    refuse(state, 'unknownContract');
    return;
  }
  if (prices.some(({ price }) => price !== null && !isMarkPrice(price))) {
    refuse(state, 'invalidConfiguration');
    return;
  }
  const told = new Map(prices.map(({ contract, price }) => [contract, price]));
  const priced = state.contracts.all().filter(({ rules }) => !endedStates.has(rules.state));
  const fundings: { readonly rules: ContractRules; readonly funding: DueFunding }[] = [];
  for (const { rules } of priced) {
    const price = told.get(rules.id) ?? null;
    const { funding, isPauseDue } = updateMark(state.marks.opened(rules), marketOf(state, rules), price, state.at);
    if (funding !== null) fundings.push({ rules, funding });
    if (isPauseDue && rules.state === 'enabled') consequences.pause(rules.id);
  }
  for (const { rules, funding } of fundings) {
    const debtors = settleFunding(state, rules, state.positions.in(rules.id), funding);
    if (debtors.length > 0) consequences.liquidateDebtors(rules.id, debtors);
  }
  consequences.liquidate();
  for (const contract of priced) {
    takeFundSnapshot(state, contract);
    state.emit.fact({ kind: 'markUpdated', mark: markView(state, contract) });
  }
}

function takeFundSnapshot(state: EngineState, { rules, insurer }: Contract): void {
  const at = state.marks.opened(rules).takeSnapshot(state.at);
  if (at === null) return;
  const available = as<Balance>(freeOf(state, futuresWalletOf(insurer), rules.settle));
  state.emit.fact({ kind: 'fundSnapshot', contract: rules.id, available, at });
}

const marketOf = (state: EngineState, rules: ContractRules): MarkedMarket => ({
  rules,
  book: state.books[rules.id]!,
  levels: state.tables.levels,
  settleScale: state.assets[rules.settle]!.scale,
});

/** Prices of a listed contract, as questions and facts have them. */
export function markView(state: EngineState, { rules, insurer }: Contract): MarkView {
  const mark = state.marks.of(rules);
  return {
    contract: rules.id,
    index: mark.index,
    fair: mark.fair,
    fundingRate: mark.lastRate,
    predictedRate: predictedRate(mark, rules),
    nextFundingAt: mark.nextFundingAt,
    openInterest: state.positions.longLots(rules.id),
    fund: as<Balance>(freeOf(state, futuresWalletOf(insurer), rules.settle)),
    at: mark.at,
  };
}
