import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Profile } from '#model/profile.ts';
import type { CommandLog, HeadAt, Leader, NodeStatus } from '#cluster/command-log.ts';
import { createEtcdLog } from '#cluster/etcd/etcd-log.ts';
import type { DemoFile } from '#sandbox/sandbox-files.ts';
import { setUpExchange, type Trader } from './exchange-set-up.ts';
import { NodeProcess } from './node-process.ts';

const entry = new URL('../../dist/main/bourse.js', import.meta.url).pathname;

/** What the nodes are made of. */
export interface ClusterOptions {
  /** Name of the exchange in etcd. */
  readonly exchange: string;
  /** Folder for everything but etcd's data. */
  readonly folder: string;
  /** Addresses of etcd's members: the node of the same number stands on the machine of that member. */
  readonly endpoints: readonly string[];
  /** Each node takes two ports from here on. */
  readonly firstPort: number;
  readonly masterKey: string;
  readonly operatorToken: string;
  /** What every node is started with besides. */
  readonly startArguments?: readonly string[];
  /** Variables of the nodes besides those of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** `production` unless given. */
  readonly profile?: Profile;
  /** 2 unless given; more where it is not about who leads, so that a busy machine changes no leader. */
  readonly leaseSeconds?: number;
  /** Another build than that of the project: its `bourse.js`. */
  readonly bourse?: string;
  /** A module that a node's process imports before everything else, by the node's name; absent: none. */
  readonly imports?: (name: string) => string;
}

const node = { count: 3, leaseSeconds: 2 } as const;
const readyMs = 60_000;
/** A sandbox trades a month first. */
const sandboxReadyMs = 240_000;
const askAgainMs = 40;

const nameOf = (index: number): string => `node-${index + 1}`;

/** Three nodes of one exchange, each with a directory of its own; kept where they are when they are started again. */
export class ClusterProcesses {
  readonly nodes: readonly NodeProcess[];
  readonly log: CommandLog;
  private readonly options: ClusterOptions;
  private readonly env: NodeJS.ProcessEnv;
  private readonly endAll = (): void => {
    for (const each of this.nodes) each.end();
  };

  constructor(options: ClusterOptions) {
    this.options = options;
    this.env = {
      ...process.env,
      BOURSE_MASTER_KEY: options.masterKey,
      BOURSE_OPERATOR_TOKEN: options.operatorToken,
      NODE_OPTIONS: '',
      ...options.env,
    };
    this.log = createEtcdLog({ exchange: options.exchange, endpoints: options.endpoints });
    mkdirSync(options.folder, { recursive: true });
    this.nodes = Array.from({ length: node.count }, (_, index) => this.prepare(index));
    process.on('exit', this.endAll);
  }

  private prepare(index: number): NodeProcess {
    const { exchange, folder, endpoints, imports, leaseSeconds = node.leaseSeconds } = this.options;
    const name = nameOf(index);
    // Each asks its own machine's member first.
    const own = [...endpoints.slice(index), ...endpoints.slice(0, index)];
    const file = { exchange, node: name, etcd: { endpoints: own }, leaseSeconds };
    writeFileSync(this.fileOf(index), `${JSON.stringify(file, null, 2)}\n`);
    return new NodeProcess({
      ...{ name, ...this.addressesOf(index), env: this.env, log: join(folder, `${name}.log`) },
      args: [
        ...(imports === undefined ? [] : ['--import', imports(name)]),
        ...[this.options.bourse ?? entry, ...this.startArguments(index), '--cluster', this.fileOf(index)],
      ],
    });
  }

  private get profile(): Profile {
    return this.options.profile ?? 'production';
  }

  private addressesOf(index: number) {
    const port = this.options.firstPort + 2 * index;
    return { url: `http://127.0.0.1:${port}`, operatorUrl: `http://127.0.0.1:${port + 1}` };
  }

  private startArguments(index: number): readonly string[] {
    const port = this.options.firstPort + 2 * index;
    return [
      ...['start', '--data', this.dataOf(index), '--profile', this.profile],
      ...['--port', `${port}`, '--operator-port', `${port + 1}`, '--trusted-proxies', '127.0.0.1', '--no-ban-loopback'],
      ...['--journal-segment-mib', this.profile === 'sandbox' ? '16' : '1', '--snapshot-every-commands', '20000'],
      ...(this.options.startArguments ?? []),
    ];
  }

  /** Data directory of a node. */
  dataOf(index: number): string {
    return join(this.options.folder, nameOf(index));
  }

  /** Cluster file of a node. */
  fileOf(index: number): string {
    return join(this.options.folder, `${nameOf(index)}.json`);
  }

  /** Makes an exchange where these accounts trade a pair. Answers them. */
  found(traders: readonly string[]): Promise<readonly Trader[]> {
    return this.foundBy((url) => setUpExchange(url, this.options.operatorToken, traders));
  }

  /** Makes a sandbox, with its demo accounts and a month of its market, and answers what its demo file says. */
  foundSandbox(): Promise<DemoFile> {
    const file = join(this.dataOf(0), 'demo.json');
    return this.foundBy(async () => JSON.parse(readFileSync(file, 'utf8')) as DemoFile, sandboxReadyMs);
  }

  /**
   * Makes the exchange: the first node alone is set up by whoever gets the address of its operator API, the log of the
   * cluster begins where its journal ends, and the others get a copy of its directory.
   */
  async foundBy<Made>(setUp: (operatorUrl: string) => Promise<Made>, withinMs: number = readyMs): Promise<Made> {
    const alone = this.alone(0);
    let made: Made;
    try {
      alone.start();
      await untilReady(alone, withinMs);
      made = await setUp(alone.operatorUrl);
    } finally {
      await alone.stop();
    }
    await this.bourse(['cluster', 'init', this.dataOf(0), '--cluster', this.fileOf(0), '--profile', this.profile]);
    for (let index = 1; index < node.count; index += 1) cpSync(this.dataOf(0), this.dataOf(index), { recursive: true });
    return made;
  }

