import type { Logger } from 'pino';
import { monotonicClock, repeatedly, wallClock } from '#base/clock.ts';
import type { GatewayContext } from '#public-api/gateway-context.ts';
import type { Health } from '#http/health-pages.ts';
import type { FileOperations } from '#journal/file-operations.ts';
import { nodeFileOperations, temporaryFileOperations } from '#journal/node-file-operations.ts';
import type { Configuration } from '#main/configuration-schema.ts';
import { openBackups } from '#main/backup/open-backups.ts';
import { type OpenPriceIndex, openPriceIndex } from '#main/composition/open-price-index.ts';
import { requirePlayChains } from '#main/composition/play-chains.ts';
import { readTextFile } from '#main/configuration/config.ts';
import type { ClusterNode } from '#main/cluster/cluster-node.ts';
import { openCluster } from '#main/cluster/open-cluster.ts';
import { openWebhooks } from '#main/composition/open-webhooks.ts';
import { openWallet } from '#main/composition/open-wallet.ts';
import type { DataDirectory } from '#main/storage/data-directory.ts';
import { requireProfile } from '#main/composition/require-profile.ts';
import {
  type CoreOptions,
  type ExchangeCore,
  prepareJournal,
  openExchangeCore,
} from '#main/composition/exchange-core.ts';
import { type ExchangeTime, openExchangeTime } from '#main/composition/exchange-time.ts';
import { openWalletIds } from '#main/secrets/id-key.ts';
import { assertNotKnownDefault, loadMasterKeys } from '#main/secrets/master-key.ts';
import { operatorTokenOf } from '#main/secrets/operator-token.ts';
import type { HistoryTask } from '#main/sandbox-history-worker.ts';
import { createSandboxMarket, lacksHistory, type SandboxMarket } from '#main/composition/sandbox-market.ts';
import { type Turn, turnOf } from '#main/composition/turn-to-lead.ts';
import {
  apiKeyAssociatedData,
  createSecretSeal,
  listenKeyAssociatedData,
  type SecretSeal,
} from '#main/secrets/secret-seal.ts';
import { exchangeSources } from '#main/metrics/exchange-metrics.ts';
import { createJournalCounts, type JournalCounts } from '#main/metrics/journal-metrics.ts';
import { portsOf, requirePorts } from '#main/composition/ports.ts';
import { openSecrets } from '#main/secrets/seeded-secrets.ts';
import { type CopiedMoment, copyExchange } from '#main/states/copy-exchange.ts';
import { raiseAsNoted } from '#main/states/raise-numbers.ts';
import { type GivenNumbers, givenNumbersOf } from '#engine/accounts/given-numbers.ts';
import type { StateControls } from '#sandbox/kept-states.ts';
import { type Closing, Ends } from '#main/composition/ends.ts';
import { openServers, type ServerContext } from '#main/composition/servers.ts';
import { stopOnBroken } from '#main/composition/stop-on-broken.ts';
import { runInThread } from '#main/task-thread.ts';
import { startUpkeep } from '#main/composition/upkeep.ts';
import type { SandboxAddresses } from '#sandbox/sandbox-files.ts';
import type { ShownClock } from '#sandbox/welcome.ts';

/** What an exchange is opened with. */
export interface ExchangeOptions {
  readonly config: Configuration;
  readonly directory: DataDirectory;
  readonly version: string;
  /** Path of the configuration file, for backups; absent or `null`: none was named. */
  readonly configurationFile?: string | null;
  /** Tells what happens. */
  readonly tell: (message: string) => void;
  readonly log: Logger;
  /** Called before anybody can be answered: what is acknowledged from then on has to be kept. */
  readonly onServing: () => void;
  /** Called when nothing can be acknowledged any more: the next opening recovers. */
  readonly onFailed: (error: Error) => void;
  /** Called when another node of its cluster is to lead. DEC-CLU-16. */
  readonly onStepDown: () => void;
  /** Resolves when it is not to be opened any more, nor to lead. */
  readonly stopped: Promise<unknown>;
  /** Nobody needs its directory after the process: it never waits for the disk. DEC-KIT-38. */
  readonly isTemporary?: boolean;
  /** States of a sandbox; absent: it has none. */
  readonly states?: StateControls;
  /** Called when the history of a simulated market was made, before the exchange is opened with it. */
  readonly onHistoryMade?: () => Promise<void>;
}

/** An exchange that runs in this process, perhaps beside others. */
export interface RunningExchange {
  readonly addresses: SandboxAddresses;
  /** What a person reads of a sandbox that is ready; `null` in production. */
  readonly welcome: string | null;
  /** A clock that is apart from the machine's; `null`: it is the machine's. */
  readonly clock: ShownClock | null;
  /** Copies what it is behind one entry into an empty folder. */
  copyTo(folder: string): Promise<CopiedMoment>;
  /** What clients saw of its numbers; also once it is closed. */
  numbers(): GivenNumbers;
  /** Its last entry. */
  moment(): CopiedMoment;
  /**
   * Takes no more requests, finishes what is in flight, and closes everything: nothing of it is left in the process.
   */
  close(how?: Closing): Promise<void>;
}

