import { rmSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { stopwatch } from '#base/clock.ts';
import type { Seq } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { CommandLog } from '#cluster/command-log.ts';
import { openFetchingLink } from '#cluster/link/fetching-link.ts';
import { type ChainOfLog, leavesInDamage, readChain } from '#cluster/log-chain.ts';
import { BehindLog } from '#cluster/standby.ts';
import { fetchedFolder } from '#journal/fetched-segments.ts';
import { compareWithLog, cutAhead, type CutEntries, type LogComparison } from '#journal/log-comparison.ts';
import { nodeFileOperations } from '#journal/node-file-operations.ts';
import { answered, askAgainMs, refuseIfStopped, type WaitParts } from '#main/cluster/await-quorum.ts';
import type { ClusterFile } from '#main/cluster/cluster-file.ts';
import { type FetchParts, fetchSegments } from '#main/cluster/fetch-segments.ts';
import { requireNeverAcknowledged } from '#main/cluster/require-never-acknowledged.ts';
import type { DataDirectory } from '#main/storage/data-directory.ts';
import { readMembership } from '#main/storage/membership.ts';
import { putHistoryRight } from '#main/storage/history-after-cut.ts';

/** This node does not belong to the cluster that its file names. */
export class ClusterRefused extends Error {
  override name = 'ClusterRefused';
}

/** While no other node helps, that is told this often. */
const tellAgainMs = 10_000;

/** What the place of a journal in its cluster is found with. */
export interface ChainParts extends WaitParts {
  readonly file: ClusterFile;
  readonly log: CommandLog;
  /** Version of the build. */
  readonly build: string;
  /** 32 bytes by which nodes of the cluster know each other. */
  readonly linkKey: Uint8Array;
  readonly directory: DataDirectory;
  /** The hash before the first batch of the cluster's journal. */
  readonly origin: Uint8Array;
  /** The journal has no entry, and gets those of the cluster now. */
  readonly onEmpty: () => void;
}

/**
 * Makes the own journal one that goes on where the log does: cuts what it has otherwise, and fetches what it lacks and
 * the log does not keep. Answers its last entry. DEC-CLU-06, DEC-CLU-13, DEC-CLU-14.
 * @throws ClusterRefused, StandbyStopped, BehindLog, JournalDiverged, JournalDamaged
 */
export async function joinChain(parts: ChainParts): Promise<Seq> {
  const { log, file, origin } = parts;
  const { journal, snapshots, quarantine } = parts.directory;
  const files = nodeFileOperations;
  await files.makeDirectory(journal);
  for (;;) {
    const chain = await answered(parts, () => readChain(log));
    const comparison = await compareWithLog({ files, journal }, { origin, points: chain.points });
    const goal = goalOf(chain, comparison);
    if (comparison.kind === 'foreign')
      throw new ClusterRefused(`the journal in ${journal} is not that of the cluster ${file.exchange}`);
    else if (goal !== null) await fetchUpTo(parts, comparison.end, goal);
    else if (comparison.kind === 'ahead') {
      const { epoch } = (await answered(parts, () => log.head()))!.head;
      await requireNeverAcknowledged({ journal, comparison, epoch, membership: readMembership(parts.directory) });
      await afterCut(parts, await cutAhead({ files, journal, snapshots, aside: quarantine, comparison }));
    } else {
      // What an interrupted fetch left.
      rmSync(fetchedFolder(journal), { recursive: true, force: true });
      return comparison.end;
    }
  }
}

/** Puts history right, and tells what was moved aside. */
async function afterCut({ directory, tell }: ChainParts, { first, last, folder }: CutEntries): Promise<void> {
  // A leader that broke may have told it of the entries before that one.
  await putHistoryRight({ files: nodeFileOperations, directory, tell }, first);
  tell(`Entries ${first} to ${last} are not in the cluster, and nobody was answered: they lie in ${folder}.`);
}

/** Up to where the own journal needs entries that the log has no more, or damaged; `null`: it needs none. */
function goalOf(chain: ChainOfLog, comparison: LogComparison): Seq | null {
  const { points, damaged } = chain;
  const isDamaged =
    comparison.kind === 'ahead'
      ? leavesInDamage(chain, comparison.last, comparison.next)
      : damaged.some(({ upTo }) => upTo > comparison.end);
  if (comparison.kind !== 'undecided' && !isDamaged) return null;
  return as<Seq>(Math.max(points[0]!.last, ...damaged.map(({ upTo }) => upTo)));
}

/** Fetches from other nodes; waits for them where that is wanted. */
async function fetchUpTo(parts: ChainParts, end: Seq, goal: Seq): Promise<void> {
  const { log, file, build, linkKey, tell, origin } = parts;
  const { journal, snapshots, quarantine } = parts.directory;
  const own = { node: file.node, build };
  if (end === 0) parts.onEmpty();
  const goOn = (): void => refuseIfStopped(parts);
  const fetch: FetchParts = {
    ...{ files: nodeFileOperations, journal, snapshots, quarantine, log, origin, node: file.node, tell, goOn },
    onCut: (cut) => afterCut(parts, cut),
    connect: (address) => openFetchingLink({ key: linkKey, own, address }),
  };
  tell(`The journal in ${journal} ends at entry ${end}: up to entry ${goal} it needs those of another node.`);
  for (let toldAt = -tellAgainMs; ; ) {
    const failed = await answered(parts, () => fetchSegments(fetch, goal));
    if (failed === null) return;
    const why = failed.why.length === 0 ? 'no other node has reported lately' : failed.why.join('; ');
    if (failed.isLasting || !parts.isPatient)
      throw new BehindLog(
        `the journal in ${journal} ends at entry ${end}, and no other node gives what follows up to entry ${goal} ` +
          `(${why}): start another node that has it, or put a backup of one in its place`,
      );
    if (stopwatch() - toldAt >= tellAgainMs) {
      tell(`No other node gives what is needed now (${why}). Asking again.`);
      toldAt = stopwatch();
    }
    await setTimeout(askAgainMs);
  }
}
