import type { Clock } from '#base/clock.ts';
import type { AssetRules } from '#model/asset.ts';
import type { Command } from '#model/command.ts';
import type { RejectReason } from '#model/rejection.ts';
import type { AssetNetwork } from '#model/wallet.ts';
import type { Custody, NetworkCustody } from '#custody/custody.ts';
import type { CommandIngress } from '#sequencer/command-ingress.ts';
import type { ExchangeQueries } from '#sequencer/queries/exchange-queries.ts';

/** The listing of the wallet, as of one poll of a network. */
export interface NetworkListing {
  readonly networks: readonly AssetNetwork[];
  /** By asset id. */
  readonly assets: readonly AssetRules[];
}

/** What settling a network needs. */
export interface SettlementParts {
  readonly custody: NetworkCustody;
  /** Of every network. */
  readonly custodies: Custody;
  readonly ingress: CommandIngress;
  readonly queries: ExchangeQueries;
  /** The exchange's clock: withdrawals wait by it. */
  readonly clock: Clock;
  /** Never runs backwards: how often what changes seldom is checked. */
  readonly monotonic: Clock;
  /** Gets what an operator should know, in a sentence. */
  readonly notice: (message: string) => void;
  /** Tells people what they have to act upon. */
  readonly onTrouble: (what: string, error: unknown) => void;
}

/** Submits a command of settlement and answers why it was refused; `null`: it was not. */
export async function settle({ ingress }: SettlementParts, command: Command): Promise<RejectReason | null> {
  const { events } = await ingress.submit(command);
  for (const event of events) if (event.kind === 'commandRefused') return event.reason;
  return null;
}
