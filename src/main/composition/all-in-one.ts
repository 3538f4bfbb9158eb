import { pino, type Logger } from 'pino';
import { monotonicClock, repeatedly, wallClock } from '#base/clock.ts';
import type { WalletIds } from '#model/wallet-id.ts';
import type { GatewayContext } from '#public-api/gateway-context.ts';
import type { Health } from '#http/health-pages.ts';
import { nodeFileOperations } from '#journal/node-file-operations.ts';
import type { Configuration } from '#main/configuration-schema.ts';
import { type OpenPriceIndex, openPriceIndex } from '#main/composition/open-price-index.ts';
import { requirePlayChains } from '#main/composition/play-chains.ts';
import { readTextFile } from '#main/configuration/config.ts';
import type { ClusterNode } from '#main/cluster/cluster-node.ts';
import { openCluster } from '#main/cluster/open-cluster.ts';
import { openWebhooks } from '#main/composition/open-webhooks.ts';
import { type OpenWallet, openWallet, type WalletParts } from '#main/composition/open-wallet.ts';
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
import {
  createSandboxMarket,
  lacksHistory,
  type SandboxMarket,
  type SandboxParts,
} from '#main/composition/sandbox-market.ts';
import { type Turn, turnOf } from '#main/composition/turn-to-lead.ts';
import {
  apiKeyAssociatedData,
  createSecretSeal,
  listenKeyAssociatedData,
  type SecretSeal,
} from '#main/secrets/secret-seal.ts';
import { exchangeSources } from '#main/metrics/exchange-metrics.ts';
import { createJournalCounts } from '#main/metrics/journal-metrics.ts';
import { portsOf, requirePorts } from '#main/composition/ports.ts';
import { openSecrets } from '#main/secrets/seeded-secrets.ts';
import { openServers, type ServerContext, type Servers } from '#main/composition/servers.ts';
import { stopOnBroken } from '#main/composition/stop-on-broken.ts';
import type { StartLines } from '#main/start-lines.ts';
import { runInThread } from '#main/task-thread.ts';
import { startUpkeep } from '#main/composition/upkeep.ts';

/** What a start is given. */
export interface AllInOneOptions {
  readonly config: Configuration;
  readonly directory: DataDirectory;
  readonly version: string;
  readonly lines: StartLines;
  /** Called before anybody can be answered: what is acknowledged from then on has to be kept. */
  readonly onServing: () => void;
}

/**
 * Runs the exchange in this process until it is stopped or fails. Answers the exit code.
 * @throws PortUnavailable, ConfigurationRefused, and what opening the stores and custody throws
 */
