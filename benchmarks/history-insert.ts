import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setImmediate as turn } from 'node:timers/promises';
import { machineTimer } from '#base/clock.ts';
import type { Trade } from '#model/events.ts';
import type { OrderView } from '#model/order.ts';
import { as } from '#model/units.ts';
import type { Seq, TimestampMs } from '#model/units.ts';
import { WorkerHistoryStore } from '#history/worker-history-store.ts';
import { type HistoryWriter, startHistoryWriter } from '#history/collectors/history-writer.ts';
import { alone, atLeast, type BenchGroup } from './harness.ts';

/** Two closed orders, a trade and its two fills. */
const rowsPerEntry = 5;
/** Rows let wait, as a sequencer that listens to `lag` would. */
const waitingRows = 50_000;
const symbolCount = 20;
const accountCount = 1000;

/** Events to rows on the disk, through the writer and the worker; how busy the feeding thread was is in the note. */
export const historyInsert: BenchGroup = {
  names: ['history/insert'],
  async run(size, report) {
    const entries = size.quick ? 30_000 : 150_000;
    const rates: number[] = [];
    const shares: number[] = [];
    for (let sample = 0; sample <= size.samples; sample += 1) {
      const { seconds, busySeconds } = await insert(entries);
      // The first one warms up.
      if (sample === 0) continue;
      rates.push((entries * rowsPerEntry) / seconds);
      shares.push(busySeconds / seconds);
    }
    const busy = Math.round((100 * shares.reduce((sum, share) => sum + share, 0)) / shares.length);
    report(
      alone(
        {
          name: 'history/insert',
          unit: 'rows/s',
          must: atLeast(60_000),
          aim: atLeast(150_000),
          note: `orders, trades and fills of ${accountCount} accounts; the feeding thread was ${busy} % busy`,
        },
        rates,
      ),
    );
  },
};

async function insert(entries: number): Promise<{ seconds: number; busySeconds: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'history-'));
  const store = new WorkerHistoryStore(join(folder, 'history.db'));
  const onFailure = (error: unknown): never => {
    throw error;
  };
  const writer = await startHistoryWriter({ store, setTimer: machineTimer, onFailure });
  const began = performance.now();
  const idleBefore = performance.eventLoopUtilization();
  for (let seq = 1; seq <= entries; seq += 1) {
    deliver(writer, seq);
    while (seq % 1000 === 0 && writer.lag().rows > waitingRows) await new Promise((resolve) => setTimeout(resolve, 2));
    if (seq % 1000 === 0) await turn();
  }
  await writer.flush(as<Seq>(entries));
  const seconds = (performance.now() - began) / 1000;
  const busySeconds = performance.eventLoopUtilization(idleBefore).active / 1000;
  await writer.close();
  await store.close();
  rmSync(folder, { recursive: true, force: true });
  return { seconds, busySeconds };
}

function deliver(writer: HistoryWriter, seq: number): void {
  const at = 1_700_000_000_000 + seq * 5;
  const symbol = (seq * 7) % symbolCount;
  const maker = (seq * 31) % accountCount;
  const taker = (seq * 17 + 1) % accountCount;
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
