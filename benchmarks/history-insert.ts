import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setImmediate as turn } from 'node:timers/promises';
import { machineTimer } from '#base/clock.ts';
import type { Trade } from '#model/events.ts';
import type { OrderView } from '#model/order.ts';
import { house, type PostingKind } from '#model/account.ts';
import { as } from '#model/units.ts';
import type { AccountId, Seq, TimestampMs } from '#model/units.ts';
import { WorkerHistoryStore } from '#history/worker-history-store.ts';
import { type HistoryWriter, startHistoryWriter } from '#history/collectors/history-writer.ts';
import { alone, atLeast, type BenchGroup } from './harness.ts';

/** Two closed orders, a trade, its two fills, and six ledger lines: what both sides pay, get, and one fee. */
const rowsPerEntry = 11;
const ordersPerEntry = 2;
/** Rows let wait, as a sequencer that listens to `lag` would. */
const waitingRows = 50_000;
const symbolCount = 20;
const accountCount = 1000;
/** Behind those of the house. */
const firstAccount = 1000;

/** Events to rows on the disk, through the writer and the worker; how busy the feeding thread was is in the note. */
export const historyInsert: BenchGroup = {
  names: ['history/insert', 'history/order-cpu'],
  async run(size, report) {
    const entries = size.quick ? 30_000 : 150_000;
    const rates: number[] = [];
    const shares: number[] = [];
    const costs: number[] = [];
    for (let sample = 0; sample <= size.samples; sample += 1) {
      const { seconds, busySeconds, cpuSeconds } = await insert(entries);
      // The first one warms up.
      if (sample === 0) continue;
      rates.push((entries * rowsPerEntry) / seconds);
      shares.push(busySeconds / seconds);
      costs.push((cpuSeconds / (entries * ordersPerEntry)) * 1e6);
    }
    const busy = Math.round((100 * shares.reduce((sum, share) => sum + share, 0)) / shares.length);
    const what = `orders, trades, fills and ledger lines of ${accountCount} accounts`;
    const note = `${what}; the feeding thread was ${busy} % busy`;
    report(
      alone({ name: 'history/insert', unit: 'rows/s', must: atLeast(60_000), aim: atLeast(150_000), note }, rates),
    );
    const costNote = `${what}, each order filled at once; processor time of the process, feeding thread included`;
    const costLine = { name: 'history/order-cpu', unit: 'µs/order', must: null, aim: null, note: costNote };
    report(alone(costLine, costs));
  },
};

async function insert(entries: number): Promise<{ seconds: number; busySeconds: number; cpuSeconds: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'history-'));
  const store = new WorkerHistoryStore(join(folder, 'history.db'));
  const onFailure = (error: unknown): never => {
    throw error;
  };
  const writer = await startHistoryWriter({ store, setTimer: machineTimer, onFailure });
  const began = performance.now();
  const idleBefore = performance.eventLoopUtilization();
  const usedBefore = process.cpuUsage();
  for (let seq = 1; seq <= entries; seq += 1) {
    deliver(writer, seq);
    while (seq % 1000 === 0 && writer.lag().rows > waitingRows) await new Promise((resolve) => setTimeout(resolve, 2));
    if (seq % 1000 === 0) await turn();
  }
  await writer.flush(as<Seq>(entries));
  const seconds = (performance.now() - began) / 1000;
  const busySeconds = performance.eventLoopUtilization(idleBefore).active / 1000;
  const { user, system } = process.cpuUsage(usedBefore);
  await writer.close();
  await store.close();
  rmSync(folder, { recursive: true, force: true });
  return { seconds, busySeconds, cpuSeconds: (user + system) / 1e6 };
}

function deliver(writer: HistoryWriter, seq: number): void {
  const at = 1_700_000_000_000 + seq * 5;
  const symbol = (seq * 7) % symbolCount;
  const maker = firstAccount + ((seq * 31) % accountCount);
  const taker = firstAccount + ((seq * 17 + 1) % accountCount);
  const [base, quote] = [symbol + 2, 1];
  writer.entryBegan(as<Seq>(seq), as<TimestampMs>(at));
  writer.tradeExecuted({
    symbol,
    trade: seq,
    price: 6_000_000 + (seq % 997),
    lots: 1000 + (seq % 89),
    quoteAmount: 6e9 + seq,
    takerSide: seq % 2 === 0 ? 'buy' : 'sell',
    taker: 2 * seq,
    maker: 2 * seq - 1,
    takerAccount: taker,
    makerAccount: maker,
    takerClientOrderId: seq % 3 === 0 ? null : `client-${seq}`,
    makerClientOrderId: null,
    fillOfTaker: 1,
    takerFee: seq % 1000,
    takerFeeAsset: 1,
    makerFee: 0,
    makerFeeAsset: 2,
  } as unknown as Trade);
  const post = (account: number, asset: number, free: number, held: number, why: PostingKind, order: number): void =>
    writer.posted(as<AccountId>(account), asset as never, free, held, why, order as never, 1e12 + seq);
  post(taker, base, 1000, 0, 'fill', 2 * seq);
  post(taker, quote, 0, -6e9, 'fill', 2 * seq);
  post(maker, base, 0, -1000, 'fill', 2 * seq - 1);
  post(maker, quote, 6e9, 0, 'fill', 2 * seq - 1);
  post(taker, base, -1, 0, 'fee', 2 * seq);
  post(house.fees, base, 1, 0, 'fee', 2 * seq);
  writer.orderClosed(closed(2 * seq, taker, symbol, at));
  writer.orderClosed(closed(2 * seq - 1, maker, symbol, at - 60_000));
}

const closed = (order: number, account: number, symbol: number, acceptedAt: number): OrderView =>
  ({
    order,
    account,
    symbol,
    side: 'buy',
    kind: 'limit',
    status: 'filled',
    price: 6_000_000,
    quantity: 1000,
    budget: null,
    executed: 1000,
    executedQuote: 6e9,
    stpMode: 'none',
    clientOrderId: order % 3 === 0 ? `client-${order}` : null,
    closeReason: 'filled',
    acceptedAt,
    updatedAt: acceptedAt,
  }) as unknown as OrderView;
