import type { Epoch } from '#model/units.ts';
import { as } from '#model/units.ts';
import { type HeadAt, type LogHead, LogUnreachable } from '#cluster/command-log.ts';
import { type ClusterCall, refused, unknownOutcome, withDirectory } from '#main/cluster/cluster-command.ts';
import { isSameEnd, journalEnd } from '#main/cluster/journal-end.ts';
import { isReporting, requireAllStopped } from '#main/cluster/reporting-nodes.ts';
import type { DataDirectory } from '#main/storage/data-directory.ts';
import { type Membership, readMembership, writeMembership } from '#main/storage/membership.ts';
import { usedWrongly } from '#operator-commands/exit-codes.ts';

/** `bourse cluster leave NODE | --last`. DEC-CLU-16. */
export async function leaveCluster(call: ClusterCall, node: string | undefined, isLast: boolean): Promise<string> {
  if (isLast === (node !== undefined)) throw usedWrongly('name the node that is gone, or --last: one of them');
  return node === undefined ? leaveAsLast(call) : takeOut(call, node);
}

/** Has the cluster no longer wait for a node that is gone. One that runs would be back with its next report. */
async function takeOut({ file: { exchange }, log }: ClusterCall, node: string): Promise<string> {
  if ((await log.head()) === null) throw refused(`the quorum keeps no cluster named ${exchange}`);
  const known = (await log.nodes()).map((each) => each.node);
  if (!known.includes(node))
    return `The cluster ${exchange} waits for no node named ${node}; it knows ${known.join(', ') || 'none'}.\n`;
  if ((await log.leader())?.node === node || (await isReporting(log, node)))
    throw refused(`${node} runs: stop it first, or it is back at once`);
  await log.forget(node);
  return `The cluster ${exchange} no longer waits for ${node}. If that is started again, it is back.\n`;
}

/**
 * Ends the cluster, once all nodes are stopped, at one that has everything: its directory is that of a lone exchange
 * from then on, and no other node can lead or begin by itself. May be repeated whenever it was interrupted.
 */
async function leaveAsLast(call: ClusterCall): Promise<string> {
  const { config, file, log } = call;
  return withDirectory(config, async (directory) => {
    const membership = requireMember(directory, file.exchange);
    if (membership.standing === 'left') return `${directory.root} is that of a lone exchange already.\n`;
    const own = await journalEnd(directory.journal);
    const at = await log.head();
    const head = at === null ? await endedHere(call, own) : await endHere(call, own, at);
    writeMembership(directory, { ...membership, standing: 'left', epoch: head.epoch });
    return (
      `The cluster ${file.exchange} is over. ${directory.root} is that of a lone exchange after entry ${head.last}, ` +
      `in epoch ${head.epoch}: start it without --cluster.\n` +
      'Directories of other nodes do not start any more; they are copies of the past from now on.\n'
    );
  });
}

function requireMember(directory: DataDirectory, exchange: string): Membership {
  const membership = readMembership(directory);
  if (membership === null) throw refused(`${directory.root} is of no cluster`);
  if (membership.exchange !== exchange)
    throw refused(`${directory.root} is of the cluster ${membership.exchange}: the cluster file names ${exchange}`);
  return membership;
}

/** An earlier try came so far: the quorum knows that this node goes on alone. */
async function endedHere({ file, log }: ClusterCall, own: LogHead): Promise<LogHead> {
  const { exchange, node } = file;
  const end = await log.ended();
  if (end === null)
    throw refused(
      `the quorum keeps no cluster named ${exchange}: where it was lost, bourse cluster reconcile brings it back`,
    );
  if (end.node === node && isSameEnd(end.head, own)) return end.head;
  throw refused(
    `the cluster ${exchange} is over after entry ${end.head.last}: the exchange goes on at ${end.node} alone`,
  );
}

async function endHere({ file, log }: ClusterCall, own: LogHead, { head, at }: HeadAt): Promise<LogHead> {
  const { exchange, node } = file;
  requireWhole(own, head, exchange);
  await requireAllStopped(log, exchange);
  const ended = { ...own, epoch: as<Epoch>(head.epoch + 1) };
  try {
    if (await log.end(at, { node, head: ended })) return ended;
  } catch (error) {
    if (!(error instanceof LogUnreachable)) throw error;
    throw unknownOutcome(`the cluster ${exchange} may be over, repeat the command: ${error.message}`);
  }
  throw refused(`stop all nodes of the cluster ${exchange} first: one of them led it meanwhile`);
}

/** Refuses a journal that has not everything, or has what the cluster has not. */
function requireWhole(own: LogHead, head: LogHead, exchange: string): void {
  if (isSameEnd(own, head)) return;
  throw refused(
    own.last < head.last
      ? `the journal here ends at entry ${own.last}, that of the cluster ${exchange} at ${head.last}: do it at a ` +
          'node that has everything, or let this one catch up first'
      : `the journal here ends at entry ${own.last} otherwise than the cluster ${exchange}, at ${head.last}: start ` +
          'this node once, so that it follows, or do it at another',
  );
}
