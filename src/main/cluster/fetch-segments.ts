import type { FetchingLink } from '#cluster/link/fetching-link.ts';
import type { CommandLog, NodeStatus } from '#cluster/command-log.ts';
import { readChain } from '#cluster/log-chain.ts';
import { JournalDiverged } from '#cluster/standby.ts';
import { FetchedSegments, type FetchPlace } from '#journal/fetched-segments.ts';
import { begunSegments, surveyJournal } from '#journal/journal-survey.ts';
import { compareWithLog, cutAhead, type CutEntries } from '#journal/log-comparison.ts';
import { lackingOf, NodeFailed, NodeFiles, NodeLacks, type Wanted } from '#main/cluster/node-files.ts';
import type { Seq } from '#model/units.ts';
import { as } from '#model/units.ts';

/** Where a node fetches what it lacks, and what for. */
export interface FetchParts extends FetchPlace {
  readonly snapshots: string;
  readonly quarantine: string;
  readonly log: CommandLog;
  readonly origin: Uint8Array;
  /** Name of this node. */
  readonly node: string;
  /** Connects to another node. */
  readonly connect: (address: string) => Promise<FetchingLink>;
  readonly tell: (message: string) => void;
  /** Entries of the own journal were moved aside. */
  readonly onCut: (cut: CutEntries) => Promise<void>;
  /** Called before each segment; may throw, which ends the fetch. The next one goes on with what is there. */
  readonly goOn: () => void;
}

/** Why no other node gave what is needed: a sentence for each that was asked. */
export interface NotFetched {
  readonly why: readonly string[];
  /** Whether each of them lacks it for good. */
  readonly isLasting: boolean;
}

/**
 * Brings the own journal, which nobody may have open, at least to entry `goal`, with segments of other nodes: followers
 * are asked before the leader. Only what leads to the log of the cluster comes into the journal; what the own one has
 * otherwise is moved aside. `null`: it is done. DEC-CLU-13, DEC-CLU-14.
 * @throws LogUnreachable, LogDamaged, JournalDiverged, what `goOn` throws, and errors of the own file system
 */
export async function fetchSegments(parts: FetchParts, goal: Seq): Promise<NotFetched | null> {
  const why: string[] = [];
  let isLasting = true;
  for (const { node, address } of await sourcesOf(parts)) {
    try {
      await fetchFrom(parts, { node, address }, goal);
      return null;
    } catch (error) {
      if (!(error instanceof NodeFailed || error instanceof NodeLacks)) throw error;
      why.push(`${node}: ${error.message}`);
      isLasting &&= error instanceof NodeLacks;
    }
  }
  return { why, isLasting: isLasting && why.length > 0 };
}

/** The other nodes: who has most first, the leader last. */
async function sourcesOf({ log, node }: FetchParts): Promise<readonly NodeStatus[]> {
  const [nodes, leader] = await Promise.all([log.nodes(), log.leader()]);
  const place = (status: NodeStatus): number => (status.node === leader?.node ? 1 : 0);
  return nodes
    .filter((each) => each.node !== node && each.address !== '')
    .toSorted((left, right) => place(left) - place(right) || right.journaled - left.journaled);
}

type Source = Pick<NodeStatus, 'node' | 'address'>;

async function fetchFrom(parts: FetchParts, source: Source, goal: Seq): Promise<void> {
  const link = await parts.connect(source.address).catch((error: unknown) => {
    throw new NodeFailed((error as Error).message, { cause: error });
  });
  const files = new NodeFiles(link);
  try {
    let before = -1;
    for (;;) {
      const listed = await files.list();
      const end = listed.at(-1)?.lastSeq ?? as<Seq>(0);
      const wanted = await lackingOf(parts, parts.origin, listed);
      // Once more where the log went on meanwhile and dropped what follows; a node that stands still does not help.
      if (end < goal || end <= before) throw new NodeFailed(`its journal ends at entry ${end}, too`);
      before = end;
      const fetched = await FetchedSegments.open(parts, wanted.start);
      if (wanted.segments.length === 0) return;
      await fetchAll(parts, source, files, { fetched, wanted });
      if (!(await leadsToLog(parts, fetched, goal))) continue;
      await takeOver(parts, fetched, source);
      return;
    }
  } finally {
    link.close();
  }
}

async function fetchAll(
  { tell, goOn }: FetchParts,
  { node }: Source,
  files: NodeFiles,
  { fetched, wanted: { segments } }: { readonly fetched: FetchedSegments; readonly wanted: Wanted },
): Promise<void> {
  await dropOthers(fetched, segments);
  const count = segments.length;
  for (let index = fetched.list.length; index < count; index += 1) {
    goOn();
    const segment = segments[index]!;
    // Ten lines at most, and each of a few segments.
    if (Math.floor((index * 10) / count) !== Math.floor(((index - 1) * 10) / count))
      tell(`Fetching segment ${index + 1} of ${count} from node ${node}: entry ${segment.firstSeq} and on.`);
    await files.fetch(fetched, segment);
  }
}

/** Keeps of an earlier fetch what the node has too; the last one may have grown since. */
async function dropOthers(fetched: FetchedSegments, listed: FetchedSegments['list']): Promise<void> {
  const isListed = (index: number): boolean => {
    const [mine, its] = [fetched.list[index]!, listed[index]];
    return its !== undefined && mine.lastSeq === its.lastSeq && Buffer.compare(mine.lastHash, its.lastHash) === 0;
  };
  while (fetched.list.length > 0 && !isListed(fetched.list.length - 1)) await fetched.dropLast();
}

/**
 * Whether what was fetched leads to the log, up to the goal. What goes on otherwise than the log is dropped first.
 * False: the log has moved on, and begins later by now.
 * @throws NodeFailed when it is not of the log's chain, or ends before the goal
 */
async function leadsToLog({ log, origin }: FetchParts, fetched: FetchedSegments, goal: Seq): Promise<boolean> {
  const { points } = await readChain(log);
  const comparison = await fetched.compare({ origin, points });
  if (comparison.kind === 'undecided' && comparison.end < points[0]!.last) return false;
  if (comparison.kind === 'undecided' || comparison.kind === 'foreign') {
    await fetched.clear();
    throw new NodeFailed('its journal is not that of the cluster');
  }
  if (comparison.kind === 'ahead') await fetched.dropFrom(as<Seq>(comparison.last + 1));
  const end = fetched.list.at(-1)?.lastSeq ?? 0;
  if (end < goal)
    throw new NodeFailed(`of its journal, only what ends at entry ${end} is sure to be that of the cluster`);
  return true;
}

/** Puts what was fetched into the journal; what that has otherwise is moved aside. */
async function takeOver(parts: FetchParts, fetched: FetchedSegments, { node }: Source): Promise<void> {
  const { files, journal, snapshots, quarantine, origin, tell, onCut } = parts;
  const own = begunSegments(await surveyJournal(files, journal)).at(-1);
  if (own !== undefined) {
    const points = await fetched.points(own.number);
    const comparison = await compareWithLog({ files, journal }, { origin, points });
    if (comparison.kind === 'foreign' || comparison.kind === 'undecided')
      throw new JournalDiverged(`the journal in ${journal} has other entries than that of node ${node}`);
    if (comparison.kind === 'ahead')
      await onCut(await cutAhead({ files, journal, snapshots, aside: quarantine, comparison }));
  }
  const last = fetched.list.at(-1)!.lastSeq;
  await fetched.moveIntoJournal();
  tell(`Everything up to entry ${last} was fetched from node ${node}.`);
}
