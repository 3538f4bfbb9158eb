import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServerEnded, startServer, verifyData } from './server-process.ts';
import { TradingClient } from './trading-client.ts';

/** Calls of the stores that a kill is put before: a durable write is one `pwrite64` into a file opened with O_DSYNC. */
export const killableCalls = ['pwrite64', 'fsync', 'rename'] as const;
export type KillableCall = (typeof killableCalls)[number];

export interface SyscallReport {
  /** Kills that happened before the script came to its end. */
  readonly kills: number;
  readonly faults: readonly string[];
}

/**
 * Runs one short script again and again and has the kernel kill the process at the first, second, third … call of a
 * kind, until the script comes through untouched; after each kill the exchange must start again, hold every
 * acknowledged order, and verify. Needs strace, which counts the calls of each thread for itself: the kill comes when
 * the first of them has made so many. `step` leaves calls out.
 */
export async function runSyscallRounds(call: KillableCall, step: number): Promise<SyscallReport> {
  const faults: string[] = [];
  let kills = 0;
  for (let nth = 1; ; nth += step) {
    const data = mkdtempSync(join(tmpdir(), 'bourse-call-'));
    try {
      const wrapper = [
        'strace',
        // The exchange stays our own child, so that signals and its exit are not strace's.
        '-D',
        '-f',
        '-qq',
        '-o',
        '/dev/null',
        '-e',
        `trace=${call}`,
        '-e',
        `inject=${call}:signal=SIGKILL:when=${nth}`,
      ];
      const { acknowledged, isThrough } = await runScript(data, wrapper);
      faults.push(...(await compare(data, acknowledged, `${call} ${nth}`)));
      if (isThrough) return { kills, faults };
      kills += 1;
    } finally {
      rmSync(data, { recursive: true, force: true });
    }
  }
}

/** Places thirty orders one by one; answers the acknowledged ids and whether the process lived to the end. */
async function runScript(
  data: string,
  wrapper: readonly string[],
): Promise<{ acknowledged: Map<string, string>; isThrough: boolean }> {
  const acknowledged = new Map<string, string>();
  const server = await startServer(data, [], wrapper).catch((error: unknown) => {
    if (error instanceof ServerEnded) return null;
    throw error;
  });
  if (server === null) return { acknowledged, isThrough: false };
  const client = new TradingClient(server.demo, 'alice');
  for (let step = 0; step < 30; step += 1) {
    const clientOrderId = `s${step}`;
    const reply = await client.call('POST', '/api/v3/order', {
      symbol: 'BTCUSDT',
      side: 'BUY',
      type: 'LIMIT',
      quantity: '0.001',
      price: String(50_000 + step),
      newClientOrderId: clientOrderId,
    });
    if (reply === null) break;
    acknowledged.set(clientOrderId, (reply.body as { orderId: string }).orderId);
  }
  client.close();
  server.process.kill('SIGTERM');
  return { acknowledged, isThrough: (await server.ended) === 0 };
}

async function compare(data: string, acknowledged: ReadonlyMap<string, string>, at: string): Promise<string[]> {
  const faults: string[] = [];
  const server = await startServer(data);
  const client = new TradingClient(server.demo, 'alice');
  for (const [clientOrderId, orderId] of acknowledged) {
    const reply = await client.call('GET', '/api/v3/order', { symbol: 'BTCUSDT', origClientOrderId: clientOrderId });
    if ((reply?.body as { orderId?: string } | undefined)?.orderId !== orderId)
      faults.push(`${at}: ${clientOrderId} is lost`);
  }
  client.close();
  server.process.kill('SIGTERM');
  await server.ended;
  const report = await verifyData(data);
  if (report.code !== 0) faults.push(`${at}: ${report.text}`);
  return faults;
}
