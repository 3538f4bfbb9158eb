import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DemoFile } from '#sandbox/sandbox-files.ts';

const entry = new URL('../../dist/main/bourse.js', import.meta.url).pathname;

/** A running exchange in a process of its own. */
export interface ServerProcess {
  readonly process: ChildProcess;
  readonly demo: DemoFile;
  /** What it wrote to both outputs so far. */
  output(): string;
  /** Resolves with exit code or signal. */
  readonly ended: Promise<number | string>;
}

/**
 * Starts `bourse start` on a data directory with free ports and empty books, and waits until it takes orders. Segments
 * of the journal are small, because an exchange fills two of them with zeros before it is stopped: with 128 MiB that
 * takes longer than all the rest. `bourse`: the file to run, where it is not that of the build.
 */
export async function startServer(
  data: string,
  more: readonly string[] = [],
  wrapper: readonly string[] = [],
  bourse: string = entry,
): Promise<ServerProcess> {
  const demoPath = join(data, 'demo.json');
  rmSync(demoPath, { force: true });
  const [command, ...args] = [
    ...wrapper,
    process.execPath,
    bourse,
    'start',
    '--data',
    data,
    '--port',
    '0',
    '--operator-port',
    '0',
    '--seed',
    '7',
    '--no-simulate',
    '--no-rate-limits',
    '--journal-segment-mib',
    '1',
    ...more,
  ];
  const child = spawn(command as string, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += chunk;
  });
  child.stderr.on('data', (chunk) => {
    text += chunk;
  });
  let hasEnded = false;
  const ended = new Promise<number | string>((resolve) => {
    child.on('exit', (code, signal) => {
      hasEnded = true;
      resolve(code ?? signal ?? 'unknown');
    });
  });
  const deadline = performance.now() + 30_000;
  // What it tells comes in order: with its last line, all that it told before is there.
  while (!existsSync(demoPath) || !text.includes(' is ready.')) {
    if (hasEnded) throw new ServerEnded(text);
    if (performance.now() > deadline) {
      child.kill('SIGKILL');
      throw new Error(`the exchange did not start:\n${text}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  const demo = JSON.parse(readFileSync(demoPath, 'utf8')) as DemoFile;
  return { process: child, demo, output: () => text, ended };
}

/** The process ended before it was ready. */
export class ServerEnded extends Error {
  override name = 'ServerEnded';
}

/** Runs `bourse verify` to its end; answers its exit code and report. */
export function verifyData(data: string): Promise<{ readonly code: number; readonly text: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [entry, 'verify', data], { stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
    });
    child.stderr.on('data', (chunk) => {
      text += chunk;
    });
    child.on('exit', (code) => resolve({ code: code ?? -1, text }));
  });
}
