import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EtcdClient, type EtcdAccess } from '#cluster/etcd/etcd-client.ts';

/** Path of a program of etcd that tests use; `null`: there is none. */
function programOf(name: 'etcd' | 'etcdctl'): string | null {
  const finder = new URL('../../tools/etcd-binary.mjs', import.meta.url).pathname;
  const { stdout } = spawnSync(process.execPath, [finder, name], { encoding: 'utf8', timeout: 120_000 });
  const path = stdout.trim();
  if (path.startsWith('/')) return path;
  console.warn(`There is no ${name}, neither named by a variable nor from apt: tests with it are skipped.`);
  return null;
}
/** Path of an etcd; `null`: there is none. */
export const etcdBinary = programOf('etcd');
/** Whether an etcd can be started here. */
export const hasEtcd = etcdBinary !== null;

/** Path of an etcdctl; `null`: there is none, or no etcd. */
export const etcdctl = hasEtcd ? programOf('etcdctl') : null;

/** One process of etcd, which keeps its data and its ports when it is started again. */
export interface EtcdMember {
  readonly endpoint: string;
  /** `null`: it has ended. */
  pid(): number | null;
  /** Ends it at once, as a power cut does, and waits until it is gone. */
  kill(): Promise<void>;
  /** Starts it again on its data. */
  start(): void;
  /** Stops it without ending it: its connections stay open. */
  freeze(): void;
  /** Lets it go on. */
  thaw(): void;
}

/** Members of etcd that form one cluster. */
export interface EtcdMembers {
  readonly endpoints: readonly string[];
  readonly members: readonly EtcdMember[];
  /** Resolves when every member takes requests. */
  ready(): Promise<void>;
  /** Ends all of them and deletes their data, unless it is kept. */
  stop(): Promise<void>;
}

/** What is special about a cluster. */
export interface EtcdMembersOptions {
  readonly count?: number;
  /** After which silence of their leader the others elect one; 500 by default. */
  readonly electionMs?: number;
  /** Bytes of a member's file beyond which writes are refused. */
  readonly quotaBytes?: number;
  /** A folder that keeps the data, and the first of the ports; by default both are made up, and the data is deleted. */
  readonly kept?: { readonly folder: string; readonly firstPort: number };
  /** Files of a certificate and its key for members, of others for clients, and of who signed both. */
  readonly tls?: MemberTls;
  /** Variables with settings instead of those that tests have. */
  readonly settings?: NodeJS.ProcessEnv;
}

/** Files that members and their clients prove themselves with. */
export interface MemberTls {
  readonly ca: string;
  readonly member: { readonly cert: string; readonly key: string };
  readonly client: { readonly cert: string; readonly key: string };
}

/** What still runs when this process ends goes with it. */
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

const startsMax = 3;
const readyMs = 20_000;
const askAgainMs = 50;

/** Starts members on free ports of the loopback interface, with quick elections, and waits until they take requests. */
export async function startEtcdMembers(options: EtcdMembersOptions = {}): Promise<EtcdMembers> {
  if (etcdBinary === null) throw new Error('there is no etcd');
  const { count = 3, kept } = options;
  for (let start = 1; ; start += 1) {
    const ports = kept === undefined ? await freePorts(count * 2) : portsFrom(kept.firstPort, count * 2);
    const members = launch(etcdBinary, options, ports);
    try {
      await members.ready();
      return members;
    } catch (error) {
      await members.stop();
      // Somebody else may have taken a port in between.
      if (start === startsMax || kept !== undefined) throw error;
    }
  }
}

function launch(
  path: string,
  { count = 3, electionMs = 500, quotaBytes, kept, tls, settings }: EtcdMembersOptions,
  ports: readonly number[],
): EtcdMembers {
  const folder = kept?.folder ?? mkdtempSync(join(tmpdir(), 'bourse-etcd-'));
  const urls = ports.map((port) => `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`);
  const [peers, endpoints] = [urls.slice(0, count), urls.slice(count)];
  const cluster = peers.map((peer, index) => `m${index}=${peer}`).join(',');
  const shared = ['--initial-cluster', cluster];
  if (settings === undefined)
    shared.push('--heartbeat-interval', String(electionMs / 10), '--election-timeout', String(electionMs));
  if (quotaBytes !== undefined) shared.push('--quota-backend-bytes', String(quotaBytes));
  if (tls !== undefined) {
    const { ca, member } = tls;
    shared.push('--cert-file', member.cert, '--key-file', member.key, '--trusted-ca-file', ca, '--client-cert-auth');
    shared.push('--peer-cert-file', member.cert, '--peer-key-file', member.key, '--peer-trusted-ca-file', ca);
    shared.push('--peer-client-cert-auth');
  }
  const members = endpoints.map((endpoint, index) =>
    startMember(path, endpoint, join(folder, `m${index}`), {
      args: [
        ...['--name', `m${index}`, '--listen-peer-urls', peers[index]!, '--initial-advertise-peer-urls', peers[index]!],
        ...['--listen-client-urls', endpoint, '--advertise-client-urls', endpoint, ...shared],
      ],
      env: { ...process.env, ...settings },
    }),
  );
  const read = (file: string): string => readFileSync(file, 'utf8');
  const { ca, client } = tls ?? {};
  const access =
    ca === undefined || client === undefined
      ? {}
      : { tls: { ca: read(ca), cert: read(client.cert), key: read(client.key) } };
  return {
    endpoints,
    members,
    ready: async () => void (await Promise.all(members.map((member) => untilReady(member, access)))),
    stop: async () => {
      await Promise.all(members.map((member) => member.kill()));
      if (kept === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface StartedMember extends EtcdMember {
  /** What it wrote, if it has ended by itself. */
  lastWords(): string | null;
}

function startMember(
  path: string,
  endpoint: string,
  folder: string,
  { args, env }: { readonly args: readonly string[]; readonly env: NodeJS.ProcessEnv },
): StartedMember {
  mkdirSync(folder, { recursive: true });
  const log = join(folder, 'log');
  const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;
  const launchProcess = (): ChildProcess => {
    const output = openSync(log, 'a');
    const started = spawn(path, ['--data-dir', join(folder, 'data'), ...args], {
      env,
      stdio: ['ignore', output, output],
      // In a group of its own: Ctrl-C at a terminal asks only who started it.
      detached: true,
    });
    closeSync(output);
    running.add(started);
    started.once('exit', () => running.delete(started));
    return started;
  };
  let child = launchProcess();
  return {
    endpoint,
    pid: () => (hasEnded(child) ? null : (child.pid ?? null)),
    start: () => {
      child = launchProcess();
    },
    lastWords: () => (hasEnded(child) ? readFileSync(log, 'utf8').slice(-1000) : null),
    kill: async () => {
      if (hasEnded(child)) return;
      const exit = once(child, 'exit');
      child.kill('SIGKILL');
      await exit;
    },
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
  };
}

async function untilReady(member: StartedMember, access: Omit<EtcdAccess, 'endpoints'>): Promise<void> {
  const client = new EtcdClient({ endpoints: [member.endpoint], ...access });
  const end = performance.now() + readyMs;
  try {
    for (;;) {
      try {
        await client.askSafely('kv/range', { key: 'AA==' });
        return;
      } catch (error) {
        const words = member.lastWords();
        if (words !== null) throw new Error(`etcd ended: ${words}`, { cause: error });
        if (performance.now() > end) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, askAgainMs));
    }
  } finally {
    client.close();
  }
}

const portsFrom = (first: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => first + index);

async function freePorts(count: number): Promise<readonly number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      return server;
    }),
  );
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((closed) => server.close(closed))));
  return ports;
}
