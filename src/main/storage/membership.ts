import { readFileSync, rmSync } from 'node:fs';
import { z } from 'zod';
import type { Epoch } from '#model/units.ts';
import { as } from '#model/units.ts';
import { errorCode } from '#journal/file-operations.ts';
import { syncParent } from '#journal/make-directories.ts';
import type { DataDirectory } from '#main/storage/data-directory.ts';
import { writeDurably } from '#main/storage/write-durably.ts';

/*
 * A data directory says by a file of its own which cluster it is of. Without it, the directory of one node could be
 * started by itself while the others go on: two exchanges with the same accounts, and each would pay withdrawals.
 * DEC-CLU-15.
 */

/** What a data directory is to a cluster. */
export interface Membership {
  /** Name of the cluster. */
  readonly exchange: string;
  /**
   * `beginning`: `bourse cluster init` has begun, and the quorum may keep the cluster already. `node`: of a node.
   * `left`: the cluster is over, and this is a lone exchange.
   */
  readonly standing: 'beginning' | 'node' | 'left';
  /** Hash before the first batch of the cluster's journal, in hexadecimal digits. */
  readonly origin: string;
  /** Entries of a lone exchange are of this epoch at least: no term of the cluster was later. 0 before it was left. */
  readonly epoch: Epoch;
  /** Names of all nodes that were ever seen to report, itself included, sorted. */
  readonly nodes: readonly string[];
}

/** The data directory is of a cluster, and is used as if it were not, or the other way round. */
export class OtherMembership extends Error {
  override name = 'OtherMembership';
}

const form = z.strictObject({
  exchange: z.string().min(1),
  standing: z.enum(['beginning', 'node', 'left']),
  origin: z.string().regex(/^[0-9a-f]{64}$/),
  epoch: z.int().nonnegative(),
  nodes: z.array(z.string()),
});

/** What the directory says; `null`: it never was of a cluster. @throws OtherMembership where that cannot be read */
export function readMembership({ membership: path }: Pick<DataDirectory, 'membership'>): Membership | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
  try {
    const kept = form.parse(JSON.parse(text));
    return { ...kept, epoch: as<Epoch>(kept.epoch) };
  } catch (cause) {
    throw new OtherMembership(`${path} says which cluster this directory is of, and cannot be read`, { cause });
  }
}

/** Writes it durably; `null`: the directory never was of a cluster. */
export function writeMembership({ membership: path }: DataDirectory, membership: Membership | null): void {
  if (membership !== null) {
    writeDurably(path, `${JSON.stringify(membership, null, 2)}\n`);
    return;
  }
  rmSync(path, { force: true });
  syncParent(path);
}

/** Nodes that are known, with those that report now. */
export const withNodes = (known: readonly string[], reporting: readonly string[]): readonly string[] =>
  [...new Set([...known, ...reporting])].toSorted();

/**
 * Refuses what only a lone exchange may do, such as a start without a cluster file; `what` is a clause that says what
 * to do instead. Answers the epoch that its entries have at least.
 * @throws OtherMembership
 */
export function requireAlone(directory: DataDirectory, what: string): Epoch {
  const membership = readMembership(directory);
  if (membership === null || membership.standing === 'left') return membership?.epoch ?? as<Epoch>(0);
  const { exchange, standing } = membership;
  throw new OtherMembership(
    standing === 'beginning'
      ? `bourse cluster init of ${directory.root} for the cluster ${exchange} was interrupted: repeat it`
      : `${directory.root} is of a node of the cluster ${exchange}: ${what}`,
  );
}
