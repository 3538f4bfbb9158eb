import { setTimeout } from 'node:timers/promises';
import { type Clock, machineTimer, wallClock } from '#base/clock.ts';
import type { Entry } from '#model/command.ts';
import { noopSink } from '#model/event-record.ts';
import type { EventSink } from '#model/events.ts';
import type { Profile } from '#model/profile.ts';
import { newestRules } from '#model/rules.ts';
import type { Epoch, Seq, TimestampMs } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { StateMachine } from '#engine/create-engine.ts';
import type { HistoryStore } from '#history/history-store.ts';
import { type ExchangeQueries, exchangeQueries } from '#sequencer/queries/exchange-queries.ts';
import { type DurableBatch, FileJournal } from '#journal/file-journal.ts';
import type { FileOperations } from '#journal/file-operations.ts';
import { FileSnapshotStore } from '#journal/file-snapshot-store.ts';
import { OwnSegments } from '#journal/own-segments.ts';
import { type CutTail, cutBrokenTail, epochAfter, recordCut } from '#main/storage/broken-tail.ts';
import { ClusterIngress } from '#cluster/cluster-ingress.ts';
import type { ClusterNode } from '#main/cluster/cluster-node.ts';
import { clusterBatchBytes, type Lead } from '#main/cluster/replica.ts';
import { StandbyStopped } from '#main/cluster/await-quorum.ts';
import type { Ground } from '#main/cluster/join-cluster.ts';
import { recordVoided, takeOutOf } from '#main/cluster/voided-entries.ts';
import type { EntryTime } from '#main/composition/clock-watch.ts';
import type { Configuration } from '#main/configuration-schema.ts';
import { type CopiedHistory, openHistory } from '#main/composition/open-history.ts';
import { damageOf, isDamageNoted, setHistoryAside } from '#main/storage/damaged-history.ts';
import type { DataDirectory } from '#main/storage/data-directory.ts';
import { type DiskSpace, watchDisk } from '#main/storage/disk-watch.ts';
import { requireAlone } from '#main/storage/membership.ts';
import { releaseOldEntries } from '#main/storage/journal-retention.ts';
import { everyTenth } from '#sequencer/recovery.ts';
import type { SnapshotTask } from '#main/snapshot-worker.ts';
import { compressInThread, runInThread } from '#main/task-thread.ts';
import { type ContractDataProjection, createContractData } from '#market-data/contracts/contract-data.ts';
import { startHistoryWriter, type HistoryWriter } from '#history/collectors/history-writer.ts';
import { createMarketData, type MarketDataProjection } from '#market-data/market-data.ts';
import { journalOriginOf } from '#sandbox/demo-identity.ts';
import { createFanOut } from '#sequencer/event-feed.ts';
import { replay, requireKnownRules, restoreNewest } from '#sequencer/recovery.ts';
import { Sequencer } from '#sequencer/sequencer.ts';
import { SnapshotSchedule } from '#sequencer/snapshot-schedule.ts';

/** Everything between the disk and the gateways, recovered and running. */
export interface ExchangeCore {
  readonly engine: StateMachine;
  /** Where commands go, and what tells events: the own sequencer, or the way to the leader of a cluster. */
  readonly sequencer: Sequencer | ClusterIngress;
  /** Resolves once this process takes commands by itself; a node of a cluster that is not elected never does. */
  readonly led: Promise<void>;
  readonly queries: ExchangeQueries;
  readonly market: MarketDataProjection;
  readonly contracts: ContractDataProjection;
  readonly history: CopiedHistory;
  readonly historyWriter: HistoryWriter;
  readonly snapshots: SnapshotSchedule;
  /** Space on the disk of the data directory. */
  readonly diskSpace: () => DiskSpace | null;
  /** Finishes what is in flight, flushes every store and closes them. */
  close(): Promise<void>;
}

