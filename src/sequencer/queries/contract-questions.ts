import { futuresWalletOf } from '#model/account.ts';
import { as, type AccountId, type Balance, type PriceTicks, type SymbolId } from '#model/units.ts';
import { markView } from '#engine/futures/index-commands.ts';
import { deleveragingOrder } from '#engine/futures/deleveraging-rank.ts';
import { unrealisedProfit } from '#engine/futures/equity.ts';
import { liquidationPriceOf } from '#engine/futures/liquidation-price.ts';
import { viewOfPosition } from '#engine/futures/position-margin.ts';
import type { Position } from '#engine/state/futures/positions.ts';
import type { StateMachine } from '#engine/create-engine.ts';
import { orderCountsOf } from '#engine/queries/engine-queries.ts';
import type { EngineState } from '#engine/state/state.ts';
import { freeMargin } from '#engine/futures/free-margin.ts';
import type { ContractQueries, MarginView, MarkedPosition } from '#sequencer/queries/contract-queries.ts';

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

function marginOf(state: EngineState, account: AccountId, contract: SymbolId): MarginView | null {
  const { balances } = state.ledger;
  const settle = state.contracts.get(contract)?.rules.settle;
  if (settle === undefined) return null;
  const row = balances.find(futuresWalletOf(account), settle);
  const unrealised = state.positions
    .of(account)
    .filter((position) => state.contracts.at(position.contract).rules.settle === settle)
    .reduce((sum, position) => sum + unrealisedProfit(state, position), 0n);
  return {
    free: as<Balance>(row < 0 ? 0n : balances.free.get(row)),
    held: as<Balance>(row < 0 ? 0n : balances.held.get(row)),
    unrealised: as<Balance>(unrealised),
    withdrawable: as<Balance>(freeMargin(state, account, settle)),
  };
}

/** The query port of contracts where asker and engine share a process. */
export function contractQuestions({ state }: StateMachine): ContractQueries {
  const { contracts, positions } = state;
  return {
    all: async () => contracts.all().map(({ rules }) => rules),
    mark: async (id) => {
      const contract = contracts.get(id);
      return contract === null ? null : markView(state, contract);
    },
    orderCounts: async (contract) => ({
      bids: orderCountsOf(state, contract, 'buy'),
      asks: orderCountsOf(state, contract, 'sell'),
    }),
    position: async (account, contract) => {
      const position = positions.find(account, contract);
      return position === null || position.lots === 0 ? null : createMarking(state)(position);
    },
    positionsOf: async (account) => positions.of(account).map(createMarking(state)),
    positionsIn: async (contract, after, limit) =>
      positionsAfter(state, contract, after).slice(0, limit).map(createMarking(state)),
    margin: async (account, contract) => marginOf(state, account, contract),
    insurer: async (contract) => contracts.get(contract)?.insurer ?? null,
  };
}
