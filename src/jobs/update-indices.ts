import type { Command } from '#model/command.ts';
import type { ContractRules } from '#model/contract.ts';
import type { TimestampMs } from '#model/units.ts';
import type { Outcome } from '#sequencer/command-ingress.ts';
import type { ExchangeQueries } from '#sequencer/queries/exchange-queries.ts';

/** What updating index prices needs of an exchange. */
export interface IndexUpdatePorts {
  submit(command: Command): Promise<Pick<Outcome, 'events'>>;
  readonly queries: Pick<ExchangeQueries, 'contracts'>;
  readonly index: {
    /** In steps of 10^-markDecimals; `null`: no source counts. */
    read(contract: ContractRules, now: TimestampMs): Promise<{ readonly price: number | null }>;
  };
}

/** Contracts whose positions still follow an index. */
const hasIndex = ({ state }: ContractRules): boolean => state !== 'offline' && state !== 'delivered';

/**
 * Submits one `updateIndices` with the index price at `now`, a time of the exchange, of every contract that is neither
 * delivered nor offline. Nothing is submitted without such contracts. One call a second is due. DEC-FUT-03.
 * @throws Error if the engine refused; whatever `submit` or a source throws.
 */
export async function updateIndices({ submit, queries, index }: IndexUpdatePorts, now: TimestampMs): Promise<void> {
  const contracts = (await queries.contracts.all()).filter(hasIndex);
  if (contracts.length === 0) return;
  const prices = await Promise.all(
    contracts.map(async (contract) => ({ contract: contract.id, price: (await index.read(contract, now)).price })),
  );
  const { events } = await submit({ kind: 'updateIndices', prices });
  for (const event of events) {
    if (event.kind === 'commandRefused') throw new Error(`index prices were not taken: ${event.reason}`);
  }
}
