import type { CommandOf } from '#model/command.ts';
import { futuresWalletOf } from '#model/account.ts';
import { hasEnded, type MarkView, type ContractRules, type ContractState } from '#model/contract.ts';
import type { RejectReason } from '#model/rejection.ts';
import type { Balance } from '#model/units.ts';
import { as } from '#model/units.ts';
import { refuse, type CommandFunction } from '#engine/money/command-function.ts';
import type { Contract } from '#engine/state/futures/contracts.ts';
import { deleverage, mustDeleverage, noteFundPosition } from '#engine/futures/deleverage.ts';
import { placeFundOrder } from '#engine/futures/fund-orders.ts';
import { liquidate, liquidateDebtors } from '#engine/futures/liquidate.ts';
import { isMarkPrice } from '#engine/state/futures/mark-price.ts';
import { settleFunding } from '#engine/futures/settle-funding.ts';
import { indexMissingMs, predictedRate, updateMark, type MarkUpdate } from '#engine/futures/update-mark.ts';
import { activeContracts } from '#engine/futures/waiting-contract.ts';
import type { Matching } from '#engine/spot/matching.ts';
import type { EngineState } from '#engine/state/state.ts';
import { freeOf } from '#engine/money/free-balance.ts';

type IndexPrices = CommandOf<'updateIndices'>['prices'];

/**
 * Takes up the index prices of a second, with all that follows from them, step by step: fair prices; a pause where no
 * index is known for a minute in which trading was open; fundings that are due, and liquidation of who could not pay
 * one; liquidation of all others that are due; closing orders of the insurance funds; auto-deleveraging; snapshots of
 * the funds; the new marks. A contract that the command leaves out has no live source; one that has ended gets no
 * prices any more. DEC-FUT-03, DEC-FUT-18, DEC-FUT-47, DEC-FUT-55, DEC-FUT-59, DEC-OPR-166.
 */
export const updateIndices =
  ({ cancelOrders, placeForExchange }: Matching): CommandFunction<'updateIndices'> =>
  (state, { prices }) => {
    const refusal = refusalOf(state, prices);
    if (refusal !== null) {
      refuse(state, refusal);
      return;
    }
    const contracts = state.contracts.all().filter(({ rules }) => !hasEnded(rules.state));
    const marked = updateMarks(state, contracts, prices);
    for (const { contract, isPauseDue } of marked)
      if (isPauseDue && contract.rules.state === 'enabled' && state.trading.isOpenFor(indexMissingMs, state.at))
        setContractState(state, contract, 'paused');
    for (const { contract, funding } of marked) {
      if (funding === null) continue;
      const { rules } = contract;
      const debtors = settleFunding(state, rules, state.positions.in(rules.id), funding);
      liquidateDebtors(state, cancelOrders, rules.id, debtors);
    }
    liquidate(state, cancelOrders);
    for (const contract of activeContracts(state)) placeFundOrder(state, contract, placeForExchange);
    for (const contract of contracts) noteFundPosition(state, contract);
    for (const contract of contracts.filter((each) => mustDeleverage(state, each))) deleverage(state, contract);
    for (const contract of contracts) {
      noteFundPosition(state, contract);
      takeFundSnapshot(state, contract);
      state.emit.fact({ kind: 'markUpdated', mark: markView(state, contract) });
    }
  };

function refusalOf({ contracts }: EngineState, prices: IndexPrices): RejectReason | null {
  if (prices.some(({ contract }) => contracts.get(contract) === null)) return 'unknownContract';
  return prices.some(({ price }) => price !== null && !isMarkPrice(price)) ? 'invalidConfiguration' : null;
}

/** Gives each contract its index and its fair price; answers what is due by them. */
function updateMarks(
  state: EngineState,
  contracts: readonly Contract[],
  prices: IndexPrices,
): readonly (MarkUpdate & { readonly contract: Contract })[] {
  const indexOf = new Map(prices.map(({ contract, price }) => [contract, price]));
  return contracts.map((contract) => {
    const { rules } = contract;
    const book = state.books[rules.id]!;
    const settleScale = state.assets.at(rules.settle).scale;
    const market = { rules, book, levels: state.tables.levels, settleScale };
    return { contract, ...updateMark(state.marks.opened(rules), market, indexOf.get(rules.id) ?? null, state.at) };
  });
}

function takeFundSnapshot(state: EngineState, { rules, insurer }: Contract): void {
  const at = state.marks.opened(rules).takeSnapshot(state.at);
  if (at === null) return;
  const available = as<Balance>(freeOf(state, futuresWalletOf(insurer), rules.settle));
  state.emit.fact({ kind: 'fundSnapshot', contract: rules.id, available, at });
}

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

/** Changes the state of a listed contract, and emits its new rules. */
export function setContractState(state: EngineState, contract: Contract, wanted: ContractState): void {
  const rules: ContractRules = { ...contract.rules, state: wanted };
  state.contracts.put({ ...contract, rules });
  state.emit.fact({ kind: 'contractConfigured', contract: rules });
}
