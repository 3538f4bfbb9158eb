import { join } from 'node:path';
import { z } from 'zod';
import type { Clock } from '#base/clock.ts';
import type { Custody, NetworkCustody } from '#custody/custody.ts';
import type { ChainControls } from '#custody/simulated/chain-controls.ts';
import { nodeChainStorage } from '#custody/simulated/node-chain-storage.ts';
import { openSimulatedCustody } from '#custody/simulated/simulated-custody.ts';
import { createWatchOnlyCustody, CustodyMisconfigured } from '#custody/watch-only.ts';
import type { Configuration } from '#main/configuration-schema.ts';
import type { DataDirectory } from '#main/data-directory.ts';
import { demoBlockMs } from '#sandbox/wallet-listing.ts';

/** Custody of a running exchange. */
export interface OpenCustody {
  readonly custody: Custody;
  /** Controls of the simulated chains; `null` outside the sandbox. */
  readonly controls: ChainControls | null;
  close(): Promise<void>;
}

/** What custody is opened with. */
export interface CustodyParts {
  readonly config: Pick<Configuration, 'profile' | 'custodyFile'>;
  readonly directory: DataDirectory;
  readonly clock: Clock;
  /** Of the sandbox; `null` in production. */
  readonly seed: string | null;
  readonly readFile: (path: string) => string;
}

const networkCode = z.string().regex(/^[A-Z0-9]{2,12}$/, 'must be the code of a network, such as ETH');
const watchOnly = z.strictObject({
  kind: z.literal('watchOnly'),
  network: networkCode,
  key: z.string().optional(),
  addressFile: z.string().optional(),
  sharedAddress: z.string().optional(),
});
const custodyFile = z.strictObject({ networks: z.array(z.discriminatedUnion('kind', [watchOnly])).max(100) });

/**
 * Opens custody of every network: those of the custody file, and in the sandbox the simulated chains for all others.
 * @throws CustodyMisconfigured when the custody file cannot be used.
 */
export async function openCustody(parts: CustodyParts): Promise<OpenCustody> {
  const configured = configuredCustody(parts);
  if (parts.seed === null) return { custody: configured, controls: null, close: async () => {} };
  const simulated = await openSimulatedCustody({
    storage: nodeChainStorage(join(parts.directory.root, 'simulated-chain.jsonl')),
    seed: parts.seed,
    clock: parts.clock,
    blockMs: demoBlockMs,
  });
  const custody = new Map([...simulated.custody, ...configured]);
  return { custody, controls: simulated.controls, close: () => simulated.close() };
}

function configuredCustody({ config, readFile }: CustodyParts): ReadonlyMap<string, NetworkCustody> {
  const path = config.custodyFile;
  if (path === null) return new Map();
  const adapters = new Map<string, NetworkCustody>();
  for (const settings of readCustodyFile(path, readFile).networks) {
    if (adapters.has(settings.network)) throw new CustodyMisconfigured(`${path}: ${settings.network} is there twice`);
    adapters.set(settings.network, createWatchOnlyCustody(settings));
  }
  return adapters;
}

function readCustodyFile(path: string, readFile: (path: string) => string): z.infer<typeof custodyFile> {
  let content: unknown;
  try {
    content = JSON.parse(readFile(path));
  } catch (error) {
    throw new CustodyMisconfigured(`${path} cannot be read as JSON: ${(error as Error).message}`);
  }
  const parsed = custodyFile.safeParse(content);
  if (parsed.success) return parsed.data;
  const { path: member, message } = parsed.error.issues[0]!;
  throw new CustodyMisconfigured(`${path}: ${member.join('.') || 'the file'} ${message}`);
}
