import type { Command } from '#model/command.ts';
import { audit } from '#engine/image/audit.ts';
import type { ReadIndex } from '#cluster/read-index.ts';
import { exchangeQueries } from '#sequencer/queries/exchange-queries.ts';
import { foundQuorum, startMemoryNode } from './memory-node.ts';
import { placed, startExchange, type TestClock, type TestExchange } from './exchange-harness.ts';

/** Whether exchanges of clients' tests are those of a node that follows: `BOURSE_TEST_FOLLOWER=1`. */
export const isThroughFollower = process.env['BOURSE_TEST_FOLLOWER'] !== undefined;

/** An exchange for tests of clients: all of it, or a node of it that follows. */
export interface ServedExchange extends TestExchange {
  /** What reads wait for; absent: it is one process. */
  readonly reads?: ReadIndex;
}

/** An exchange in memory as tests of clients want it: see `isThroughFollower`. */
export const openExchange = async (): Promise<ServedExchange> =>
  isThroughFollower ? startFollowerExchange() : startExchange();

/**
 * Two nodes in this process over a quorum in memory, with a real link between them. What is answered is the follower's:
 * commands go to the leader, and come back through the log. DEC-CLU-24.
 */
export async function startFollowerExchange(): Promise<ServedExchange> {
  const clock: TestClock = { time: 1_700_000_000_000, now: () => clock.time };
  const quorum = await foundQuorum();
  const leader = await startMemoryNode({ quorum, clock, name: 'leader' });
  await leader.led;
  const follower = await startMemoryNode({ quorum, clock, name: 'follower', mayLead: false });
  const { engine, entries, ingress, node } = follower;
  await follower.connected();
  const submit = (command: Command) => ingress.submit(command);
  return {
    ...{ clock, engine, entries, submit, reads: node.reads },
    sequencer: ingress,
    queries: exchangeQueries(engine),
    place: (account, order) => submit(placed(account, order)),
    faults: () => audit(engine.state),
    close: async () => {
      await follower.close();
      await leader.close();
    },
  };
}
