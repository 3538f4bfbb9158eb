import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer, type ServerProcess } from '../crash/server-process.ts';
import { type KeyPair, TradingClient } from '../crash/trading-client.ts';
import { type Parameters, StoryWorld } from './story-world.ts';

const plant = new URL('move-clock.mjs', import.meta.url).pathname;
const dayMs = 86_400_000;
/** From noon over the next midnight. */
const jumpMs = dayMs / 2 + 60_000;
/** An exchange in a process of its own, whose day begins at noon, with a client for every key. */
export class AccountsWorld extends StoryWorld {
  #aheadMs: number;

  private constructor(data: string, server: ServerProcess, aheadMs: number) {
    super(data, server);
    this.#aheadMs = aheadMs;
    for (const key of server.demo.accounts) this.addKey(key.name, key);
  }

  static async start(): Promise<AccountsWorld> {
    const data = mkdtempSync(join(tmpdir(), 'bourse-accounts-'));
    const aheadMs = dayMs / 2 - (Date.now() % dayMs);
    const environment = [`NODE_OPTIONS=--import=${plant}`, `CLOCK_AHEAD=${aheadMs}`, `CLOCK_JUMP=${jumpMs}`];
    const server = await startServer(data, ['--settle-every-ms', '50'], ['env', ...environment]);
    return new AccountsWorld(data, server, aheadMs);
  }

  /** Time of the exchange. */
  now(): number {
    return Date.now() + this.#aheadMs;
  }

  /** The day of the exchange, as operators write it. */
  today(): string {
    return new Date(this.now()).toISOString().slice(0, 10);
  }

  /** Lets the clock of the machine jump over the next midnight. */
  passMidnight(): void {
    this.server.process.kill('SIGUSR2');
    this.#aheadMs += jumpMs;
  }

  /** Whoever has this key can be called by that name from now on. */
  addKey(name: string, key: KeyPair): void {
    this.clients.set(name, new TradingClient(this.server.demo, key, () => this.now()));
  }

  /** What a call that has to fail is answered with. */
  async codeOf(who: string, method: string, path: string, parameters: Parameters = {}): Promise<number> {
    const { status, body } = await this.call(who, method, path, parameters);
    if (status === 200) throw new Error(`${method} ${path} of ${who} succeeded: ${JSON.stringify(body)}`);
    return (body as { code: number }).code;
  }

  /** Free and locked balances that are not zero, by asset. */
  async balancesOf(who: string): Promise<Readonly<Record<string, readonly [free: string, locked: string]>>> {
    type Balance = { asset: string; free: string; locked: string };
    const { balances } = await this.must<{ balances: Balance[] }>(who, 'GET', 'account');
    return Object.fromEntries(balances.map(({ asset, free, locked }) => [asset, [free, locked] as const]));
  }

  /** Pays from outside to an address of a simulated chain, and mines until it is confirmed. */
  async deposit(asset: string, network: string, address: string, amount: string): Promise<void> {
    await this.operator.must('POST', `/v1/chains/${network}/deposits`, { asset, address, memo: null, amount });
    await this.operator.must('POST', `/v1/chains/${network}/blocks`, { blocks: 20 });
  }

  /** Asks the process to stop; answers its exit code. */
  async stop(): Promise<number | string> {
    for (const client of this.clients.values()) client.close();
    this.server.process.kill('SIGTERM');
    return this.server.ended;
  }

  /** Ends what is left. */
  async remove(): Promise<void> {
    this.server.process.kill('SIGKILL');
    await this.server.ended;
    rmSync(this.data, { recursive: true, force: true });
  }
}
