import { join } from 'node:path';
import type { Clock } from '#base/clock.ts';
import type { Custody, NetworkCustody } from '#custody/custody.ts';
import { createEvmCustody } from '#custody/evm/evm-custody.ts';
import type { EvmKeySource, EvmSettings } from '#custody/evm/settings.ts';
import type { ChainControls } from '#custody/simulated/chain-controls.ts';
import { nodeChainStorage } from '#custody/simulated/node-chain-storage.ts';
import { openSimulatedCustody } from '#custody/simulated/simulated-custody.ts';
import { createWatchOnlyCustody, CustodyMisconfigured } from '#custody/watch-only.ts';
import type { Configuration } from '#main/configuration-schema.ts';
import type { EvmEntry, NetworkEntry } from '#main/secrets/custody-file.ts';
import { readCustodyFile } from '#main/secrets/custody-file.ts';
import type { DataDirectory } from '#main/storage/data-directory.ts';
import type { SecretSeal } from '#main/secrets/secret-seal.ts';
import { openWalletSeed } from '#main/secrets/wallet-seed.ts';
import { demoBlockMs } from '#sandbox/wallet-listing.ts';

/** Custody of a running exchange. */
export interface OpenCustody {
  readonly custody: Custody;
  /** Contracts of the tokens that each network of the custody file serves, of those that list them. */
  readonly contracts: ReadonlyMap<string, readonly string[]>;
  /** Controls of the simulated chains; `null` where there are none. */
  readonly controls: ChainControls | null;
  close(): Promise<void>;
}

/** What custody is opened with. */
export interface CustodyParts {
  readonly config: Pick<Configuration, 'custodyFile'>;
  readonly directory: DataDirectory;
  readonly clock: Clock;
  readonly monotonic: Clock;
  /** Opens the seeds of hot wallets. */
  readonly seal: SecretSeal;
  /** Of the simulated chains; `null`: there are none. */
  readonly seed: string | null;
  readonly readFile: (path: string) => string;
  /** Gets what an operator should see, in a sentence. */
  readonly notice: (message: string) => void;
}

/**
 * Opens custody of every network: those of the custody file, and with a seed simulated chains for all others.
 * @throws CustodyMisconfigured when the custody file cannot be used.
 */
export async function openCustody(parts: CustodyParts): Promise<OpenCustody> {
  const path = parts.config.custodyFile;
  const entries = path === null ? [] : readCustodyFile(path, parts.readFile);
  const adapters = new Map<string, NetworkCustody>();
  for (const entry of entries) adapters.set(entry.network, openNetwork(entry, parts));
  const contracts = new Map(
    entries
      .filter((entry) => entry.kind === 'evm')
      .map(({ network, tokens }) => [network as string, tokens.map(({ contract }) => contract)]),
  );
  if (parts.seed === null) return { custody: adapters, contracts, controls: null, close: async () => {} };
  const simulated = await openSimulatedCustody({
    storage: nodeChainStorage(join(parts.directory.root, 'simulated-chain.jsonl')),
    seed: parts.seed,
    clock: parts.clock,
    blockMs: demoBlockMs,
  });
  const custody = new Map([...simulated.custody, ...adapters]);
  return { custody, contracts, controls: simulated.controls, close: () => simulated.close() };
}

function openNetwork(entry: NetworkEntry, parts: CustodyParts): NetworkCustody {
  if (entry.kind === 'watchOnly') return createWatchOnlyCustody(entry);
  const settings: EvmSettings = { ...entry, keys: keySource(entry, parts) };
  const { monotonic: clock, notice, config } = parts;
  try {
    return createEvmCustody({ settings, clock, notice: (message) => notice(`${entry.network}: ${message}`) });
  } catch (error) {
    if (error instanceof TypeError) throw new CustodyMisconfigured(`${config.custodyFile}: ${error.message}`);
    throw error;
  }
}

function keySource({ keys, network }: EvmEntry, parts: CustodyParts): EvmKeySource {
  return keys.kind === 'watch' ? keys : { kind: 'hot', seed: openWalletSeed(keys.seedFile, network, parts) };
}
