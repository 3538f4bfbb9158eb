import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What `DATA/demo.json` tells a client. */
export interface DemoFile {
  readonly base_url: string;
  readonly operator_url: string;
  readonly operator_token: string;
  readonly accounts: readonly {
    readonly name: string;
    readonly uid: string;
    readonly apiKey: string;
    readonly secretKey: string;
  }[];
}

export interface ExchangeProcess {
  readonly child: ChildProcess;
  readonly demo: DemoFile;
  readonly port: number;
  /** From the start of the process until it said that it was ready. */
  readonly readySeconds: number;
  /** Ends the process and removes its data unless they were given. */
  stop(): Promise<void>;
}

const bourse = join(import.meta.dirname, '..', 'main', 'bourse.js');
/** Given, because a directory that was written by a benchmark has none of its own. */
const masterKey = randomBytes(32).toString('hex');
const readyTimeoutMs = 600_000;

/** How the real program is run; on a fresh data directory and with Node's usual flags unless said otherwise. */
interface ExchangeSurroundings {
  readonly data?: string;
  readonly nodeFlags?: readonly string[];
}

/** Runs the real program on free ports. */
export async function startExchange(
  flags: readonly string[],
  { data, nodeFlags = [] }: ExchangeSurroundings = {},
): Promise<ExchangeProcess> {
  const directory = data ?? mkdtempSync(join(tmpdir(), 'bourse-bench-'));
  const began = performance.now();
  const ports = ['--port', '0', '--operator-port', '0'];
  const child = spawn(process.execPath, [...nodeFlags, bourse, '--data', directory, ...ports, ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: existsSync(join(directory, 'master.key')) ? process.env : { ...process.env, BOURSE_MASTER_KEY: masterKey },
  });
  await untilReady(child);
  const readySeconds = (performance.now() - began) / 1000;
  const demo = JSON.parse(readFileSync(join(directory, 'demo.json'), 'utf8')) as DemoFile;
  return {
    child,
    demo,
    port: Number(new URL(demo.base_url).port),
    readySeconds,
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) {
        const closed = new Promise((resolve) => child.once('close', resolve));
        child.kill('SIGTERM');
        await closed;
      }
      if (data === undefined) rmSync(directory, { recursive: true, force: true });
    },
  };
}

function untilReady(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = '';
    const tooLate = setTimeout(() => reject(new Error(`the exchange did not get ready:\n${said}`)), readyTimeoutMs);
    child.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (!/\bready\b/.test(said)) return;
      clearTimeout(tooLate);
      resolve();
    });
    child.once('close', (code) => reject(new Error(`the exchange ended with ${code}:\n${said}`)));
  });
}
