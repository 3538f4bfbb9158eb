import { deepStrictEqual } from 'node:assert';
import { InvariantBroken } from '#base/assert.ts';
import { noopSink } from '#model/event-record.ts';
import type { EventSink } from '#model/events.ts';
import type { SymbolId } from '#model/units.ts';
import { levelsOf, orderCountsOf } from '#engine/queries/engine-queries.ts';
import type { EngineState } from '#engine/state/state.ts';
import type { ContractData } from '#market-data/contracts/contract-data.ts';

/** A trade with its flags, as the contracts' projection has to tell them. */
interface FlaggedTrade {
  readonly symbol: number;
  readonly trade: number;
  readonly openFlag: number;
  readonly isSelfTrade: boolean;
}

const told = 100;

/** What trades of contracts did to positions, from the positions before them and nothing else. DEC-FUT-11. */
export class ContractFold {
  readonly #lots = new Map<string, number>();
  readonly #contracts = new Set<number>();
  #trades: FlaggedTrade[] = [];

  readonly sink: EventSink = {
    ...noopSink,
    fact: (fact) => {
      if (fact.kind === 'contractConfigured') this.#contracts.add(fact.contract.id);
    },
    positionChanged: ({ account, contract, lots }) => {
      this.#lots.set(`${account}/${contract}`, lots);
    },
    tradeExecuted: ({ symbol, trade, lots, takerSide, takerAccount, makerAccount }) => {
      if (!this.#contracts.has(symbol)) return;
      const bought = takerSide === 'buy' ? lots : -lots;
      const isSelfTrade = takerAccount === makerAccount;
      const opens = (account: number, change: number): number => {
        const before = this.#lots.get(`${account}/${symbol}`) ?? 0;
        return !isSelfTrade && Math.abs(before + change) > Math.abs(before) ? 1 : 0;
      };
      const opened = opens(takerAccount, bought) + opens(makerAccount, -bought);
      this.#trades.push({ symbol, trade, openFlag: [2, 3, 1][opened] as number, isSelfTrade });
    },
  };

  /** @throws InvariantBroken where the projection tells other flags, levels or counts of orders. */
  compare(state: EngineState, data: ContractData): void {
    for (const { rules } of state.contracts.all()) {
      const trades = this.#trades.filter(({ symbol }) => symbol === rules.id).slice(-told);
      const deals = data.deals(rules.id, told).map(({ trade, openFlag, isSelfTrade }) => {
        return { symbol: rules.id as number, trade: trade as number, openFlag, isSelfTrade };
      });
      same(deals, trades.reverse(), 'flags of deals');
      const book = data.depth(rules.id, Number.MAX_SAFE_INTEGER);
      same({ bids: book.bids, asks: book.asks }, levels(state, rules.id), 'order counts of levels');
      compareCommits(data, rules.id, book);
    }
  }
}

/** Levels of both sides as the engine counts them. */
function levels(state: EngineState, contract: SymbolId) {
  const of = (side: 'buy' | 'sell') => {
    const counts = new Map(orderCountsOf(state, contract, side));
    return levelsOf(state, contract, side).map(([price, lots]) => ({ price, orders: counts.get(price), lots }));
  };
  return { bids: of('buy'), asks: of('sell') };
}

/** The newest change of each price is how that level is now; versions follow each other. */
function compareCommits(data: ContractData, contract: SymbolId, book: ReturnType<ContractData['depth']>): void {
  const seen = new Set<string>();
  let version: number = book.version;
  for (const commit of data.commits(contract, 1000)) {
    same(commit.version, version, 'version of a change');
    version -= 1;
    const key = `${commit.side} ${commit.price}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const level = (commit.side === 'buy' ? book.bids : book.asks).find(({ price }) => price === commit.price);
    same([commit.orders, commit.lots], [level?.orders ?? 0, level?.lots ?? 0], 'newest change of a level');
  }
}

function same(actual: unknown, wanted: unknown, what: string): void {
  try {
    deepStrictEqual(actual, wanted);
  } catch (error) {
    throw new InvariantBroken(`${what} differs: ${(error as Error).message}`);
  }
}
