import type { ContractCommand } from '#domain/contract-command.ts';
import type { ContractRules, MarkView } from '#domain/contract.ts';
import type { AccountId, Balance, SymbolId } from '#domain/units.ts';
import { refuse } from '#engine/commands/command-function.ts';
import type { ContractMark } from '#engine/contracts/contract-mark.ts';
import { fundingPayments, type FundingPayments, type FundingTerms } from '#engine/contracts/funding-payments.ts';
import { isMarkPrice } from '#engine/contracts/mark-price.ts';
import { predictedRate, updateMark, type DueFunding, type MarkedMarket } from '#engine/contracts/update-mark.ts';
import type { EngineState } from '#engine/state.ts';

/** What indices move: the listed contracts, their positions and money. */
export interface PricedContracts {
  /** Rules of a contract; `null`: there is none with this number. */
  find(contract: SymbolId): ContractRules | null;
  /** Contracts that have prices: all but delivered ones and those that are offline, in the order of listing. */
  priced(): readonly ContractRules[];
  positionsIn(contract: SymbolId): Iterable<{ readonly account: AccountId; readonly lots: number }>;
  /** Long positions of all accounts, in lots. */
  openInterest(contract: SymbolId): number;
  /** Balance of the insurance fund. */
  fund(contract: SymbolId): Balance;
  /** Posts the payments of a funding and the rest of rounding, and tells of it. */
  settleFunding(rules: ContractRules, due: DueFunding, payments: FundingPayments): void;
  /** Pauses an enabled contract. */
  pause(contract: SymbolId): void;
}

type UpdateIndices = Extract<ContractCommand, { kind: 'updateIndices' }>;

/**
 * Takes up the indices of a second: new fair prices, funding that is due, and a pause where no index is known for a
 * minute. A contract that the command leaves out has no live source. DEC-FUT-03.
 */
export function updatePrices(state: EngineState, contracts: PricedContracts, { prices }: UpdateIndices): void {
  const told = new Map<SymbolId, number | null>();
  for (const { contract, price } of prices) {
    if (contracts.find(contract) === null) {
      refuse(state, 'unknownContract');
      return;
    }
    if (price !== null && !isMarkPrice(price)) {
      refuse(state, 'invalidConfiguration');
      return;
    }
    told.set(contract, price);
  }
  for (const rules of contracts.priced()) updateContract(state, contracts, rules, told.get(rules.id) ?? null);
}

function updateContract(
  state: EngineState,
  contracts: PricedContracts,
  rules: ContractRules,
  price: number | null,
): void {
  const mark = state.marks.of(rules);
  const market = marketOf(state, rules);
  const { funding, isPauseDue } = updateMark(mark, market, price, state.at);
  if (funding !== null) {
    const payments = fundingPayments(contracts.positionsIn(rules.id), termsOf(market, funding));
    contracts.settleFunding(rules, funding, payments);
  }
  state.emit.fact({ kind: 'markUpdated', mark: markView(contracts, rules, mark) });
  if (isPauseDue && rules.state === 'enabled') contracts.pause(rules.id);
}

const marketOf = (state: EngineState, rules: ContractRules): MarkedMarket => ({
  rules,
  book: state.books[rules.id]!,
  levels: state.tables.levels,
  settleScale: state.assets[rules.settle]!.scale,
});

const termsOf = ({ book, rules }: MarkedMarket, { rate, fair }: DueFunding): FundingTerms => ({
  rate,
  fair,
  quotePerTickLot: book.quotePerTickLot,
  priceDecimals: rules.priceDecimals,
});

/** Prices of a contract, as questions and facts have them. */
export const markView = (contracts: PricedContracts, rules: ContractRules, mark: ContractMark): MarkView => ({
  contract: mark.contract,
  index: mark.index,
  fair: mark.fair,
  fundingRate: mark.lastRate,
  predictedRate: predictedRate(mark, rules),
  nextFundingAt: mark.nextFundingAt,
  openInterest: contracts.openInterest(rules.id),
  fund: contracts.fund(rules.id),
  at: mark.at,
});
