import type { Epoch, Seq } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { LogHead } from '#cluster/command-log.ts';
import { refused } from '#main/cluster/cluster-command.ts';
import { usedWrongly } from '#operator-commands/exit-codes.ts';

/** Where the journal of a stopped node ends. */
export interface JournalOfNode {
  readonly node: string;
  readonly end: LogHead;
}

/** What is known of the journals of a cluster, but for the own one. */
interface SeenJournals {
  readonly seen: readonly JournalOfNode[];
  /** Nodes whose journals are gone. */
  readonly without: readonly string[];
  /** All nodes that were ever seen to report. */
  readonly known: readonly string[];
}

/** In one word, for the command at another node. */
export const textOfJournal = ({ node, end: { epoch, last, hash } }: JournalOfNode): string =>
  `${node}:${epoch}:${last}:${Buffer.from(hash).toString('hex')}`;

/** @throws CommandFailed for anything but the word that `textOfJournal` answers */
export function parseJournal(text: string): JournalOfNode {
  const [, node, epoch, last, hash] = /^([a-z0-9-]{1,32}):(\d{1,10}):(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (node === undefined)
    throw usedWrongly(`--journal ${JSON.stringify(text)}: give what bourse cluster reconcile prints at that node`);
  return {
    node,
    end: { epoch: as<Epoch>(Number(epoch)), last: as<Seq>(Number(last)), hash: Buffer.from(hash!, 'hex') },
  };
}

/**
 * Refuses unless the own journal goes furthest of all there are: every leader began with all that was acknowledged
 * before, so of journals that end in different epochs the later one has more, and of those in one epoch the longer one.
 * @throws CommandFailed
 */
export function requireFurthest(own: JournalOfNode, { seen, without, known }: SeenJournals): void {
  for (const name of [...without, ...seen.map(({ node }) => node)])
    if (name === own.node) throw usedWrongly(`${name} is this node: name the others`);
  const named = new Set([own.node, ...without, ...seen.map(({ node }) => node)]);
  const missing = known.filter((name) => !named.has(name));
  if (missing.length > 0)
    throw usedWrongly(
      `${missing.join(', ')} may have acknowledged what no other node has: name the journal of each with ` +
        '--journal, as bourse cluster reconcile prints it there, or what is gone for ever --without NODE',
    );
  for (const { node, end } of seen) {
    const ahead = end.epoch - own.end.epoch || end.last - own.end.last;
    if (ahead > 0)
      throw refused(`the journal of ${node} goes further, to entry ${end.last} of epoch ${end.epoch}: begin there`);
    if (ahead === 0 && Buffer.compare(end.hash, own.end.hash) !== 0)
      throw refused(
        `the journal of ${node} has another entry ${end.last} of epoch ${end.epoch}: one of both is damaged`,
      );
  }
}
