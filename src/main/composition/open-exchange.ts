import type { Logger } from 'pino';
import { monotonicClock, repeatedly, wallClock } from '#base/clock.ts';
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
import { openWallet } from '#main/composition/open-wallet.ts';
import type { DataDirectory } from '#main/storage/data-directory.ts';
import { requireProfile } from '#main/composition/require-profile.ts';
import {
  type CoreOptions,
  type ExchangeCore,
  prepareJournal,
  openExchangeCore,
} from '#main/composition/exchange-core.ts';
import { openExchangeTime } from '#main/composition/exchange-time.ts';
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
import { createJournalCounts } from '#main/metrics/journal-metrics.ts';
import { portsOf, requirePorts } from '#main/composition/ports.ts';
import { openSecrets } from '#main/secrets/seeded-secrets.ts';
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
}

/** An exchange that runs in this process, perhaps beside others. */
export interface RunningExchange {
  readonly addresses: SandboxAddresses;
  /** What a person reads of a sandbox that is ready; `null` in production. */
  readonly welcome: string | null;
  /** A clock that is apart from the machine's; `null`: it is the machine's. */
  readonly clock: ShownClock | null;
  /** Takes no more requests, finishes what is in flight, and closes everything: the process has nothing of it left. */
  close(): Promise<void>;
}

/** What ends something that was opened. */
type End = () => unknown;

/**
 * Opens an exchange in this process: recovers it, listens, and lets its workers act. Resolves with `null` where it was
 * stopped before that. Whether it is opened or not, `close` or the failure leaves nothing in the process: neither
 * timers nor threads, sockets or open files.
 * @throws PortUnavailable, ConfigurationRefused, and what opening the stores and custody throws
 */
export async function openExchange(options: ExchangeOptions): Promise<RunningExchange | null> {
  const ends: End[] = [];
  try {
    const opened = await open(options, ends);
    if (opened === null) await closeAll(ends);
    return opened;
  } catch (error) {
    // Why it was not opened is to be told, not what fails then.
    await closeAll(ends, () => undefined);
    throw error;
  }
}

/** Ends what was opened, the last one first. */
async function closeAll(ends: End[], onError?: (error: unknown) => void): Promise<void> {
  for (const end of ends.splice(0).reverse()) {
    try {
      await end();
    } catch (error) {
      if (onError === undefined) throw error;
      onError(error);
    }
  }
}

/** As `openExchange`; adds to `ends` what it opened, also where it throws. */
async function open(options: ExchangeOptions, ends: End[]): Promise<RunningExchange | null> {
  const { config, directory, tell, log, version } = options;
  await requirePorts(portsOf(config));
  requirePlayChains(config, readTextFile);
  const { keys, operatorToken, seal } = openKeys(options);
  const onTrouble = (what: string, error: unknown): void => log.error({ err: error }, `${what} failed`);
  const time = await openExchangeTime({ config, root: directory.root, tell, onTrouble });
  const { clock, virtual, present, repeat, looks, watch } = time;
  const journal = createJournalCounts();
  const ending = { onEnded: options.onFailed, onAsked: options.onStepDown };
  const cluster = openCluster({ config, keys, build: version, tell, onTrouble, ...ending });
  void options.stopped.then(() => cluster?.stopFollowing());
  const onBroken = stopOnBroken(directory, version, cluster);
  const machine = { files: nodeFileOperations, clock: monotonicClock };
  const core = await openWithHistory(
    {
      ...{ config, directory, cluster, machine, clock, tell, onTrouble, onBroken },
      ...{ onFatal: options.onFailed, entryTime: time.entryTime, onDurable: journal.add },
    },
    { version, startAt: time.startAt },
  );
  ends.push(core.close);
  const led = core.led.then(async () => prepareJournal(core, config.profile, await cluster?.newestRules()));
  led.catch(options.onFailed);
  const turn = turnOf({ isAlone: cluster === undefined, stopped: options.stopped, onTrouble });
  if (!(await turn.isDone(led, () => isPrepared(core)))) return null;
  const walletIds = await openWalletIds(core, seal, config);
  const sandbox = { config, directory, core, seal, now: () => present.now(), repeat, tell, onTrouble };
  const market = virtual === null ? null : await createSandboxMarket({ ...sandbox, clock: virtual }, operatorToken);
  if (market !== null) {
    ends.push(market.stop);
    if (!(await isMarketThere(market, led, turn))) return null;
  }
  const notice = (message: string): void => log.warn(message);
  const seed = cluster === undefined ? (market?.seed ?? null) : null;
  const wallet = await openWallet({ ...sandbox, clock, looks, seed, notice });
  ends.push(wallet.close);
  const index = openPriceIndex({ config, core, clock, repeat, onTrouble });
  ends.push(index.close);
  const webhooks = openWebhooks({ config, core, seal, clock, onTrouble });
  ends.push(webhooks.stop);
  let isReady = false;
  const context = {
    ...gatewayContext(options, core, seal, clock),
    walletIds,
    ...wallet,
    ...index,
    demoKeys: market?.demoKeys,
    marketControls: market?.controls,
    clockControls: time.controls,
    ...readinessOf(core, cluster, () => isReady),
    ...{ reads: cluster?.reads, signatures: cluster?.signatures, limitsOfAll: cluster?.limits },
    rootToken: market?.operatorToken ?? operatorToken,
    webhooks: webhooks.controls,
    metricSources: exchangeSources({ config, directory, core, wallet, webhooks, journal, clock, watch, cluster }),
  };
  options.onServing();
  const { addresses, close } = await openServers(config, context, core.sequencer);
  ends.push(close);
  // It acts no more while the others finish what is in flight.
  if (market !== null) ends.push(market.stop);
  ends.push(watch.start(repeatedly, () => core.engine.at));
  // Whatever acts by itself does so at the leader alone.
  for (const workers of [wallet, index, webhooks]) led.then(workers.start, () => {});
  ends.push(time.start(), startUpkeep({ config, core, repeat: repeatedly, onTrouble }));
  const shownClock = time.apart === null ? null : { mode: time.apart, now: clock.now() };
  const welcome = (await market?.announce(addresses, shownClock)) ?? null;
  isReady = true;
  return { addresses, welcome, clock: shownClock, close: () => closeAll(ends) };
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

function gatewayContext(
  { config, directory, version, log }: ExchangeOptions,
  core: ExchangeCore,
  seal: SecretSeal,
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
