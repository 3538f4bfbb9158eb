import type { Epoch } from '#model/units.ts';
import { as } from '#model/units.ts';
import { type CommandLog, type Foundation, type HeadAt, type LogBatch, LogUnreachable } from '#cluster/command-log.ts';
import { entriesOf } from '#journal/entry-reader.ts';
import { compareWithLog } from '#journal/log-comparison.ts';
import { nodeFileOperations } from '#journal/node-file-operations.ts';
import { recentBatches } from '#journal/recent-batches.ts';
import { verifyJournalFiles } from '#journal/verify.ts';
import { type ClusterCall, refused, unknownOutcome, withDirectory } from '#main/cluster/cluster-command.ts';
import { clusterBatchBytes } from '#main/cluster/replica.ts';
import { isSameEnd, journalEnd } from '#main/cluster/journal-end.ts';
import { fingerprintOf } from '#main/cluster/open-cluster.ts';
import { originOf } from '#main/cluster/own-membership.ts';
import { requireAllStopped } from '#main/cluster/reporting-nodes.ts';
import { type JournalOfNode, parseJournal, requireFurthest, textOfJournal } from '#main/cluster/seen-journals.ts';
import { loadMasterKeys } from '#main/secrets/master-key.ts';
import type { DataDirectory } from '#main/storage/data-directory.ts';
import { type Membership, readMembership } from '#main/storage/membership.ts';
import { CommandFailed, exitCodes, usedWrongly } from '#operator-commands/exit-codes.ts';

/** Options of `bourse cluster reconcile`. */
export interface ReconcileOptions {
  readonly begin?: boolean;
  readonly replace?: boolean;
  readonly journal?: readonly string[];
  readonly without?: readonly string[];
}

/** The log begins with so many bytes of the journal's end: nodes that are behind find them there. */
const keptBytes = 64 << 20;
/** Terms of which no journal has an entry, and those of a node that is left out, were earlier than this many on. */
const epochsAhead = 1000;

/**
 * Brings a cluster back whose log is lost, or older than the journals of its nodes. Whatever was acknowledged is in the
 * journal of its leader, so the one that goes furthest has all of it: the log begins anew from that one, and what its
 * leader wrote and nobody was told of becomes part. Without `--begin` nothing is changed. DEC-CLU-17.
 */
export async function reconcileCluster(call: ClusterCall, options: ReconcileOptions): Promise<string> {
  if (options.begin !== true && ((options.replace === true || options.journal) ?? options.without))
    throw usedWrongly('--replace, --journal and --without go with --begin');
  return withDirectory(call.config, async (directory) => {
    const membership = requireNode(call, directory);
    const own = { node: call.file.node, end: await journalEnd(directory.journal) };
    return options.begin === true
      ? await beginAnew(call, { directory, membership, own, options })
      : await describe(call, directory, own);
  });
}

function requireNode({ file: { exchange } }: ClusterCall, directory: DataDirectory): Membership {
  const membership = readMembership(directory);
  if (membership?.standing !== 'node') throw refused(`${directory.root} is not of a node of a cluster`);
  if (membership.exchange === exchange) return membership;
  throw refused(`${directory.root} is of the cluster ${membership.exchange}: the cluster file names ${exchange}`);
}

async function describe(call: ClusterCall, { journal }: DataDirectory, own: JournalOfNode): Promise<string> {
  const { last, epoch } = own.end;
  return (
    `${journal} ends at entry ${last}, of epoch ${epoch}. For bourse cluster reconcile --begin at another node:\n` +
    `  --journal ${textOfJournal(own)}\n${await stateOf(call)}\n`
  );
}

/** What the quorum keeps, in a sentence. */
async function stateOf({ file: { exchange }, log }: ClusterCall): Promise<string> {
  try {
    const [at, end] = [await log.head(), await log.ended()];
    if (at !== null)
      return `The quorum keeps the cluster ${exchange} up to entry ${at.head.last}, in epoch ${at.head.epoch}.`;
    if (end === null) return `The quorum keeps no cluster named ${exchange}.`;
    return `The cluster ${exchange} is over after entry ${end.head.last}: the exchange goes on at ${end.node} alone.`;
  } catch (error) {
    if (!(error instanceof LogUnreachable)) throw error;
    return `The quorum does not answer: ${error.message}.`;
  }
}

