import type { Repeat } from '#base/clock.ts';
import type { Configuration } from '#main/configuration-schema.ts';
import type { DataDirectory } from '#main/data-directory.ts';
import type { ExchangeCore } from '#main/exchange-core.ts';
import { apiKeyAssociatedData, type SecretSeal } from '#main/secret-seal.ts';
import { demoFile, writeDemoFile, type SandboxAddresses } from '#sandbox/demo-file.ts';
import { demoOperatorToken } from '#sandbox/demo-identity.ts';
import { openDemoMarket } from '#sandbox/demo-market.ts';
import { seedOf } from '#sandbox/demo-seed.ts';
import { createMarketSimulation, type MarketSimulation } from '#sandbox/market-simulation.ts';
import type { VirtualClock } from '#sandbox/virtual-clock.ts';
import { welcomeText } from '#sandbox/welcome.ts';

/** The sandbox's own part of a running exchange: demo accounts, listing and simulated market. */
export interface SandboxMarket {
  /** Writes `demo.json` and answers what a person reads when all is ready. */
  announce(addresses: SandboxAddresses): Promise<string>;
  stop(): Promise<void>;
}

/** What the sandbox's market works on. */
export interface SandboxParts {
  readonly config: Configuration;
  readonly directory: DataDirectory;
  readonly core: ExchangeCore;
  readonly clock: VirtualClock;
  readonly seal: SecretSeal;
  readonly now: () => number;
  readonly repeat: Repeat;
  readonly tell: (message: string) => void;
  readonly onTrouble: (what: string, error: unknown) => void;
}

/** Opens the demo market where there is none yet, gives it its history, and lets the participants trade. */
export async function startSandboxMarket(parts: SandboxParts): Promise<SandboxMarket> {
  const { config, directory, core, now, tell } = parts;
  const seed = await seedOf(directory.root, config.seed === null ? null : String(config.seed));
  const simulation = config.simulate ? createSimulation(parts, seed) : null;
  await simulation?.rewind(now());
  await openDemoMarket({
    submit: (command) => core.sequencer.submit(command),
    queries: core.queries,
    seed,
    seal: ({ secret, ...owner }) => parts.seal.seal(secret, apiKeyAssociatedData({ ...owner, keyVersion: 1 })),
  });
  const isNew = await simulation?.needsHistory();
  await simulation?.seedHistory({
    now: now(),
    onProgress: ({ text, done }) => tell(`Making a market history: ${text} (${Math.round(done * 100)} %).`),
  });
  // So that no later start has to replay the making of history.
  if (isNew === true) core.snapshots.begin();
  await simulation?.start();
  return {
    announce: async (addresses) => {
      const demo = demoFile(seed, addresses, config.operatorToken ?? demoOperatorToken(seed));
      const demoPath = await writeDemoFile(directory.root, demo);
      const { symbols } = await core.queries.listing();
      return welcomeText({
        demo,
        demoPath,
        dataDirectory: directory.root,
        symbols: symbols.map(({ name }) => name),
        simulated: config.simulate,
      });
    },
    stop: async () => simulation?.stop(),
  };
}

function createSimulation({ core, clock, repeat, onTrouble }: SandboxParts, seed: string): MarketSimulation {
  return createMarketSimulation({
    ingress: core.sequencer,
    queries: core.queries,
    feed: core.sequencer,
    clock,
    seed,
    repeat,
    onTrouble: (error) => onTrouble('the simulated market', error),
  });
}
