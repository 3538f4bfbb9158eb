import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { WebSocket } from 'ws';
import { layoutOf } from '#main/storage/data-directory.ts';
import { readNote, type BrokenEntryNote } from '#main/storage/broken-entry-note.ts';
import { startServer, type ServerProcess } from './server-process.ts';
import { TradingClient, type Reply } from './trading-client.ts';

const entry = new URL('../../dist/main/bourse.js', import.meta.url).pathname;
/** 1337 lots, which the engine of a planted build breaks on. */
export const brokenQuantity = '0.001337';
const brokenLots = 1337;

/** Runs `bourse`, or the file of another build, to its end; answers exit code and both outputs. */
export function runBourse(
  args: readonly string[],
  bourse: string = entry,
): Promise<{ readonly code: number; readonly text: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [bourse, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    for (const output of [child.stdout, child.stderr]) {
      output.on('data', (chunk) => {
        text += chunk;
      });
    }
    child.on('close', (code) => resolve({ code: code ?? -1, text }));
  });
}

/** A data directory whose exchange is started and broken again and again. */
export class BrokenEntryHarness {
  readonly data = mkdtempSync(join(tmpdir(), 'bourse-broken-'));
  readonly directory = layoutOf(this.data);
  private server: ServerProcess | null = null;
  private clients: TradingClient[] = [];

  /** Starts the exchange as it was built, or another build of it. */
  async start(bourse: string = entry, more: readonly string[] = []): Promise<ServerProcess> {
    this.server = await startServer(this.data, more, [], bourse);
    return this.server;
  }

  client(account: string): TradingClient {
    const client = new TradingClient(this.server!.demo, account);
    this.clients.push(client);
    return client;
  }

  /** Ends what runs, softly; answers its exit code. */
  async stop(): Promise<number | string> {
    this.server?.process.kill('SIGTERM');
    return (await this.server?.ended) ?? 0;
  }

  note(): BrokenEntryNote | null {
    return readNote(this.directory);
  }

  /** Directories of moved tails, the first to be moved first, each with its list. */
  tails(): readonly { readonly folder: string; readonly entries: readonly TailLine[] }[] {
    return readdirSync(this.directory.quarantine)
      .sort()
      .map((name) => {
        const folder = join(this.directory.quarantine, name);
        const lines = readFileSync(join(folder, 'entries.jsonl'), 'utf8').trimEnd().split('\n');
        return { folder, entries: lines.map((line) => JSON.parse(line) as TailLine) };
      });
  }

  /** What history.db tells of, and whether it tells of the order that broke. */
  history(): { readonly watermark: number; readonly tellsOfBroken: boolean } {
    const database = new Database(this.directory.history);
    try {
      const one = (sql: string): number => Object.values(database.prepare(sql).get() as object)[0] as number;
      const rows = ['trades WHERE lots', 'fills WHERE lots', 'orders WHERE quantity'].map((what) =>
        one(`SELECT count(*) FROM ${what} = ${brokenLots}`),
      );
      return { watermark: one('SELECT watermark FROM progress'), tellsOfBroken: rows.some((count) => count > 0) };
    } finally {
      database.close();
    }
  }

  /** Positions of the snapshots, whole or half made. */
  snapshots(): readonly number[] {
    return readdirSync(this.directory.snapshots).map((name) => Number.parseInt(name, 10));
  }

  /** A line of /metrics. */
  async metric(name: string): Promise<number> {
    const text = await (await fetch(`${this.server!.demo.base_url}/metrics`)).text();
    return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
  }

  remove(): void {
    this.server?.process.kill('SIGKILL');
    for (const client of this.clients) client.close();
    rmSync(this.data, { recursive: true, force: true });
  }
}

/** A line of a tail's list. */
export interface TailLine {
  readonly seq: number;
  readonly epoch: number;
  readonly time: string;
  readonly kind: string;
  readonly account: number | null;
  readonly clientOrderIds: readonly string[];
}

/** Places a limit order of BTCUSDT. `null`: no answer came. */
export const place = (
  client: TradingClient,
  side: 'BUY' | 'SELL',
  price: number,
  quantity: string,
  newClientOrderId: string,
): Promise<Reply | null> =>
  client.call('POST', '/api/v3/order', {
    symbol: 'BTCUSDT',
    side,
    type: 'LIMIT',
    quantity,
    price: String(price),
    newClientOrderId,
  });

/** Listens to everything that an account and the public hear of BTCUSDT; answers the texts of all frames so far. */
export async function listen(server: ServerProcess, client: TradingClient): Promise<() => readonly string[]> {
  const made = await client.call('POST', '/api/v3/userDataStream', {});
  const { listenKey } = made!.body as { listenKey: string };
  const texts: string[] = [];
  const socket = new WebSocket(`${server.demo.ws_url}?listenKey=${listenKey}&encoding=json`);
  socket.on('message', (data) => texts.push(String(data)));
  socket.on('error', () => undefined);
  await new Promise((resolve) => socket.once('open', resolve));
  const params = [
    'spot@private.orders.v3.api.pb',
    'spot@private.deals.v3.api.pb',
    'spot@private.account.v3.api.pb',
    'spot@public.aggre.deals.v3.api.pb@10ms@BTCUSDT',
    'spot@public.aggre.depth.v3.api.pb@10ms@BTCUSDT',
  ];
  socket.send(JSON.stringify({ method: 'SUBSCRIPTION', params }));
  while (texts.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  return () => texts;
}