/** What a new beginning is made of. */
interface Beginning {
  readonly directory: DataDirectory;
  readonly membership: Membership;
  readonly own: JournalOfNode;
  readonly options: ReconcileOptions;
}

async function beginAnew(call: ClusterCall, beginning: Beginning): Promise<string> {
  const { file, log, config } = call;
  const { directory, membership, own, options } = beginning;
  const seen = (options.journal ?? []).map(parseJournal);
  const without = options.without ?? [];
  requireFurthest(own, { seen, without, known: membership.nodes });
  const over = await requireLost(call, beginning);
  await requireAllStopped(log, file.exchange);
  await requireSound(call, directory);
  const epochs = [own, ...seen].map(({ end }) => end.epoch);
  const epoch = as<Epoch>(Math.max(...epochs, over?.head.epoch ?? 0) + epochsAhead);
  const foundation: Foundation = {
    origin: originOf(membership),
    profile: config.profile,
    keyFingerprint: fingerprintOf(loadMasterKeys(config)),
  };
  const counted = { count: 0 };
  const batches = batchesOf(directory, counted);
  const rest = { batches, ...(over === null ? {} : { over: over.at }) };
  if (!(await foundOrUnknown(log, foundation, { ...own.end, epoch }, rest)))
    throw refused('another command or node began meanwhile: see bourse cluster status');
  return (
    `The cluster ${file.exchange} begins anew after entry ${own.end.last}, in epoch ${epoch}, and keeps the ` +
    `${counted.count} batches before. Start all nodes.\n` +
    (without.length === 0 ? '' : `What was acknowledged and only ${without.join(', ')} had is lost.\n`)
  );
}

async function foundOrUnknown(log: CommandLog, ...founding: Parameters<CommandLog['found']>): Promise<boolean> {
  try {
    return await log.found(...founding);
  } catch (error) {
    if (!(error instanceof LogUnreachable)) throw error;
    throw unknownOutcome(`the cluster may have begun anew, repeat the command: ${error.message}`);
  }
}

/** Refuses while the quorum has what the journal has. Answers the head of an older copy, `null`: there is none. */
async function requireLost({ file, log }: ClusterCall, { directory, membership, own, options }: Beginning) {
  const { exchange } = file;
  const end = await log.ended();
  if (end !== null)
    throw refused(
      `the cluster ${exchange} is over after entry ${end.head.last}: the exchange goes on at ${end.node} alone`,
    );
  const at = await log.head();
  if (at === null) return null;
  const { head } = at;
  if (isSameEnd(head, own.end))
    throw refused(`the quorum keeps the cluster ${exchange} with all that is here: start the nodes`);
  if (!(await isOlderCopy(directory, membership, at)))
    throw refused(
      `the quorum keeps the cluster ${exchange} up to entry ${head.last}, which this journal has not: start the ` +
        'nodes, or begin at another one',
    );
  if (options.replace !== true)
    throw refused(
      `the quorum keeps the cluster ${exchange} up to entry ${head.last} of ${own.end.last}. If that is an older ` +
        'copy of etcd, add --replace; if a leader died just now, start the nodes',
    );
  return at;
}

/** Whether the log ends within the journal, before its end. */
async function isOlderCopy({ journal }: DataDirectory, membership: Membership, { head }: HeadAt): Promise<boolean> {
  const chain = { origin: originOf(membership), points: [{ last: head.last, hash: head.hash }] };
  return (await compareWithLog({ files: nodeFileOperations, journal }, chain)).kind === 'ahead';
}

/** Reads every byte of the journal: it is all that there is. */
async function requireSound({ tell }: ClusterCall, { journal, snapshots }: DataDirectory): Promise<void> {
  const { faults } = await verifyJournalFiles({ files: nodeFileOperations, journal, snapshots, progress: tell });
  if (faults.length > 0) throw new CommandFailed(exitCodes.data, faults.join('\n'));
}

/** The journal's last batches as the log keeps them. */
async function* batchesOf({ journal }: DataDirectory, counted: { count: number }): AsyncGenerator<LogBatch> {
  const wanted = { files: nodeFileOperations, journal, bytes: keptBytes, batchBytesMax: clusterBatchBytes };
  for await (const batch of recentBatches(wanted)) {
    counted.count += 1;
    const [{ epoch, seq }] = entriesOf(batch) as [ReturnType<typeof entriesOf>[number]];
    yield { ...batch, epoch, appliedUpTo: as(seq - 1) };
  }
}