/** Configuration, machine and callbacks of the core. */
export interface CoreOptions {
  readonly config: Configuration;
  readonly directory: DataDirectory;
  readonly clock: Clock;
  /** The clock watch, started at the last entry's time; without it `clock` is used and orders are never stopped. */
  readonly entryTime?: (lastEntryAt: TimestampMs) => EntryTime;
  /** Disk of the journal, and clock of the snapshot schedule. */
  readonly machine: { readonly files: FileOperations; readonly clock: Clock };
  /** Prints a message on the terminal. */
  readonly tell: (message: string) => void;
  readonly onFatal: (error: Error) => void;
  /** Called inside the failing `apply`, see `SequencerParts.onBroken`. */
  readonly onBroken: (entry: Entry, error: Error) => void;
  readonly onTrouble: (what: string, error: unknown) => void;
  /** Told of each batch that became durable. */
  readonly onDurable?: (batch: DurableBatch) => void;
  /**
   * A month is traded in seconds and nobody asks: no market data is kept, and history is stored in large batches.
   */
  readonly isMakingHistory?: boolean;
  /**
   * Nobody needs the directory after the process: history is kept by this thread where it is small, which saves a
   * thread and its memory.
   */
  readonly isTemporary?: boolean | undefined;
  /** The cluster that this process is a node of; absent: it is by itself. */
  readonly cluster?: ClusterNode | undefined;
}

/** History contains entries that the journal does not: they are of different exchanges or times. */
export class JournalBehindHistory extends Error {
  override name = 'JournalBehindHistory';
  constructor(watermark: Seq, last: Seq) {
    super(
      `history.db knows entry ${watermark}, but the journal ends at entry ${last}: one of them is from another time; ` +
        'put both back from one backup, or remove history.db and run: bourse rebuild-history',
    );
  }
}

/** Pause before a leader tries again to record what it voided. */
const recordAgainMs = 100;
/** Batches of history while a month of it is made: the fewer, the less is written twice. */
const monthBatches = { batchRows: 20_000, batchRowsMax: 40_000, batchDelayMs: 2_000 };
/** Entries replayed between checks of the history queue. */
const replayStep = 200_000;

const openJournal = (
  { config, directory, machine, tell, onDurable }: CoreOptions,
  ground: Ground | null,
): Promise<FileJournal> =>
  FileJournal.open({
    files: machine.files,
    directory: directory.journal,
    heldPaths: [directory.root],
    segmentSize: config.journalSegmentMib << 20,
    notice: tell,
    onDurable,
    compress: compressInThread,
    ...(config.seed === null ? {} : { origin: journalOriginOf(config.seed) }),
    ...(ground === null ? {} : { origin: ground.origin, isFollowing: true }),
  });

interface Recovered {
  readonly engine: StateMachine;
  /** Called with the progress of the replay. */
  readonly progress: (at: Seq) => void;
}

/** The engine's state at an entry, from the newest snapshot and the journal after it. */
async function recoverEngine(
  { tell }: CoreOptions,
  journal: FileJournal,
  store: FileSnapshotStore,
  at: Seq,
): Promise<Recovered> {
  const engine = await restoreNewest(journal, store, { atMost: at, notice: tell });
  const progress = everyTenth(engine.seq, journal.last(), tell);
  await replay(engine, journal, noopSink, progress, at);
  return { engine, progress };
}

/** Replays to entry `end`, with events to `sink`. */
async function replayRest(
  journal: FileJournal,
  { engine, progress }: Recovered,
  sink: EventSink,
  historyWriter: HistoryWriter,
  end: Seq,
): Promise<void> {
  while (engine.seq < end) {
    const upTo = as<Seq>(Math.min(engine.seq + replayStep, end));
    await replay(engine, journal, sink, progress, upTo, () => historyWriter.abandon());
    // Replay is faster than the disk: wait before the queue of history overflows.
    if (!historyWriter.hasRoom()) await historyWriter.flush(engine.seq);
  }
}

/** Applies what a follower gets, with events to `sink`. */
const applyTo =
  ({ onBroken }: CoreOptions, engine: StateMachine, sink: EventSink, historyWriter: HistoryWriter) =>
  async (entries: readonly Entry[]): Promise<void> => {
    for (const entry of entries) {
      requireKnownRules(entry);
      try {
        engine.apply(entry, sink);
      } catch (error) {
        onBroken(entry, error as Error);
        throw error;
      }
    }
    if (!historyWriter.hasRoom()) await historyWriter.flush(engine.seq);
  };

/** Something that has to be closed if opening the rest fails. */
interface Closable {
  close(): Promise<void>;
}

/**
 * Opens the stores of a data directory, recovers the state and accepts commands. A damaged history is moved aside and
 * rebuilt by the replay.
 * @throws HistoryLost if the journal no longer has its first entries.
 */
