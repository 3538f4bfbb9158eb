import type { ChildProcess } from 'node:child_process';
import type { DemoFile } from '#sandbox/sandbox-files.ts';
import type { ServerProcess } from '../crash/server-process.ts';
import { ClusterProcesses } from './cluster-processes.ts';
import { startEtcdMembers } from './etcd-members.ts';

/** A cluster whose clients are at a node that follows, in the place of a lone exchange. */
export interface FollowedServer extends ServerProcess {
  /** Data directory of the node. */
  readonly data: string;
}

const firstPort = 28_400;

/**
 * As `startServer`, with three members of etcd and three nodes below `folder`: addresses are those of a node that
 * follows. Signals go to every node; SIGTERM stops the cluster in order, and SIGKILL ends all that is left of it.
 */
export async function startFollowedServer(
  folder: string,
  more: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<FollowedServer> {
  const etcd = await startEtcdMembers();
  const cluster = new ClusterProcesses({
    ...{ exchange: 'followed', profile: 'sandbox', folder, firstPort, endpoints: etcd.endpoints, env },
    ...{ masterKey: 'ab'.repeat(32), operatorToken: 'cd'.repeat(32) },
    startArguments: ['--seed', '7', '--no-simulate', '--no-rate-limits', ...more],
  });
  const { nodes } = cluster;
  let end: (code: number | string) => void = () => {};
  const ended = new Promise<number | string>((resolve) => {
    end = resolve;
  });
  const close = async (code: number | string): Promise<void> => {
    await cluster.close();
    await etcd.stop();
    end(code);
  };
  const stop = async (): Promise<void> => {
    const codes = await cluster.stop();
    await close(codes.find((code) => code !== 0) ?? 0);
  };
  const kill = (signal?: NodeJS.Signals | number): boolean => {
    if (signal === 'SIGTERM') void stop();
    else if (signal === 'SIGKILL') void close('SIGKILL');
    else for (const { pid } of nodes) if (pid !== undefined) process.kill(pid, signal);
    return true;
  };
  try {
    const demo = await cluster.foundSandbox();
    cluster.start();
    const leader = await cluster.leading();
    await cluster.untilTogether();
    const at = (leader + 1) % nodes.length;
    const { url, operatorUrl, log } = nodes[at]!;
    await cluster.untilServing(at);
    const addresses: Partial<DemoFile> = { base_url: url, futures_base_url: url, operator_url: operatorUrl };
    return {
      ...{ demo: { ...demo, ...addresses, ws_url: `${url.replace('http', 'ws')}/ws` }, ended },
      process: { kill } as unknown as ChildProcess,
      output: () => `see ${log}`,
      data: cluster.dataOf(at),
    };
  } catch (error) {
    await close('SIGKILL');
    throw error;
  }
}
