import { setTimeout } from 'node:timers/promises';
import { type Clock, monotonicClock, repeatedly, type Repeat } from '#base/clock.ts';
import type { PollingWorker } from '#base/polling.ts';
import type { Custody } from '#custody/custody.ts';
import type { ChainControls } from '#custody/simulated/chain-controls.ts';
import { readTextFile } from '#main/configuration/config.ts';
import type { Configuration } from '#main/configuration-schema.ts';
import { listingDifferences, requireSameAddresses } from '#main/composition/custody-agreement.ts';
import type { DataDirectory } from '#main/storage/data-directory.ts';
import type { ExchangeCore } from '#main/composition/exchange-core.ts';
import { openCustody } from '#main/composition/open-custody.ts';
import type { SecretSeal } from '#main/secrets/secret-seal.ts';
import type { NetworkSight } from '#custody/settlement/watch-network.ts';
import { reconcile } from '#custody/settlement/reconcile.ts';
import {
  type ReconciliationFindings,
  type ReconciliationWatch,
  startReconciliation,
} from '#custody/settlement/watch-reconciliation.ts';
import { startFeeTierAssignment } from '#jobs/assign-fee-tiers.ts';
import { startPairUpkeep } from '#jobs/keep-pairs.ts';
import { startAccountUpkeep } from '#jobs/keep-accounts.ts';
import { startProposalUpkeep } from '#jobs/follow-proposals.ts';
import { startRebateSettlement } from '#jobs/settle-rebates.ts';
import { type ChainSettlement, type PayingState, startSettlement } from '#custody/settlement/settlement.ts';

/**
 * The wallet of a running exchange: who keeps the coins, the workers between chains and ledger, and the jobs of
 * every day.
 */
export interface OpenWallet {
  readonly custody: Custody;
  /** Controls of the simulated chains; absent where there are none. */
  readonly chainControls?: ChainControls;
  /** What keeps a network from paying; `null`: nobody settles it, or nothing runs yet. */
  readonly payingState: (network: string) => PayingState | null;
  /** How a network was seen last; `null` likewise. */
  readonly sightOf: (network: string) => NetworkSight | null;
  /** What the last comparisons of ledger and custody found; `null`: nothing is compared, as in a sandbox. */
  readonly reconciliation: () => ReconciliationFindings | null;
  /** Starts the workers. */
  start(): void;
  /** Ends the workers after what they are at, then closes custody. */
  close(): Promise<void>;
}

/** What the wallet stands on. */
export interface WalletParts {
  readonly config: Configuration;
  readonly directory: DataDirectory;
  readonly core: ExchangeCore;
  readonly clock: Clock;
  /** Times how often workers read what changes seldom. */
  readonly looks: Clock;
  readonly repeat: Repeat;
  /** Opens the seeds of hot wallets. */
  readonly seal: SecretSeal;
  /** Of the simulated chains; `null`: there are none, as in production and in clusters. DEC-CLU-23. */
  readonly seed: string | null;
  /** Prints a message on the terminal. */
  readonly tell: (message: string) => void;
  /** Logs what an operator should see, in a sentence. */
  readonly notice: (message: string) => void;
  readonly onTrouble: (what: string, error: unknown) => void;
}

/**
 * Opens custody, and tells where it and the listing differ; no worker runs before `start`.
 * @throws CustodyMisconfigured, ChainFileFault
 */
export async function openWallet(parts: WalletParts): Promise<OpenWallet> {
  const { config, core, clock, looks, repeat, tell, notice, onTrouble } = parts;
  const opened = await openCustody({ ...parts, monotonic: monotonicClock, readFile: readTextFile });
  const { custody, contracts, controls, close } = opened;
  await requireSameAddresses(custody, core.queries.wallet);
  const { assets } = await core.queries.listing();
  const networks = await core.queries.wallet.networks();
  for (const difference of listingDifferences({ networks, assets, contracts })) tell(difference);
  let chains: ChainSettlement | null = null;
  let watch: ReconciliationWatch | null = null;
  let workers: readonly PollingWorker[] = [];
  return {
    custody,
    ...(controls === null ? {} : { chainControls: controls }),
    payingState: (network) => chains?.payingState(network) ?? null,
    sightOf: (network) => chains?.sightOf(network) ?? null,
    reconciliation: () => watch?.findings() ?? null,
    start: () => {
      const { sequencer: ingress, queries } = core;
      const options = { ingress, queries, clock, repeat, everyMs: config.settleEveryMs, onTrouble };
      chains = startSettlement({ ...options, custody, monotonic: looks, notice });
      // Money of a sandbox comes from nothing: nothing explains it.
      if (config.profile === 'production')
        watch = startReconciliation({
          reconcile: () => reconcile(queries, custody),
          ...{
            monotonic: monotonicClock,
            repeat: repeatedly,
            pause: (ms: number) => setTimeout(ms),
            notice,
            onTrouble,
          },
        });
      workers = [
        ...(watch === null ? [] : [watch]),
        chains,
        startRebateSettlement(options),
        startFeeTierAssignment(options),
        startAccountUpkeep(options),
        startPairUpkeep(options),
        startProposalUpkeep({ ...options, notice }),
      ];
    },
    close: async () => {
      await Promise.all(workers.map((worker) => worker.stop()));
      await close();
    },
  };
}
