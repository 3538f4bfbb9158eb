import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const bourse = join(import.meta.dirname, '..', '..', 'dist', 'main', 'bourse.js');
const startSeconds = 60;

/** Addresses and keys of a sandbox, as it writes them. */
export interface Demo {
  readonly base_url: string;
  readonly ws_url: string;
  readonly accounts: readonly { readonly name: string; readonly apiKey: string; readonly secretKey: string }[];
}

/** An exchange in a process of its own. */
export interface SandboxProcess {
  readonly demo: Demo;
  readonly data: string;
  stop(): Promise<void>;
}

/** Starts an empty exchange with keys made from a seed, on free ports and a directory of its own. */
export async function startSandboxProcess(seed = 'ci'): Promise<SandboxProcess> {
  const data = mkdtempSync(join(tmpdir(), 'bourse-ci-'));
  const ports = ['--port', '0', '--operator-port', '0'];
  const args = ['start', '--data', data, ...ports, '--no-simulate', '--seed', seed];
  const child = spawn(process.execPath, [bourse, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.kill('SIGTERM')) await once(child, 'exit');
    rmSync(data, { recursive: true, force: true });
  };
  // The file is written, whole, once the exchange takes orders. A new directory has no old one.
  const path = join(data, 'demo.json');
  for (const end = Date.now() + startSeconds * 1000; !existsSync(path); await sleep(50)) {
    if (child.exitCode === null && Date.now() < end) continue;
    await stop();
    throw new Error(`the exchange did not start within ${startSeconds} s`);
  }
  return { demo: JSON.parse(readFileSync(path, 'utf8')) as Demo, data, stop };
}
