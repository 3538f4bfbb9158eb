import type { SymbolId } from '#model/units.ts';
import type { CommandIngress } from '#sequencer/command-ingress.ts';
import type { ExchangeQueries } from '#sequencer/queries/exchange-queries.ts';

/** Contracts that are enabled again at their time; pairs have that in their rules. */
export interface PausedContracts {
  enableAt(contract: SymbolId, at: number): void;
  /** Enables those whose time has come and that are paused still. */
  enableDue(now: number): Promise<void>;
}

/** They are of this process: what is due when it ends stays paused. DEC-KIT-66. */
export function createPausedContracts(
  submit: CommandIngress['submit'],
  queries: Pick<ExchangeQueries, 'contracts'>,
): PausedContracts {
  const due = new Map<SymbolId, number>();
  return {
    enableAt: (contract, at) => void due.set(contract, at),
    enableDue: async (now) => {
      const over = [...due].filter(([, at]) => at <= now);
      if (over.length === 0) return;
      const rules = await queries.contracts.all();
      for (const [contract] of over) {
        due.delete(contract);
        if (rules.find(({ id }) => id === contract)?.state === 'paused')
          await submit({ kind: 'setContractState', contract, state: 'enabled' });
      }
    },
  };
}
