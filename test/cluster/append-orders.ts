import { join } from 'node:path';
import { machineTimer, monotonicClock } from '#base/clock.ts';
import type { CommandLog } from '#cluster/command-log.ts';
import { createQuorumContact } from '#cluster/quorum-contact.ts';
import { QuorumJournal } from '#cluster/quorum-journal.ts';
import { createEngine } from '#engine/create-engine.ts';
import { EntryBatch } from '#journal/entry-batch.ts';
import { FileJournal } from '#journal/file-journal.ts';
import { nodeFileOperations } from '#journal/node-file-operations.ts';
import { ClientOrderId } from '#model/client-order-id.ts';
import type { Entry } from '#model/command.ts';
import { noopSink } from '#model/event-record.ts';
import type { AccountId, Epoch, Lots, PriceTicks, Seq, SymbolId } from '#model/units.ts';
import { as } from '#model/units.ts';
import { exchangeQueries } from '#sequencer/queries/exchange-queries.ts';
import { replay } from '#sequencer/recovery.ts';
import { passingOf } from '../ports/log-story.ts';
import type { Trader } from './exchange-set-up.ts';

/** Entries of a batch: their bytes stay below what etcd takes. */
const perBatch = 4000;

/** Who trades what, as the journal has it, and from when on. */
interface Traded {
  readonly accounts: readonly AccountId[];
  readonly symbol: SymbolId;
  readonly at: Entry['at'];
}

/**
 * Leads a cluster of which no node runs, for as long as it takes to append so many orders of the traders: two of them
 * always trade with each other. The journal in `data` has them afterwards, and the log.
 */
export async function appendOrders(
  log: CommandLog,
  { data, traders, count }: { readonly data: string; readonly traders: readonly Trader[]; readonly count: number },
): Promise<void> {
  const directory = join(data, 'journal');
  const own = await FileJournal.open({
    ...{ files: nodeFileOperations, directory, segmentSize: 1 << 20, notice: () => {}, isFollowing: true },
  });
  const traded = await tradedIn(own, traders);
  const now = (await log.head())!;
  const epoch = as<Epoch>(now.head.epoch + 1);
  const leader = { node: 'test', epoch, address: '', build: 'test' };
  const term = (await log.campaign(now.at, { ...now.head, epoch }, leader, 60, await passingOf(log, leader)))!;
  const journal = new QuorumJournal({
    ...{ own, log, term, contact: createQuorumContact(monotonicClock), setTimer: machineTimer },
    applied: () => own.last(),
  });
  try {
    for (let done = 0; done < count; done += perBatch) {
      const batch = new EntryBatch();
      for (let index = done; index < Math.min(done + perBatch, count); index += 1)
        batch.add(orderAt(as<Seq>(own.last() + 1 + index - done), index, epoch, traded));
      await journal.append(own.last(), batch);
    }
    await term.publishApplied(own.last());
  } finally {
    await term.resign();
    await own.close();
  }
}

async function tradedIn(journal: FileJournal, traders: readonly Trader[]): Promise<Traded> {
  const engine = createEngine();
  await replay(engine, journal, noopSink, () => {});
  const queries = exchangeQueries(engine);
  const { symbols } = await queries.listing();
  const accounts: AccountId[] = [];
  for (const { apiKey } of traders) accounts.push((await queries.apiKey(apiKey))!.account);
  return { accounts, symbol: symbols[0]!.id, at: engine.at };
}

/** Each second order takes the one before; each trader sells as often as it buys. */
function orderAt(seq: Seq, index: number, epoch: Epoch, { accounts, symbol, at }: Traded): Entry {
  const trade = Math.floor(index / 2);
  const place = (trade + (index % 2)) % accounts.length;
  return {
    ...{ seq, epoch, at: as<Entry['at']>(at + Math.floor(index / 100)) },
    command: {
      kind: 'placeOrder',
      account: accounts[place]!,
      order: {
        ...{ symbol, side: index % 2 === 0 ? 'sell' : 'buy', kind: 'limit', budget: null, stpMode: 'none' },
        ...{ price: as<PriceTicks>(10_000), quantity: as<Lots>(500) },
        clientOrderId: ClientOrderId.of(`bulk-${index}`),
      },
    },
  };
}
