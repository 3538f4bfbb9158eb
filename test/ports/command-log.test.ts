import { afterAll, beforeAll, describe } from 'vitest';
import { machineTimer } from '#base/clock.ts';
import { EtcdClient } from '#cluster/etcd/etcd-client.ts';
import { createEtcdLog } from '#cluster/etcd/etcd-log.ts';
import { keysOf, toBase64 } from '#cluster/etcd/etcd-keys.ts';
import { type EtcdMembers, hasEtcd, startEtcdMembers } from '../cluster/etcd-members.ts';
import { startFaultyProxy } from '../cluster/faulty-proxy.ts';
import { type CommandLogHarness, describeCommandLog, type FaultyConnection } from './command-log.contract.ts';
import { describeLogBeginnings } from './log-beginnings.contract.ts';
import { describeLogHandovers } from './log-handovers.contract.ts';
import { describeLogWatches } from './log-watches.contract.ts';
import { createMemoryQuorum } from './memory-command-log.ts';

const smallBytes = 3 << 20;
/** Members on a busy machine may take long to answer; only what is cut off is gone. */
const silenceMs = 10_000;

const memory = async (): Promise<CommandLogHarness> => {
  const quorum = createMemoryQuorum({ setTimer: machineTimer });
  return {
    connect: () => quorum.connect().log,
    connectFaulty: async () => {
      const { log, faults } = quorum.connect();
      return {
        log,
        loseAnswers: faults.loseAnswers.bind(faults),
        cut: () => faults.setReachable(false),
        heal: () => faults.setReachable(true),
        forgetChanges: async () => faults.interruptWatch(),
      };
    },
    damageBatch: async (last) => quorum.damageBatch(last),
    connectSmall: async () => createMemoryQuorum({ setTimer: machineTimer, bytesMax: smallBytes }).connect().log,
    cleanUp: async () => {},
  };
};
describeCommandLog('memory', memory);
describeLogHandovers('memory', memory);
describeLogWatches('memory', memory);
describeLogBeginnings('memory', memory);

describe.skipIf(!hasEtcd)('with etcd', { timeout: 60_000 }, () => {
  let etcd: EtcdMembers;
  let small: EtcdMembers | null = null;
  let logs = 0;
  beforeAll(async () => {
    etcd = await startEtcdMembers({ electionMs: 1000 });
  }, 60_000);
  afterAll(async () => {
    await etcd.stop();
    await small?.stop();
  });

  const inEtcd = async (): Promise<CommandLogHarness> => {
    const exchange = `log-${(logs += 1)}`;
    const { endpoints } = etcd;
    const client = new EtcdClient({ endpoints, silenceMs });
    const cleanUps: (() => Promise<void>)[] = [async () => client.close()];
    const connectFaulty = async (): Promise<FaultyConnection> => {
      const proxy = await startFaultyProxy(endpoints[logs % endpoints.length]!);
      cleanUps.push(proxy.close);
      return {
        log: createEtcdLog({ exchange, endpoints: [proxy.url], silenceMs }),
        loseAnswers: (count) => proxy.loseAnswers('/v3/kv/txn', count),
        cut: proxy.cut,
        heal: proxy.heal,
        forgetChanges: async () => {
          const { header } = (await client.ask('kv/range', { key: 'AA==' })) as { header: { revision: string } };
          await client.ask('kv/compaction', { revision: header.revision });
        },
      };
    };
    return {
      connect: () => createEtcdLog({ exchange, endpoints, silenceMs }),
      connectFaulty,
      damageBatch: async (last) => {
        await client.ask('kv/put', { key: toBase64(keysOf(exchange).batch(last)), value: toBase64('damaged') });
      },
      connectSmall: async () => {
        small = await startEtcdMembers({ quotaBytes: smallBytes, electionMs: 1000 });
        return createEtcdLog({ exchange, endpoints: small.endpoints, silenceMs });
      },
      cleanUp: async () => {
        for (const cleanUp of cleanUps) await cleanUp();
      },
    };
  };
  describeCommandLog('etcd', inEtcd);
  describeLogHandovers('etcd', inEtcd);
  describeLogWatches('etcd', inEtcd);
  describeLogBeginnings('etcd', inEtcd);
});
