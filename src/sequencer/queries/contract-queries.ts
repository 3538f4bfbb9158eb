import { futuresWalletOf } from '#model/account.ts';
import type { PositionView } from '#model/contract.ts';
import { as, type AccountId, type Balance, type PriceTicks, type SymbolId } from '#model/units.ts';
import { markView } from '#engine/futures/index-commands.ts';
import { deleveragingOrder } from '#engine/futures/deleveraging-rank.ts';
import { unrealisedProfit, freeMargin } from '#engine/futures/equity.ts';
import { liquidationPriceOf } from '#engine/futures/liquidation-price.ts';
import { viewOfPosition } from '#engine/futures/position-margin.ts';
import type { Position } from '#engine/state/futures/positions.ts';
import type { StateMachine } from '#engine/create-engine.ts';
import { orderCountsOf } from '#engine/queries/engine-queries.ts';
import type { EngineState } from '#engine/state/state.ts';

/** A position with what follows from the fair price. */
export interface MarkedPosition extends PositionView {
  readonly unrealised: Balance;
  /** Ticks; `null`: it cannot be liquidated at any price. */
  readonly liquidationPrice: PriceTicks | null;
  /** Place in the order of auto-deleveraging among those of its side, from 1; `null`: of an insurance fund. */
  readonly deleveragingRank: number | null;
}

/** How many orders rest at each price of a book, best first. */
export interface OrderCounts {
  readonly bids: readonly (readonly [PriceTicks, number])[];
  readonly asks: readonly (readonly [PriceTicks, number])[];
}

/** Questions about contracts; see `exchangeQueries`. */
export function contractQueries({ state }: StateMachine) {
  const { contracts, positions } = state;
  return {
    /** Every listed contract, in the order of listing. */
    all: async () => contracts.all().map(({ rules }) => rules),
    /** `null` for a symbol that is no contract. */
    mark: async (id: SymbolId) => {
      const contract = contracts.get(id);
      return contract === null ? null : markView(state, contract);
    },
    /** Where a projection of the number of orders starts. */
    orderCounts: async (contract: SymbolId): Promise<OrderCounts> => ({
      bids: orderCountsOf(state, contract, 'buy'),
      asks: orderCountsOf(state, contract, 'sell'),
    }),
    position: async (account: AccountId, contract: SymbolId) => {
      const position = positions.find(account, contract);
      return position === null || position.lots === 0 ? null : createMarking(state)(position);
    },
    /** What an account has set for a contract; `null`: nothing, or it is no contract. */
    leverage: async (account: AccountId, contract: SymbolId) => positions.find(account, contract)?.leverage ?? null,
    /** Of an account, in the order of contracts. */
    positionsOf: async (account: AccountId) => positions.of(account).map(createMarking(state)),
    /** Of a contract, by account; those after `after`, at most `limit`. */
    positionsIn: async (contract: SymbolId, after: AccountId | null, limit: number) =>
      positionsAfter(state, contract, after).slice(0, limit).map(createMarking(state)),
    /** In the settle asset of a contract; `null` for a symbol that is no contract. */
    margin: async (account: AccountId, contract: SymbolId) => marginOf(state, account, contract),
    /** The account whose futures wallet is the insurance fund of a contract. */
    insurer: async (contract: SymbolId) => contracts.get(contract)?.insurer ?? null,
  };
}

/** The query port of contracts. */
export type ContractQueries = Readonly<ReturnType<typeof contractQueries>>;

/** Marks positions; the order of deleveraging is made once for each side of a contract. */
function createMarking(state: EngineState): (position: Position) => MarkedPosition {
  const orders = new Map<string, readonly Position[]>();
  const orderOf = ({ contract, lots }: Position): readonly Position[] => {
    const side = lots > 0 ? 'long' : 'short';
    const known = orders.get(`${contract} ${side}`) ?? deleveragingOrder(state, contract, side);
    orders.set(`${contract} ${side}`, known);
    return known;
  };
  return (position) => ({
    ...viewOfPosition(state, position),
    unrealised: as<Balance>(unrealisedProfit(state, position)),
    liquidationPrice: liquidationPriceOf(state, position) as PriceTicks | null,
    deleveragingRank: orderOf(position).indexOf(position) + 1 || null,
  });
}

/** Open positions of a contract by account, after one of them. */
function positionsAfter({ positions }: EngineState, contract: SymbolId, after: AccountId | null): Position[] {
  const open = [...positions.in(contract)].filter(({ account }) => after === null || account > after);
  return open.sort((first, second) => first.account - second.account);
}

/** Margin of an account in one settle asset. */
function marginOf(state: EngineState, account: AccountId, contract: SymbolId) {
  const { balances } = state.ledger;
  const settle = state.contracts.get(contract)?.rules.settle;
  if (settle === undefined) return null;
  const row = balances.find(futuresWalletOf(account), settle);
  const unrealised = state.positions
    .of(account)
    .filter((position) => state.contracts.at(position.contract).rules.settle === settle)
    .reduce((sum, position) => sum + unrealisedProfit(state, position), 0n);
  return {
    /** Free in the futures wallet, and held for orders and positions. */
    free: as<Balance>(row < 0 ? 0n : balances.free.get(row)),
    held: as<Balance>(row < 0 ? 0n : balances.held.get(row)),
    /** Unrealised profit of all positions at the fair prices; may be below zero. */
    unrealised: as<Balance>(unrealised),
    /** What may be withdrawn from the futures wallet. */
    withdrawable: as<Balance>(freeMargin(state, account, settle)),
  };
}
