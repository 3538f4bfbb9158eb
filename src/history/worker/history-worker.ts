import { parentPort, type TransferListItem, workerData } from 'node:worker_threads';
import { assert } from '#base/assert.ts';
import type { HistoryReply, HistoryRequest, HistoryWorkerData } from '#history/worker/history-messages.ts';
import type { SecondColumns } from '#history/history-store.ts';
import type { AnyRow, HistoryTable } from '#history/tables/history-table.ts';
import { packGroups } from '#history/worker/packed-groups.ts';
import { packRows } from '#history/worker/packed-rows.ts';
import { isSqliteDamage, sqliteCode } from '#history/sqlite/sqlite-connection.ts';
import { SqliteHistoryStore } from '#history/sqlite/sqlite-history-store.ts';

/** Runs a SQLite history on a thread of its own and answers one message per call; see `worker-history-store.ts`. */
const port = parentPort;
assert(port !== null, 'a history worker has a parent');
const { path, tables } = workerData as HistoryWorkerData;
/** Opened by the first call; if that fails, the next call tries again. */
let opened: SqliteHistoryStore | null = null;

type AnyMethod = (...args: unknown[]) => Promise<unknown>;
type RowsMethod = (...args: unknown[]) => Promise<readonly AnyRow[]>;

async function answer(request: HistoryRequest): Promise<{ reply: HistoryReply; blocks: TransferListItem[] }> {
  const { id, method } = request;
  if (opened === null && method === 'close') return { reply: { id, value: undefined }, blocks: [] };
  opened ??= new SqliteHistoryStore(path, tables);
  const store = opened;
  if (method === 'write') {
    await store.writePacked(request.batch);
    return { reply: { id, value: undefined }, blocks: [] };
  }
  if (method === 'rows' || method === 'page' || method === 'scan') {
    const rows = await (store[method] as RowsMethod).apply(store, [...request.args]);
    const packed = packRows(tables[request.args[0]] as HistoryTable, rows);
    return { reply: { id, packed }, blocks: [packed.slots] };
  }
  if (method === 'grouped') {
    const [name, where, window, of] = request.args;
    const packed = packGroups(tables[name] as HistoryTable, of, await store.grouped(name, where, window, of));
    return { reply: { id, packed }, blocks: [packed.slots] };
  }
  const value = await (store[method] as AnyMethod).apply(store, [...request.args]);
  if (method === 'seconds') {
    const blocks = Object.values(value as SecondColumns).map((column: Float64Array) => column.buffer as ArrayBuffer);
    return { reply: { id, value }, blocks };
  }
  return { reply: { id, value }, blocks: [] };
}

/** Requests are served one after the other, in the order in which they came. */
let turn: Promise<void> = Promise.resolve();
port.on('message', (request: HistoryRequest) => {
  turn = turn.then(async () => {
    try {
      const { reply, blocks } = await answer(request);
      port.postMessage(reply, blocks);
    } catch (error) {
      const failure = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
      // A database with another schema was not written by this software: it counts as damaged.
      const isForeign = opened === null && sqliteCode(error) === 'SQLITE_ERROR';
      const isDamage = isForeign || isSqliteDamage(error);
      const reply: HistoryReply = { id: request.id, failure, code: sqliteCode(error), isDamage };
      port.postMessage(reply);
    }
    if (request.method === 'close') port.close();
  });
});
