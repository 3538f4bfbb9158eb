import type { Repeat } from '#base/clock.ts';
import { depositAddresses } from '#custody/simulated/deposit-addresses.ts';
import { FileSnapshotStore } from '#journal/file-snapshot-store.ts';
import { nodeFileOperations } from '#journal/node-file-operations.ts';
import type { DemoKeyPair } from '#public-api/gateway-context.ts';
import { ConfigurationRefused } from '#main/configuration/config.ts';
import type { Configuration } from '#main/configuration-schema.ts';
import type { DataDirectory } from '#main/storage/data-directory.ts';
import { prepareJournal, type ExchangeCore } from '#main/composition/exchange-core.ts';
import { apiKeyAssociatedData, type SecretSeal } from '#main/secrets/secret-seal.ts';
import { type DemoKey, demoAccountsOf, peopleKeys } from '#sandbox/demo-accounts.ts';
import { demoOperatorToken } from '#sandbox/demo-identity.ts';
import { isMarketOpen, openDemoContracts, openDemoMarket, openDemoWallet } from '#sandbox/demo-market.ts';
import { keepDemoPrices } from '#sandbox/demo-prices.ts';
import type { DemoMarketPorts } from '#sandbox/genesis.ts';
import type { MarketControls } from '#sandbox/market-controls.ts';
import { createMarketSimulation, hasHistory, type MarketSimulation } from '#sandbox/market-simulation.ts';
import { knownDemoAccount, knownMemberKeys, openDemoAccounts, openDemoMembers } from '#sandbox/open-demo-accounts.ts';
import type { AddressSource } from '#sandbox/retail-entry.ts';
import {
  demoFile,
  keptSeedOf,
  type SandboxAddresses,
  SeedDiffers,
  seedOf,
  writeDemoFile,
} from '#sandbox/sandbox-files.ts';
import type { TimePace } from '#sandbox/simulated-time.ts';
import { soundSnapshot } from '#sequencer/sound-snapshot.ts';
import type { VirtualClock } from '#sandbox/virtual-clock.ts';
import { type ShownClock, welcomeText } from '#sandbox/welcome.ts';

/** The sandbox's own part of a running exchange: demo accounts, listing and simulated market. */
export interface SandboxMarket {
  readonly seed: string;
  /** What the reference page offers, of those that are known. */
  readonly demoKeys: readonly DemoKeyPair[];
  /** Absent without simulated traders. */
  readonly controls?: MarketControls;
  /** Token of the operator API. */
  readonly operatorToken: string;
  /**
   * Opens what is missing of the demo market, and lets the participants trade from what is there now. In a cluster the
   * leader alone does it, each time that another one leads. DEC-CLU-23.
   */
  start(): Promise<void>;
  /** Whether another node has opened it, so that its keys are known. @throws SeedDiffers */
  isOpen(): Promise<boolean>;
  /** Writes `demo.json` and answers what a person reads when all is ready. `clock`: one that is apart. */
  announce(addresses: SandboxAddresses, clock: ShownClock | null): Promise<string>;
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
  /** How finely the sandbox's time passes; absent: as the machine's. */
  readonly pace?: TimePace | undefined;
  readonly tell: (message: string) => void;
  /** Awaited before the participants trade. */
  readonly beforeActing?: () => Promise<void>;
  readonly onTrouble: (what: string, error: unknown) => void;
}

/**
 * Whether a simulated market is configured and its history is not complete. A cluster makes none: where it began
 * without a past, the market begins now.
 */
export const lacksHistory = async (config: Configuration, core: ExchangeCore): Promise<boolean> =>
  config.simulate && config.cluster === null && !(await hasHistory(core.queries));

/** Opens the demo market a month ago, trades that month and takes a snapshot, so that later starts replay little. */
export async function makeSandboxHistory(parts: SandboxParts): Promise<void> {
  const { config, directory, core, now, tell } = parts;
  const seed = await seedFor(parts);
  const simulation = createSimulation(parts, seed);
  await simulation.rewind(now());
  await prepareJournal(core, config.profile);
  const market = marketPorts(parts, seed);
  await openDemoMarket(market);
  await openDemoWallet(market);
  await openDemoContracts(market);
  await openDemoAccounts(market, demoAccountsOf('subAccount'));
  await simulation.seedHistory({
    now: now(),
    onProgress: ({ text, done }) => tell(`Making a market history: ${text} (${Math.round(done * 100)} %).`),
  });
  await simulation.stop();
  await core.historyWriter.flush(core.engine.seq);
  const store = new FileSnapshotStore({ files: nodeFileOperations, directory: directory.snapshots, notice: tell });
  // Nobody waits for this engine: its state is imaged as it is, where a snapshot of others replays the journal.
  await store.save(soundSnapshot(core.engine));
}

