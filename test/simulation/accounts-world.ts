import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startFollowedServer } from '../cluster/followed-server.ts';
import { isThroughFollower } from '../follower-exchange.ts';
import { startServer, type ServerProcess } from '../crash/server-process.ts';
import { type KeyPair, TradingClient } from '../crash/trading-client.ts';
import { type Parameters, StoryWorld } from './story-world.ts';

/** Clusters have no simulated chains: there the money comes from inside the exchange. DEC-CLU-23. */
export const hasChains = !isThroughFollower;

const plant = new URL('move-clock.mjs', import.meta.url).pathname;
const dayMs = 86_400_000;
/** From noon over the next midnight. */
const jumpMs = dayMs / 2 + 60_000;

/**
 * An exchange in a process of its own, whose day begins at noon, with a client for every key. With
 * `BOURSE_TEST_FOLLOWER` a cluster, whose clients are at a node that follows.
 */
export class AccountsWorld extends StoryWorld {
  #aheadMs: number;

  readonly #folder: string;

  private constructor(folder: string, server: ServerProcess & { readonly data?: string }, aheadMs: number) {
    super(server.data ?? folder, server);
    this.#folder = folder;
    this.#aheadMs = aheadMs;
    for (const key of server.demo.accounts) this.addKey(key.name, key);
  }

  static async start(): Promise<AccountsWorld> {
    const folder = mkdtempSync(join(tmpdir(), 'bourse-accounts-'));
    const aheadMs = dayMs / 2 - (Date.now() % dayMs);
    const env = { NODE_OPTIONS: `--import=${plant}`, CLOCK_AHEAD: String(aheadMs), CLOCK_JUMP: String(jumpMs) };
    const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
    const settings = ['--settle-every-ms', '50'];
    const server = isThroughFollower
      ? await startFollowedServer(folder, settings, env)
      : await startServer(folder, settings, ['env', ...variables]);
    return new AccountsWorld(folder, server, aheadMs);
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
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