export async function runAllInOne(options: AllInOneOptions): Promise<number> {
  const { config, directory, lines, version } = options;
  await requirePorts(portsOf(config));
  requirePlayChains(config, readTextFile);
  const log = pino({ level: config.logLevel }, process.stderr);
  const keys = loadMasterKeys({ ...config, data: directory.root });
  const operatorToken = operatorTokenOf(config);
  assertNotKnownDefault(config.host, keys);
  const seal = createSecretSeal(keys);
  const onTrouble = (what: string, error: unknown): void => log.error({ err: error }, `${what} failed`);
  const stop = waitForStop(log, lines);
  const time = await openExchangeTime({ config, root: directory.root, tell: lines.tell, onTrouble });
  const { clock, virtual, present, repeat, looks, watch } = time;
  const journal = createJournalCounts();
  const { tell } = lines;
  const ending = { onEnded: stop.failed, onAsked: stop.stepDown };
  const cluster = openCluster({ config, keys, build: version, tell, onTrouble, ...ending });
  void stop.asked.then(() => cluster?.stopFollowing());
  const called = { tell, onTrouble, onBroken: stopOnBroken(directory, version, cluster), onFatal: stop.failed };
  const machine = { files: nodeFileOperations, clock: monotonicClock };
  const core = await openWithHistory(
    { ...{ config, directory, cluster, machine, clock }, ...called, entryTime: time.entryTime, onDurable: journal.add },
    { version, startAt: time.startAt },
  );
  const led = core.led.then(async () => prepareJournal(core, config.profile, await cluster?.newestRules()));
  led.catch(stop.failed);
  const turn = turnOf({ isAlone: cluster === undefined, stopped: stop.asked, onTrouble });
  if (!(await turn.isDone(led, () => isPrepared(core)))) {
    await core.close();
    return stop.asked;
  }
  const walletIds = await openIds(core, seal, config);
  const sandbox = { config, directory, core, seal, now: () => present.now(), repeat, tell: lines.tell, onTrouble };
  const market = virtual === null ? null : await createMarketOrClose({ ...sandbox, clock: virtual }, operatorToken);
  if (market !== null && !(await isMarketThere(market, { led, turn, core }))) return stop.asked;
  const notice = (message: string): void => log.warn(message);
  const seed = cluster === undefined ? (market?.seed ?? null) : null;
  const wallet = await openWalletOrClose({ ...sandbox, clock, looks, seed, notice }, market);
  const index = openPriceIndex({ config, core, clock, repeat, onTrouble });
  const webhooks = openWebhooks({ config, core, seal, clock, onTrouble });
  let isAnnounced = false;
  const context = {
    ...gatewayContext(options, core, seal, log, clock),
    walletIds,
    ...wallet,
    ...index,
    demoKeys: market?.demoKeys,
    marketControls: market?.controls,
    clockControls: time.controls,
    ...readinessOf(core, cluster, () => isAnnounced),
    ...{ reads: cluster?.reads, signatures: cluster?.signatures },
    rootToken: market?.operatorToken ?? operatorToken,
    webhooks: webhooks.controls,
    metricSources: exchangeSources({ config, directory, core, wallet, webhooks, journal, clock, watch, cluster }),
  };
  options.onServing();
  const servers = await openServers(config, context, core.sequencer);
  const ends = [watch.start(repeatedly, () => core.engine.at)];
  // Whatever acts by itself does so at the leader alone.
  for (const workers of [wallet, index, webhooks]) led.then(workers.start, () => {});
  ends.push(time.start(), startUpkeep({ config, core, repeat: repeatedly, onTrouble }));
  await tellReady(lines, market, servers.addresses, time);
  isAnnounced = true;

  const code = await stop.asked;
  for (const end of ends.reverse()) end();
  if (!stop.isOrderly()) return code;
  lines.tell('Stopping: finishing what is in flight.');
  return closedWithin(config.shutdownSeconds, code, async () => {
    await market?.stop();
    await servers.close();
    await webhooks.stop();
    await index.close();
    await wallet.close();
    await core.close();
  });
}

/** Whether clients may come, and what is known of why not. DEC-CLU-18. */
function readinessOf(
  { sequencer }: ExchangeCore,
  cluster: ClusterNode | undefined,
  isAnnounced: () => boolean,
): Required<Pick<Health, 'isReady' | 'whyNotReady'>> {
  const whyNotReady = (): string | null => (isAnnounced() ? (cluster?.trouble() ?? null) : null);
  return { isReady: () => isAnnounced() && sequencer.isOpen && whyNotReady() === null, whyNotReady };
}

/** Whether the journal tells of what exchange it is. */
const isPrepared = ({ engine: { state } }: ExchangeCore): boolean =>
  state.profile.value !== null && state.idKey.value !== null;

/**
 * Resolves with true once the demo market is there, opened by this process or by the leader of its cluster; with false
 * where it is to stop before that. Whenever this process comes to lead, it lets the traders act.
 */
async function isMarketThere(
  market: SandboxMarket,
  { led, turn, core }: { readonly led: Promise<void>; readonly turn: Turn; readonly core: ExchangeCore },
): Promise<boolean> {
  const started = led.then(() => turn.atLast('opening the demo market', market.start));
  let isThere = false;
  try {
    isThere = await turn.isDone(started, market.isOpen);
  } finally {
    if (!isThere) {
      await market.stop();
      await core.close();
    }
  }
  return isThere;
}

/** Resolves with the code when all is closed, with 1 when that takes too long. */
function closedWithin(seconds: number, code: number, close: () => Promise<void>): Promise<number> {
  const tooLate = new Promise<number>((resolve) => {
    setTimeout(() => resolve(1), seconds * 1000).unref();
  });
  return Promise.race([close().then(() => code), tooLate]);
}

