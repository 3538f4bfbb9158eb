import type { Repeat } from '#base/clock.ts';
import { depositAddresses } from '#custody/simulated/deposit-addresses.ts';
import type { DemoKeyPair } from '#public-api/gateway-context.ts';
import type { Configuration } from '#main/configuration-schema.ts';
import type { DataDirectory } from '#main/storage/data-directory.ts';
import { prepareJournal, type ExchangeCore } from '#main/composition/exchange-core.ts';
import { apiKeyAssociatedData, type SecretSeal } from '#main/secrets/secret-seal.ts';
import { demoAccountsOf, peopleKeys } from '#sandbox/demo-accounts.ts';
import { demoOperatorToken } from '#sandbox/demo-identity.ts';
import { openDemoContracts, openDemoMarket, openDemoWallet } from '#sandbox/demo-market.ts';
import { keepDemoPrices } from '#sandbox/demo-prices.ts';
import type { DemoMarketPorts } from '#sandbox/genesis.ts';
import {
  createMarketSimulation,
  hasHistory,
  type MarketControls,
  type MarketSimulation,
} from '#sandbox/market-simulation.ts';
import { openDemoAccounts, openDemoMembers } from '#sandbox/open-demo-accounts.ts';
import type { AddressSource } from '#sandbox/retail-entry.ts';
import { demoFile, writeDemoFile, type SandboxAddresses, seedOf } from '#sandbox/sandbox-files.ts';
import type { VirtualClock } from '#sandbox/virtual-clock.ts';
import { type ShownClock, welcomeText } from '#sandbox/welcome.ts';

/** The sandbox's own part of a running exchange: demo accounts, listing and simulated market. */
export interface SandboxMarket {
  readonly seed: string;
  /** What the reference page offers. */
  readonly demoKeys: readonly DemoKeyPair[];
  /** Absent without simulated traders. */
  readonly controls?: MarketControls;
  /** Token of the operator API. */
  readonly operatorToken: string;
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
  readonly tell: (message: string) => void;
  readonly onTrouble: (what: string, error: unknown) => void;
}

/** Whether a simulated market is configured and its history is not complete. */
export const lacksHistory = async (config: Configuration, core: ExchangeCore): Promise<boolean> =>
  config.simulate && !(await hasHistory(core.queries));

/** Opens the demo market a month ago, trades that month and takes a snapshot, so that later starts replay little. */
export async function makeSandboxHistory(parts: SandboxParts): Promise<void> {
  const { config, core, now, tell } = parts;
  const seed = await seedFor(parts);
  const simulation = createSimulation(parts, seed);
  await simulation.rewind(now());
  await prepareJournal(core, config.profile);
  const market = marketPorts(parts, seed);
  await openDemoMarket(market);
  await openDemoWallet(market);
  await openDemoContracts(market);
  await openDemoAccounts(market, demoAccountsOf('subAccount'));
  let isHalfImaged = false;
  await simulation.seedHistory({
    now: now(),
    onProgress: ({ text, done }) => {
      tell(`Making a market history: ${text} (${Math.round(done * 100)} %).`);
      if (isHalfImaged || done < 0.5) return;
      // the snapshot at the end then replays the other half only
      isHalfImaged = true;
      core.snapshots.begin();
    },
  });
  await simulation.stop();
  await core.historyWriter.flush(core.engine.seq);
  core.snapshots.begin();
  await core.snapshots.whenIdle();
}

/**
 * Opens the demo market unless it exists, and starts the participants. `givenToken`: the operator token of the
 * configuration; `null`: the sandbox makes one.
 */
export async function startSandboxMarket(parts: SandboxParts, givenToken: string | null): Promise<SandboxMarket> {
  const { config, directory, core } = parts;
  const seed = await seedFor(parts);
  const market = marketPorts(parts, seed);
  await openDemoMarket(market);
  await openDemoWallet(market);
  await keepDemoPrices(market, { isSimulated: config.simulate, now: parts.now() });
  await openDemoContracts(market);
  const keys = [...peopleKeys(seed), ...(await openDemoMembers(market))];
  const simulation = config.simulate ? createSimulation(parts, seed) : null;
  await simulation?.start();
  const operatorToken = givenToken ?? demoOperatorToken(seed);
  return {
    seed,
    demoKeys: keys.map(({ name, role, accessKey, secretKey }) => ({ name, role, accessKey, secretKey })),
    operatorToken,
    ...(simulation === null ? {} : { controls: simulation }),
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
    stop: async () => simulation?.stop(),
  };
}

const seedFor = ({ config, directory }: SandboxParts): Promise<string> => seedOf(directory.root, config.seed);

const marketPorts = ({ core, seal }: SandboxParts, seed: string): DemoMarketPorts => ({
  submit: (command) => core.sequencer.submit(command),
  queries: core.queries,
  seed,
  seal: ({ secret, ...owner }) => seal.seal(secret, apiKeyAssociatedData({ ...owner, keyVersion: 1 })),
});

/** Addresses of simulated chains; none where a file of custody may replace them by real ones. */
function addressSource({ custodyFile }: Configuration, seed: string): AddressSource {
  if (custodyFile !== null) return () => null;
  return (network, index) => depositAddresses(network, seed).at(index);
}

function createSimulation({ config, core, clock, repeat, onTrouble }: SandboxParts, seed: string): MarketSimulation {
  return createMarketSimulation({
    ingress: core.sequencer,
    queries: core.queries,
    feed: core.sequencer,
    clock,
    seed,
    addressOf: addressSource(config, seed),
    repeat,
    onTrouble: (error) => onTrouble('the simulated market', error),
  });
}
