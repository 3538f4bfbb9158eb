import type { StateMachine } from '#engine/create-engine.ts';
import type { ContractQueries } from '#ingress/contract-queries.ts';

/** The query port of contracts where asker and engine share a process. */
export function contractQuestions({ state }: StateMachine): ContractQueries {
  void state;
  return {
    all: async () => [],
    mark: async () => null,
    position: async () => null,
    positionsOf: async () => [],
    positionsIn: async () => [],
    margin: async () => null,
    insurer: async () => null,
  };
}