/**
 * Opens an exchange in this process: recovers it, listens, and lets its workers act. Resolves with `null` where it was
 * stopped before that. Whether it is opened or not, `close` or the failure leaves nothing in the process: neither
 * timers nor threads, sockets or open files.
 * @throws PortUnavailable, ConfigurationRefused, and what opening the stores and custody throws
 */
export async function openExchange(options: ExchangeOptions): Promise<RunningExchange | null> {
  const ends = new Ends();
  try {
    const opened = await open(options, ends);
    if (opened === null) await ends.close();
    return opened;
  } catch (error) {
    await ends.abandon();
    throw error;
  }
}

/** As `openExchange`; adds to `ends` what it opened, also where it throws. */
async function open(options: ExchangeOptions, ends: Ends): Promise<RunningExchange | null> {
  const { config, directory, tell, log, version } = options;
  await requirePorts(portsOf(config));
  requirePlayChains(config, readTextFile);
  const { keys, operatorToken, seal } = openKeys(options);
  const onTrouble = (what: string, error: unknown): void => log.error({ err: error }, `${what} failed`);
  const time = await openExchangeTime({ config, root: directory.root, tell, onTrouble });
  const { clock, virtual, present, repeat, pace, looks, watch } = time;
  const journal = createJournalCounts();
  const ending = { onEnded: options.onFailed, onAsked: options.onStepDown };
  const cluster = openCluster({ config, keys, build: version, tell, onTrouble, ...ending });
  void options.stopped.then(() => cluster?.stopFollowing());
  const core = await openCore(options, time, { cluster, journal, onTrouble });
  ends.push(core.close);
  const led = core.led.then(async () => prepareJournal(core, config.profile, await cluster?.newestRules()));
  led.catch(options.onFailed);
  const turn = turnOf({ isAlone: cluster === undefined, stopped: options.stopped, onTrouble });
  if (!(await turn.isDone(led, () => isPrepared(core)))) return null;
  const walletIds = await openWalletIds(core, seal, config);
  const beforeActing = (): Promise<void> => raiseAsNoted(core, directory);
  const sandbox = { config, directory, core, seal, now: present.now, repeat, pace, tell, onTrouble, beforeActing };
  const market = virtual === null ? null : await createSandboxMarket({ ...sandbox, clock: virtual }, operatorToken);
  if (market !== null) {
    ends.push(market.stop);
    if (!(await isMarketThere(market, led, turn))) return null;
  }
  const seed = cluster === undefined ? (market?.seed ?? null) : null;
  const wallet = await openWallet({ ...sandbox, clock, looks, seed, notice: (message) => log.warn(message) });
  ends.push(wallet.close);
  const index = openPriceIndex({ config, core, clock, repeat, onTrouble });
  ends.push(index.close);
  const webhooks = openWebhooks({ config, core, seal, clock, looks, onTrouble });
  ends.push(webhooks.stop);
  const backups = openBackups({ ...options, configurationFile: options.configurationFile ?? null, wall: wallClock });
  if (backups !== null) ends.push(() => backups.stop());
  let isReady = false;
  const context = {
    ...gatewayContext(options, core, seal, clock),
    ...{ wall: virtual ?? wallClock, windows: looks, walletIds },
    ...wallet,
    ...index,
    demoKeys: market?.demoKeys,
    marketControls: market?.controls,
    clockControls: time.controls,
    ...readinessOf(core, cluster, () => isReady),
    ...{ reads: cluster?.reads, signatures: cluster?.signatures, limitsOfAll: cluster?.limits },
    rootToken: market?.operatorToken ?? operatorToken,
    ...{ webhooks: webhooks.controls, backups },
    metricSources: exchangeSources({ config, directory, core, wallet, webhooks, journal, clock, watch, cluster }),
  };
  options.onServing();
  const { addresses, close } = await openServers(config, context, core.sequencer);
  ends.push(() => close(ends));
  // It acts no more while the others finish what is in flight.
  if (market !== null) ends.push(market.stop);
  ends.push(watch.start(repeatedly, () => core.engine.at));
  // Whatever acts by itself does so at the leader alone.
  for (const workers of [wallet, index, webhooks]) led.then(workers.start, () => {});
  ends.push(time.start(), startUpkeep({ config, core, repeat: repeatedly, onTrouble }));
  const shown = time.shown();
  const welcome = (await market?.announce(addresses, shown)) ?? null;
  isReady = true;
  return { addresses, welcome, clock: shown, ...contentOf(core, options), close: (how) => ends.close(how) };
}