/** As `openWallet`; stops the market and closes the core where it is refused. */
const openWalletOrClose = (parts: WalletParts, market: SandboxMarket | null): Promise<OpenWallet> =>
  openWallet(parts).catch(async (error: unknown) => {
    await market?.stop();
    await parts.core.close();
    throw error;
  });

/** As `createSandboxMarket`; closes the core where it is refused. */
const createMarketOrClose = (parts: SandboxParts, token: string | null): Promise<SandboxMarket> =>
  createSandboxMarket(parts, token).catch(async (error: unknown) => {
    await parts.core.close();
    throw error;
  });

/** As `openWalletIds`; closes the core where it is refused. */
const openIds = (core: ExchangeCore, ...rest: [SecretSeal, Configuration]): Promise<WalletIds> =>
  openWalletIds(core, ...rest).catch(async (error: unknown) => {
    await core.close();
    throw error;
  });

/** Tells that all is ready: people in full, programs without the keys, which `demo.json` has for them. */
async function tellReady(
  { isForPeople, tell }: StartLines,
  market: SandboxMarket | null,
  addresses: Servers['addresses'],
  { apart, clock }: ExchangeTime,
): Promise<void> {
  if (market === null) {
    tell(`Bourse is ready: ${addresses.baseUrl}`, addresses);
    return;
  }
  const shownClock = apart === null ? null : { mode: apart, now: clock.now() };
  const welcome = await market.announce(addresses, shownClock);
  tell(isForPeople ? welcome : 'Bourse sandbox is ready.', { ...addresses, clock: shownClock });
}

/** Opens the core, after making the history of the simulated market if it is missing. */
async function openWithHistory(
  options: CoreOptions,
  rest: Pick<HistoryTask, 'version' | 'startAt'>,
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
  return openExchangeCore(options);
}

/** When a process ends, and how. */
interface Stop {
  /** Resolves with the exit code: 0 when the process is asked to stop, else 1. */
  readonly asked: Promise<number>;
  /** Whether it finishes what is on its way. */
  readonly isOrderly: () => boolean;
  /** Nothing can be acknowledged any more. */
  readonly failed: (error: Error) => void;
  /** As `asked`, but whoever supervises the process has to start it again. DEC-CLU-16. */
  readonly stepDown: () => void;
}

function waitForStop(log: Logger, { isForPeople, fail, tell }: StartLines): Stop {
  let resolveCode: (code: number) => void = () => {};
  let isOver = false;
  let isOrderly = true;
  const asked = new Promise<number>((resolve) => {
    resolveCode = resolve;
  });
  const end = (code: number, orderly = true): void => {
    if (!isOver) isOrderly = orderly;
    isOver = true;
    resolveCode(code);
  };
  process.once('SIGTERM', () => end(0));
  process.once('SIGINT', () => end(0));
  return {
    asked,
    isOrderly: () => isOrderly,
    failed: (error) => {
      if (isForPeople) fail(error.message);
      log.fatal({ err: error }, 'nothing can be acknowledged any more: stopping, so that recovery can read back');
      end(1, false);
    },
    stepDown: () => {
      if (!isOver) tell('Stepping down: another node is to lead.');
      end(1);
    },
  };
}

function gatewayContext(
  { config, directory, version }: AllInOneOptions,
  core: ExchangeCore,
  seal: SecretSeal,
  log: Logger,
  clock: GatewayContext['clock'],
): Omit<
  ServerContext,
  | 'metricSources'
  | 'webhooks'
  | 'walletIds'
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
    wall: wallClock,
    settings: config,
    unseal: (key, uid) => seal.unseal(key.sealedSecret, apiKeyAssociatedData({ ...key, uid, keyVersion: 1 })),
    sealApiKey: (secret, rights) => seal.seal(secret, apiKeyAssociatedData({ ...rights, keyVersion: 1 })),
    listenKeySeal: {
      seal: (listenKey, uid) => seal.seal(listenKey, listenKeyAssociatedData(uid)),
      unseal: (sealed, uid) => seal.unseal(sealed, listenKeyAssociatedData(uid)),
    },
    newSecret: openSecrets(config, directory),
    log,
    version: { name: 'bourse', version },
  };
}