export async function openExchangeCore(options: CoreOptions): Promise<ExchangeCore> {
  const { directory, machine, tell } = options;
  const aside = { files: machine.files, wall: wallClock, tell };
  if (isDamageNoted(directory.history)) await setHistoryAside(directory, 'found while it was in use', aside);
  const opened: Closable[] = [];
  try {
    return await openStores(options, opened);
  } catch (error) {
    for (const each of opened.reverse()) await each.close().catch(() => undefined);
    const damage = damageOf(error);
    if (damage === null) throw error;
    await setHistoryAside(directory, damage.message, aside);
    return openStores(options, []);
  }
}

/** Snapshots of a running engine, made on another thread. */
async function scheduleSnapshots(
  { config, directory, machine, tell, onTrouble }: CoreOptions,
  parts: {
    readonly journal: FileJournal;
    readonly store: FileSnapshotStore;
    readonly history: HistoryStore;
    readonly engine: StateMachine;
  },
): Promise<SnapshotSchedule> {
  const { journal, store, history, engine } = parts;
  const files = { journal: directory.journal, snapshots: directory.snapshots };
  return new SnapshotSchedule(
    {
      clock: machine.clock,
      everyMs: config.snapshotEverySeconds * 1000,
      everyEntries: config.snapshotEveryCommands,
      last: () => engine.seq,
      projected: () => history.watermark(),
      make: (upTo) => runInThread<SnapshotTask>('snapshot', { ...files, upTo }, tell),
      release: () => releaseOldEntries(journal, store, config.keepJournalDays, engine.at),
      onTrouble: (error) => onTrouble('making a snapshot', error),
    },
    (await store.positions())[0] ?? as<Seq>(0),
  );
}

/** Market data that reads from this history what is too old for memory. */
function createProjections(history: HistoryStore, historyWriter: HistoryWriter) {
  const awaitHistory = (upTo: Seq): Promise<void> => historyWriter.flush(upTo);
  const market = createMarketData({ history, awaitHistory });
  return { market, contracts: createContractData({ market, history, awaitHistory }) };
}

/** Gives the projections what is listed and rests now, while no entry follows. */
async function loadBooks(
  queries: ExchangeQueries,
  market: MarketDataProjection,
  contracts: ContractDataProjection,
): Promise<void> {
  const listing = await queries.listing();
  market.configure(listing);
  for (const { id } of [...listing.symbols, ...(listing.contracts ?? [])]) market.load(id, await queries.book(id));
  for (const { id } of listing.contracts ?? []) contracts.load(id, await queries.contracts.orderCounts(id));
}

/** The epoch of new entries; by itself, of what was a cluster once, a later one than that had. */
function epochOf(cut: CutTail | null, { state }: StateMachine, lead: Lead | null, alone: Epoch): Epoch {
  if (lead !== null) return lead.epoch;
  const last = as<Epoch>(Math.max(state.progress.epoch, alone));
  return cut === null ? last : epochAfter(cut, last);
}

/** As `ExchangeCore.led`: what keeps a node from following ends the process. */
async function ledOf(following: Promise<void> | undefined, onFatal: (error: Error) => void): Promise<void> {
  try {
    await following;
  } catch (error) {
    if (!(error instanceof StandbyStopped)) onFatal(error as Error);
    await new Promise(() => {});
  }
}

const startAsNode =
  'start it with --cluster FILE, or once the whole cluster is stopped make it a lone exchange with ' +
  'bourse cluster leave --last';

/** The same promise. It may fail before anybody awaits it, which would end the process otherwise. */
function awaitable(following: Promise<void> | undefined): Promise<void> | undefined {
  following?.catch(() => undefined);
  return following;
}

