import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { noopSink } from '#model/event-record.ts';
import type { WithdrawalStatus } from '#model/wallet.ts';
import { createEngine } from '#engine/create-engine.ts';
import { openJournalReader } from '#journal/journal-reader.ts';
import { nodeFileOperations } from '#journal/node-file-operations.ts';
import { layoutOf } from '#main/storage/data-directory.ts';
import { replay } from '#sequencer/recovery.ts';
import { OperatorClient } from '../crash/operator-client.ts';
import { startServer, type ServerProcess } from '../crash/server-process.ts';
import { TradingClient } from '../crash/trading-client.ts';
import type { ListedBalance } from './expected-balances.ts';
import { StoryWorld } from './story-world.ts';

/** People of the sandbox that the story tells of. */
export const people = ['alice', 'bob', 'carol'] as const;
export type Person = (typeof people)[number];

/** An exchange in a process of its own, with a client for everybody. */
export class WalletWorld extends StoryWorld {
  private constructor(data: string, server: ServerProcess) {
    super(data, server);
    for (const person of people) this.clients.set(person, new TradingClient(server.demo, person));
  }

  static async start(): Promise<WalletWorld> {
    const data = mkdtempSync(join(tmpdir(), 'bourse-wallet-'));
    return new WalletWorld(data, await startServer(data, ['--settle-every-ms', '50']));
  }

  /** Balances that are not zero, by asset. */
  async balancesOf(person: Person): Promise<ListedBalance[]> {
    const { balances } = await this.must<{ balances: ListedBalance[] }>(person, 'GET', 'account');
    return balances
      .filter(({ free, locked }) => free !== '0' || locked !== '0')
      .map(({ asset, free, locked }) => ({ asset, free, locked }))
      .sort((first, second) => (first.asset < second.asset ? -1 : 1));
  }

  /** Changes some rules of the wallet. */
  async changeRules(change: object): Promise<void> {
    const rules = await this.operator.must<object>('GET', '/v1/wallet/rules');
    await this.operator.must('PUT', '/v1/wallet/rules', { ...rules, ...change });
  }

  mine(network: string, blocks: number): Promise<unknown> {
    return this.operator.must('POST', `/v1/chains/${network}/blocks`, { blocks });
  }

  /** An operator with a token of its own. */
  async hire(actor: string): Promise<OperatorClient> {
    const terms = { actor, scopes: ['withdrawals:read', 'withdrawals:review'], validHours: 1 };
    const { token } = await this.operator.must<{ token: string }>('POST', '/v1/tokens', terms);
    return new OperatorClient(this.server.demo, token);
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

/** Every status that each withdrawal went through, read from the journal of a stopped exchange. */
export async function withdrawalPaths(data: string): Promise<ReadonlyMap<number, readonly WithdrawalStatus[]>> {
  const paths = new Map<number, WithdrawalStatus[]>();
  const journal = await openJournalReader(nodeFileOperations, layoutOf(data).journal);
  const sink: typeof noopSink = {
    ...noopSink,
    fact: (fact) => {
      if (fact.kind !== 'withdrawalChanged') return;
      const { withdrawal, status } = fact.withdrawal;
      const path = paths.get(withdrawal) ?? [];
      paths.set(withdrawal, path.at(-1) === status ? path : [...path, status]);
    },
  };
  await replay(createEngine(), journal, sink, () => {});
  return paths;
}