/**
 * The demo market of a process that is to open it, or that another node of its cluster opens. `givenToken`: the
 * operator token of the configuration; `null`: the sandbox makes one.
 * @throws ConfigurationRefused, SeedDiffers
 */
export async function createSandboxMarket(parts: SandboxParts, givenToken: string | null): Promise<SandboxMarket> {
  const { config, directory, core } = parts;
  const seed = await seedFor(parts);
  const market = marketPorts(parts, seed);
  const simulation = config.simulate ? createSimulation(parts, seed) : null;
  const operatorToken = givenToken ?? demoOperatorToken(seed);
  let keys: readonly DemoKey[] = peopleKeys(seed);
  let isStopped = false;
  return {
    ...{ seed, operatorToken },
    ...(simulation === null ? {} : { controls: simulation }),
    get demoKeys() {
      return keys.map(({ name, role, accessKey, secretKey }) => ({ name, role, accessKey, secretKey }));
    },
    start: async () => {
      await openDemoMarket(market);
      await openDemoWallet(market);
      await keepDemoPrices(market, { isSimulated: config.simulate, now: parts.now() });
      await openDemoContracts(market);
      keys = [...peopleKeys(seed), ...(await openDemoMembers(market))];
      await parts.beforeActing?.();
      if (!isStopped) await simulation?.start();
      // It may have been stopped on the way.
      if (isStopped) await simulation?.stop();
    },
    isOpen: async () => {
      if (!(await isMarketOpen(market))) return false;
      await requireSeedOf(market, directory);
      const members = await knownMemberKeys(market);
      if (members !== null) keys = [...peopleKeys(seed), ...members];
      return members !== null;
    },
    announce: async (addresses, clock) => {
      const demo = demoFile(keys, addresses, operatorToken);
      const demoPath = await writeDemoFile(directory.root, demo);
      const { symbols } = await core.queries.listing();
      return welcomeText({
        demo,
        demoPath,
        dataDirectory: directory.root,
        symbols: symbols.filter(({ status }) => status !== 'delisted').map(({ name }) => name),
        simulated: config.simulate,
        clock,
      });
    },
    stop: async () => {
      isStopped = true;
      await simulation?.stop();
    },
  };
}

/** The seed of this directory. A node makes none: all nodes of a cluster have the same. DEC-CLU-23. */
async function seedFor({ config, directory }: SandboxParts): Promise<string> {
  if (config.cluster !== null && config.seed === null && (await keptSeedOf(directory.root)) === null)
    throw new ConfigurationRefused([
      `${directory.root} has no seed, from which the nodes of a sandbox know its accounts: copy the file seed of ` +
        'another node into it.',
    ]);
  return seedOf(directory.root, config.seed);
}

/** @throws SeedDiffers where the market was opened with another seed */
async function requireSeedOf({ queries, seed }: DemoMarketPorts, { root }: DataDirectory): Promise<void> {
  for (const person of demoAccountsOf('person'))
    if ((await knownDemoAccount({ queries, seed }, person)) === null)
      throw new SeedDiffers(`${root} has another seed than its cluster: copy the file seed of another node into it`);
}

const marketPorts = ({ core, seal }: SandboxParts, seed: string): DemoMarketPorts => ({
  submit: (command) => core.sequencer.submit(command),
  queries: core.queries,
  seed,
  seal: ({ secret, ...owner }) => seal.seal(secret, apiKeyAssociatedData({ ...owner, keyVersion: 1 })),
});

/** Addresses of simulated chains; none where there are none, or a file of custody may replace them by real ones. */
function addressSource({ custodyFile, cluster }: Configuration, seed: string): AddressSource {
  if (custodyFile !== null || cluster !== null) return () => null;
  return (network, index) => depositAddresses(network, seed).at(index);
}

function createSimulation(
  { config, core, clock, repeat, pace, onTrouble }: SandboxParts,
  seed: string,
): MarketSimulation {
  return createMarketSimulation({
    ingress: core.sequencer,
    queries: core.queries,
    feed: core.sequencer,
    clock,
    seed,
    addressOf: addressSource(config, seed),
    repeat,
    ...(pace === undefined ? {} : { pace }),
    onTrouble: (error) => onTrouble('the simulated market', error),
  });
}