/** Adds everything that it opens to `opened`, also if it fails. */
async function openStores(options: CoreOptions, opened: Closable[]): Promise<ExchangeCore> {
  const { config, directory, clock, machine, tell, onTrouble, cluster } = options;
  const alone = cluster === undefined ? requireAlone(directory, startAsNode) : as<Epoch>(0);
  const ground = (await cluster?.join(directory)) ?? null;
  // What broke in a cluster is for its leader to void.
  const isOfCluster = ground !== null && ground.ownNote !== null;
  const cut = isOfCluster ? null : await cutBrokenTail({ files: machine.files, directory, tell });
  let isOpen = false;
  const history = openHistory(options, () => isOpen);
  opened.push(history);
  // Starts the history's thread while the journal is surveyed; an error is reported by the next call below.
  history.watermark().catch(() => undefined);
  const journal = await openJournal(options, ground);
  opened.push(journal);
  const store = new FileSnapshotStore({ files: machine.files, directory: directory.snapshots, notice: tell });
  const historyWriter = await startHistoryWriter({
    store: history,
    setTimer: machineTimer,
    ...(options.isMakingHistory === true ? monthBatches : {}),
    onFailure: (error) => onTrouble('writing history', error),
  });
  opened.push(historyWriter);
  const { market, contracts } = createProjections(history, historyWriter);

  const watermark = await history.watermark();
  if (watermark > journal.last()) throw new JournalBehindHistory(watermark, journal.last());
  // Subscribers read older events from history; they are not delivered again.
  const [{ engine, progress }] = await Promise.all([
    recoverEngine(options, journal, store, watermark),
    market.restore(),
    contracts.restore(),
  ]);
  const queries = exchangeQueries(engine);
  historyWriter.knowAccounts(await queries.accounts());
  historyWriter.knowPairs((await queries.listing()).symbols);
  historyWriter.knowContracts(await queries.contracts.all());
  market.configure(await queries.listing());
  const projections = createFanOut();
  const folds = options.isMakingHistory === true ? [] : [market, contracts];
  for (const sink of [...folds, historyWriter]) projections.subscribe(sink);
  // A follower's journal may have what the leader has not applied yet.
  const end = as<Seq>(Math.min(journal.last(), ground?.applied ?? journal.last()));
  await replayRest(journal, { engine, progress }, projections, historyWriter, end);
  await loadBooks(queries, market, contracts);

  const disk = watchDisk(directory.root, config.diskReserveMib << 20, tell);
  const sequencerOf = async (lead: Lead | null): Promise<Sequencer> => {
    const sequencer = new Sequencer({
      engine,
      subscribers: projections,
      ...(lead === null ? { journal } : { ...lead, batchBytes: clusterBatchBytes }),
      ...(options.entryTime?.(engine.at) ?? { clock }),
      hasRoom: () => disk.hasRoom() && historyWriter.hasRoom(),
      epoch: epochOf(cut, engine, lead, alone),
      onBroken: options.onBroken,
      onFatal: options.onFatal,
    });
    if (cut !== null) await recordCut(cut, { files: machine.files, directory, sequencer });
    const unrecorded = lead?.unrecorded ?? null;
    if (unrecorded !== null) await recordVoided(sequencer, unrecorded, () => setTimeout(recordAgainMs));
    return sequencer;
  };
  const sequencer = cluster?.ingressOf(projections) ?? (await sequencerOf(null));
  const apply = applyTo(options, engine, projections, historyWriter);
  const segments = new OwnSegments({ files: machine.files, directory: directory.journal, journal });
  const position = { applied: () => engine.seq, at: () => engine.at, rules: () => engine.state.progress.rules };
  const takeOut = takeOutOf(journal, options);
  const replica = { journal, ...position, apply, takeOut, segments, feed: projections, sequencerOf };
  const following = sequencer instanceof ClusterIngress ? awaitable(cluster?.untilLed(replica, sequencer)) : undefined;
  const snapshots = await scheduleSnapshots(options, { journal, store, history, engine });
  isOpen = true;
  return {
    engine,
    sequencer,
    led: ledOf(following, options.onFatal),
    queries,
    market,
    contracts,
    history,
    historyWriter,
    snapshots,
    diskSpace: disk.space,
    close: async () => {
      disk.stop();
      cluster?.stopFollowing();
      await following?.catch(() => undefined);
      await sequencer.close();
      // Before anything that takes long: nobody leads until another node does.
      await cluster?.endTerm();
      await snapshots.whenIdle();
      await historyWriter.close();
      await history.close();
      await journal.close();
      await cluster?.close();
    },
  };
}

/**
 * Records the profile in a new journal, then activates the newest rules if older ones are in force; `rules`: the newest
 * that every node of a cluster knows. Call it before any
 * other command, once the clock shows the time from which the exchange continues: later entries are never dated
 * earlier. DEC-OPR-100.
 */
export async function prepareJournal(
  { engine, sequencer }: ExchangeCore,
  profile: Profile,
  rules = newestRules,
): Promise<void> {
  if (engine.state.profile.value === null) await sequencer.post({ kind: 'recordProfile', profile });
  if (engine.state.progress.rules < rules) await sequencer.post({ kind: 'activateRules', version: rules });
}
