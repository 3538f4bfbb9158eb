import type { StateMachine } from '#engine/create-engine.ts';
import { orderCountsOf } from '#engine/engine-queries.ts';
import type { ContractQueries } from '#ingress/contract-queries.ts';

/** The query port of contracts where asker and engine share a process. */
export function contractQuestions({ state }: StateMachine): ContractQueries {
  return {
    all: async () => [],
    mark: async () => null,
    orderCounts: async (contract) => ({
      bids: orderCountsOf(state, contract, 'buy'),
      asks: orderCountsOf(state, contract, 'sell'),
    }),
    position: async () => null,
    positionsOf: async () => [],
    positionsIn: async () => [],
    margin: async () => null,
    insurer: async () => null,
  };
}