/** What is asked of an exchange for its states. */
const contentOf = (core: ExchangeCore, options: ExchangeOptions) => ({
  copyTo: (folder: string) => copyExchange(core, options.directory, folder, filesOf(options)),
  numbers: () => givenNumbersOf(core.engine.state),
  moment: () => ({ lastEntry: core.engine.seq, exchangeTime: core.engine.at }),
});

/** The disk, as far as anybody needs it after the process. */
export const filesOf = ({ isTemporary = false }: Pick<ExchangeOptions, 'isTemporary'>): FileOperations =>
  isTemporary ? temporaryFileOperations : nodeFileOperations;

/** Opens the core of this start, with a history where it is to have one. */
function openCore(
  options: ExchangeOptions,
  { clock, entryTime, startAt }: ExchangeTime,
  parts: Pick<CoreOptions, 'cluster' | 'onTrouble'> & { readonly journal: JournalCounts },
): Promise<ExchangeCore> {
  const { config, directory, version, tell, isTemporary, onFailed: onFatal } = options;
  const { cluster, onTrouble, journal } = parts;
  const machine = { files: filesOf(options), clock: monotonicClock };
  const onBroken = stopOnBroken(directory, version, cluster);
  const called = { tell, onTrouble, onBroken, onFatal, entryTime, onDurable: journal.add };
  const rest = { version, startAt };
  const core = { config, directory, cluster, machine, clock, isTemporary, ...called };
  return openWithHistory(core, rest, options.onHistoryMade);
}

/** What opens secrets, and what opens the operator API. */
function openKeys({ config, directory }: ExchangeOptions) {
  const keys = loadMasterKeys({ ...config, data: directory.root });
  const operatorToken = operatorTokenOf(config);
  assertNotKnownDefault(config.host, keys);
  return { keys, operatorToken, seal: createSecretSeal(keys) };
}

/** Whether clients may come, and what is known of why not. DEC-CLU-18. */
function readinessOf(
  { sequencer }: ExchangeCore,
  cluster: ClusterNode | undefined,
  isOpen: () => boolean,
): Required<Pick<Health, 'isReady' | 'whyNotReady'>> {
  const whyNotReady = (): string | null => (isOpen() ? (cluster?.trouble() ?? null) : null);
  return { isReady: () => isOpen() && sequencer.isOpen && whyNotReady() === null, whyNotReady };
}

/** Whether the journal tells of what exchange it is. */
const isPrepared = ({ engine: { state } }: ExchangeCore): boolean =>
  state.profile.value !== null && state.idKey.value !== null;

/**
 * Resolves with true once the demo market is there, opened by this process or by the leader of its cluster; with false
 * where it is to stop before that. Whenever this process comes to lead, it lets the traders act.
 */
const isMarketThere = (market: SandboxMarket, led: Promise<void>, turn: Turn): Promise<boolean> =>
  turn.isDone(
    led.then(() => turn.atLast('opening the demo market', market.start)),
    market.isOpen,
  );

/** Opens the core, after making the history of the simulated market if it is missing. */
async function openWithHistory(
  options: CoreOptions,
  rest: Pick<HistoryTask, 'version' | 'startAt'>,
  onMade: () => Promise<void> = async () => {},
): Promise<ExchangeCore> {
  const { config, directory, tell } = options;
  const core = await openExchangeCore(options);
  try {
    requireProfile(core, config.profile, directory);
  } catch (error) {
    await core.close();
    throw error;
  }
  if (!(await lacksHistory(config, core))) return core;
  await core.close();
  await runInThread<HistoryTask>('sandbox-history', { config, directory, ...rest }, tell);
  await onMade();
  return openExchangeCore(options);
}

function gatewayContext(
  { config, directory, version, log, states }: ExchangeOptions,
  core: ExchangeCore,
  seal: SecretSeal,
  clock: GatewayContext['clock'],
): Omit<
  ServerContext,
  | 'metricSources'
  | 'webhooks'
  | 'backups'
  | 'walletIds'
  | 'wall'
  | 'isReady'
  | 'rootToken'
  | 'custody'
  | 'payingState'
  | keyof OpenPriceIndex
> {
  return {
    ingress: core.sequencer,
    queries: core.queries,
    market: core.market,
    contracts: core.contracts,
    history: core.history,
    awaitHistory: (upTo) => core.historyWriter.flush(upTo),
    clock,
    monotonic: monotonicClock,
    settings: config,
    unseal: (key, uid) => seal.unseal(key.sealedSecret, apiKeyAssociatedData({ ...key, uid, keyVersion: 1 })),
    sealApiKey: (secret, rights) => seal.seal(secret, apiKeyAssociatedData({ ...rights, keyVersion: 1 })),
    listenKeySeal: {
      seal: (listenKey, uid) => seal.seal(listenKey, listenKeyAssociatedData(uid)),
      unseal: (sealed, uid) => seal.unseal(sealed, listenKeyAssociatedData(uid)),
    },
    newSecret: openSecrets(config, directory),
    ...(states === undefined ? {} : { states }),
    log,
    version: { name: 'bourse', version },
  };
}