  /** The directory of a node as that of a lone exchange; not started. */
  alone(index: number): NodeProcess {
    return new NodeProcess({
      ...{ name: nameOf(index), ...this.addressesOf(index), env: this.env },
      ...{ log: join(this.options.folder, 'alone.log'), args: [entry, ...this.startArguments(index)] },
    });
  }

  /** A command about the cluster, as it is run at a node. @throws Error with its output when it fails */
  command(index: number, ...words: readonly string[]): Promise<string> {
    const settings = ['--cluster', this.fileOf(index), '--data', this.dataOf(index), '--profile', 'production'];
    return this.bourse(['cluster', ...words, ...settings]);
  }

  /** Runs a start that does not go on. Answers its exit code and what it printed. */
  refusedStart(index: number, ...more: readonly string[]): Promise<{ readonly code: number; readonly text: string }> {
    return run([entry, ...this.startArguments(index), ...more], this.env);
  }

  /** Runs another process as this node, with an empty directory, until it ends. */
  second(index: number): Promise<{ readonly code: number; readonly text: string }> {
    const data = ['--data', join(this.options.folder, 'second'), '--profile', this.profile];
    const where = [...data, '--port', '0', '--operator-port', '0', '--cluster', this.fileOf(index)];
    return run([entry, 'start', ...where], this.env);
  }

  /** Runs a command to its end. Answers what it printed. @throws Error with its output when it fails */
  async bourse(args: readonly string[]): Promise<string> {
    const { code, text } = await run([entry, ...args], this.env);
    if (code !== 0) throw new Error(`bourse ${args[0]} ${args[1]} ended with ${code}:\n${text}`);
    return text;
  }

  /** `bourse verify` of a stopped node: its exit code and its report. */
  verify(index: number): Promise<{ readonly code: number; readonly text: string }> {
    return run([entry, 'verify', this.dataOf(index)], this.env);
  }

  start(): void {
    for (const each of this.nodes) each.start();
  }

  /** Index of the node that leads; waits until one does, and the quorum says so. */
  async leading(withinMs: number = readyMs): Promise<number> {
    let leader: Leader | null = null;
    await this.until(withinMs, 'a node leads', async () => {
      leader = await this.log.leader();
      return leader !== null;
    });
    return this.nodes.findIndex(({ name }) => name === leader!.node);
  }

  /** Waits until a node takes requests: any of them, or one of that index. */
  async untilServing(index: number | null = null): Promise<void> {
    const asked = index === null ? this.nodes : [this.nodes[index]!];
    await this.until(readyMs, 'a node takes requests', async () => {
      const replies = await Promise.all(asked.map(({ url }) => fetch(`${url}/readyz`).catch(() => null)));
      return replies.some((reply) => reply?.ok === true);
    });
  }

  /** Waits until every node has in its files what is in the log now, and has applied it. */
  async untilTogether(withinMs: number = readyMs): Promise<void> {
    let goal: HeadAt | null = null;
    await this.until(withinMs, 'all nodes are where the log is', async () => {
      goal ??= await this.log.head();
      if (goal === null) return false;
      const { last } = goal.head;
      const isThere = ({ journaled, applied }: NodeStatus): boolean => journaled >= last && applied >= last;
      return (await this.log.nodes()).filter(isThere).length === node.count;
    });
  }

  /** @throws Error that names what did not come about, and how far the nodes are */
  private async until(withinMs: number, what: string, test: () => Promise<boolean>): Promise<void> {
    const end = performance.now() + withinMs;
    let told = '';
    for (;;) {
      try {
        if (await test()) return;
        told = JSON.stringify(await this.log.nodes());
      } catch (error) {
        told = (error as Error).message;
      }
      if (performance.now() > end) throw new Error(`not within ${withinMs} ms: ${what}; ${told}`);
      await setTimeout(askAgainMs);
    }
  }

  /** Stops the nodes that follow, then the one that leads, so that nobody takes over. Answers their exit codes. */
  async stop(): Promise<readonly (number | string | null)[]> {
    const leader = await this.leading(1000).catch(() => 0);
    const codes: (number | string | null)[] = this.nodes.map(() => null);
    const stopOne = async (index: number): Promise<void> => {
      codes[index] = await this.nodes[index]!.stop();
    };
    await Promise.all(this.nodes.map((_, index) => (index === leader ? null : stopOne(index))));
    await stopOne(leader);
    return codes;
  }

  /** Ends everything that is still there. */
  async close(): Promise<void> {
    this.endAll();
    process.off('exit', this.endAll);
    await this.log.close();
  }
}

/** Waits until a process takes requests. */
export async function untilReady({ name, url, log }: NodeProcess, withinMs: number = readyMs): Promise<void> {
  const end = performance.now() + withinMs;
  for (;;) {
    const reply = await fetch(`${url}/readyz`).catch(() => null);
    if (reply?.ok) return;
    if (performance.now() > end) throw new Error(`${name} did not get ready: see ${log}`);
    await setTimeout(askAgainMs);
  }
}

function run(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<{ readonly code: number; readonly text: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    for (const output of [child.stdout, child.stderr]) output.on('data', (chunk) => (text += chunk));
    child.on('exit', (code) => resolve({ code: code ?? -1, text }));
  });
}
