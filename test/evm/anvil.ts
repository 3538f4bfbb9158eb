import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

/**
 * Where the platform package of Anvil has its binary; null where there is none for this platform. The package that
 * chooses among them does so in a postinstall script, which never runs here.
 */
function findAnvil(): string | null {
  const architecture = { x64: 'amd64', arm64: 'arm64' }[process.arch as string];
  const suffix = process.platform === 'win32' ? '.exe' : '';
  try {
    const name = `@foundry-rs/anvil-${process.platform}-${architecture}/bin/anvil${suffix}`;
    return createRequire(import.meta.url).resolve(name);
  } catch {
    // Not installed: npm leaves packages of other platforms out.
    console.warn('Anvil has no binary for this platform: tests against an EVM chain are skipped.');
    return null;
  }
}

const binary = findAnvil();
/** Whether an EVM chain can be started on this platform. */
export const hasAnvil = binary !== null;

/** A chain of its own, which mines when it is told to. */
export interface Anvil {
  readonly url: string;
  /** Asks the node; throws what it refuses. */
  rpc<T = string>(method: string, ...params: readonly unknown[]): Promise<T>;
  mine(blocks?: number): Promise<void>;
  stop(): Promise<void>;
}

/** Chain id of every chain that is started here. */
export const anvilChainId = 31_337;

/** Starts a chain on a free port of the loopback interface. */
export async function startAnvil(): Promise<Anvil> {
  if (binary === null) throw new Error('there is no Anvil for this platform');
  const child = spawn(
    binary,
    ['--host', '127.0.0.1', '--port', '0', '--no-mining', '--accounts', '3', '--order', 'fifo', '--threads', '1'],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  const url = await listeningUrl(child);
  const rpc = async <T>(method: string, ...params: readonly unknown[]): Promise<T> => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    const answer = (await response.json()) as { result: T; error?: { message: string } };
    if (answer.error !== undefined) throw new Error(`${method}: ${answer.error.message}`);
    return answer.result;
  };
  return {
    url,
    rpc,
    mine: async (blocks = 1) => void (await rpc('anvil_mine', `0x${blocks.toString(16)}`)),
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exit = once(child, 'exit');
      child.kill('SIGKILL');
      await exit;
    },
  };
}

async function listeningUrl(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stdout! })) {
    const address = /^Listening on (127\.0\.0\.1:\d+)$/.exec(line)?.[1];
    if (address === undefined) continue;
    child.stdout!.resume();
    return `http://${address}`;
  }
  throw new Error('Anvil ended before it listened');
}
