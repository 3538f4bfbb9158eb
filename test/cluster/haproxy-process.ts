import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

const configuration = new URL('../../deploy/proxies/haproxy.cfg', import.meta.url).pathname;
const program = process.env['HAPROXY_BIN'] ?? 'haproxy';
const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

/** Whether the balancer of `deploy` can be run here. */
export const hasHaproxy = ((): boolean => {
  if (spawnSync(program, ['-v']).status === 0 && hasOpenssl) return true;
  console.warn('There is no HAProxy, neither in HAPROXY_BIN nor on the path, or no openssl: its tests are skipped.');
  return false;
})();

/** Where the balancer listens, and which nodes it has. */
export interface HaproxyStart {
  readonly folder: string;
  /** The next one is taken too, for who comes without TLS. */
  readonly port: number;
  /** URLs of three nodes. */
  readonly nodes: readonly string[];
}

/** HAProxy with the configuration of `deploy`, which is changed by its variables alone. */
export class HaproxyProcess {
  /** PEM text that its clients have to trust. */
  readonly certificate: string;
  private readonly admin: string;
  private readonly env: NodeJS.ProcessEnv;
  private child: ChildProcess | null = null;
  private words = '';

  constructor(options: HaproxyStart) {
    const [key, certificate] = [join(options.folder, 'key.pem'), join(options.folder, 'certificate.pem')];
    const form = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
    const subject = ['-subj', '/CN=exchange.example', '-addext', 'subjectAltName=IP:127.0.0.1'];
    execFileSync('openssl', [...form, ...subject, '-keyout', key, '-out', certificate], { stdio: 'ignore' });
    this.certificate = readFileSync(certificate, 'utf8');
    const both = join(options.folder, 'bourse.pem');
    writeFileSync(both, this.certificate + readFileSync(key, 'utf8'), { mode: 0o600 });
    this.admin = join(options.folder, 'admin.sock');
    const [one, two, three] = options.nodes.map((url) => new URL(url).host);
    this.env = {
      ...process.env,
      ...{ ADDRESS: `127.0.0.1:${options.port}`, PLAIN: `127.0.0.1:${options.port + 1}` },
      ...{ CERTIFICATE: both, ADMIN: this.admin },
      ...{ NODE_ONE: one, NODE_TWO: two, NODE_THREE: three },
    };
  }

  /** What HAProxy says of the configuration; empty: nothing is wrong with it. */
  faults(): string {
    const { status, stderr, stdout } = spawnSync(program, ['-c', '-f', configuration], {
      env: this.env,
      encoding: 'utf8',
    });
    return status === 0 && !/warning|notice/i.test(stderr) ? '' : `${status}: ${stderr}${stdout}`;
  }

  /** Starts it and waits until it has so many nodes that take commands. */
  async start(nodeCount: number): Promise<void> {
    const child = spawn(program, ['-f', configuration], { env: this.env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.child = child;
    for (const output of [child.stdout, child.stderr]) output.on('data', (chunk) => (this.words += chunk));
    await this.untilReady(nodeCount);
  }

  /** Waits until so many nodes are taken for ready. */
  async untilReady(nodeCount: number): Promise<void> {
    for (let left = 600; ; left -= 1) {
      const rows = await this.rows().catch(() => []);
      if (rows.filter(({ status }) => status === 'UP').length === nodeCount) return;
      if (left === 0 || this.child?.exitCode !== null)
        throw new Error(`not ${nodeCount} nodes: ${JSON.stringify(rows)} ${this.words}`);
      await setTimeout(50);
    }
  }

  /** Nodes in their order: whether HAProxy takes them for ready, and how many sessions they got. */
  async rows(): Promise<readonly { readonly status: string; readonly sessions: number }[]> {
    const [head = '', ...lines] = (await this.ask('show stat')).split('\n');
    const names = head.replace('# ', '').split(',');
    const of = (line: string, name: string): string => line.split(',')[names.indexOf(name)] ?? '';
    return lines
      .filter((line) => line.startsWith('ready,') && !line.startsWith('ready,BACKEND,'))
      .map((line) => ({ status: of(line, 'status').split(' ')[0]!, sessions: Number(of(line, 'stot')) }));
  }

  /** Sends a line to its admin socket. Answers what it says. */
  async ask(command: string): Promise<string> {
    const socket = connect(this.admin);
    let text = '';
    socket.on('data', (chunk) => (text += chunk));
    socket.end(`${command}\n`);
    await once(socket, 'close');
    return text;
  }

  /** Ends it, and waits until it is gone. */
  async stop(): Promise<void> {
    const { child } = this;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  }
}
