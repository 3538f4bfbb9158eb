import { invalidParameter, type Problem } from '#operator-api/requests/problems.ts';
import { type TimestampMs, as } from '#model/units.ts';
import type { Where } from '#history/history-store.ts';
import type { RowOf } from '#history/tables/history-table.ts';
import type { HistoryTables } from '#history/tables/history-tables.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';

/** A page as it is answered. */
export interface Page<Item> {
  readonly items: Item[];
  readonly nextCursor: string | null;
}

/** Which page is asked for. */
export interface PageRequest {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** A cursor that names the last row of a page. `key`: text that `lastKeyOf` gives back. */
const cursorOf = (key: string): string => Buffer.from(`1:${key}`, 'utf8').toString('base64url');

const unknownCursor = (): Problem => invalidParameter('cursor', 'must be the nextCursor of an earlier page');

/**
 * The key that a cursor names; `null` without a cursor.
 * @throws Problem naming `cursor` for text that `cursorOf` has not made, or whose key does not match `pattern`.
 */
function lastKeyOf(cursor: string | undefined, pattern: RegExp): string | null {
  if (cursor === undefined) return null;
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  const key = text.slice(2);
  if (!text.startsWith('1:') || !pattern.test(key) || cursorOf(key) !== cursor) {
    throw unknownCursor();
  }
  return key;
}

/** A page of `rows`, which are in order of their keys and were read from behind the cursor, one more than `limit`. */
function pageOf<Row, Item>(
  rows: readonly Row[],
  limit: number,
  { item, key }: { readonly item: (row: Row) => Item; readonly key: (row: Row) => string },
): Page<Item> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown.map(item),
    nextCursor: rows.length > limit && last !== undefined ? cursorOf(key(last)) : null,
  };
}

/** Numbers that name a row of history in cursors: its time, then what tells rows of one time apart. */
const numbersKey = /^\d{1,16}(?:\.\d{1,16}){1,3}$/;

/** The numbers of a cursor that `pageOfPast` gave out; `null` without a cursor. @throws Problem naming `cursor`. */
export function numbersOf(cursor: string | undefined, count: number): readonly number[] | null {
  const numbers = lastKeyOf(cursor, numbersKey)?.split('.').map(Number) ?? null;
  if (numbers !== null && (numbers.length !== count || !numbers.every(Number.isSafeInteger))) throw unknownCursor();
  return numbers;
}

/** A page of rows of history, of which one more than `limit` was read. `numbers`: what names a row after its owner. */
export const pageOfPast = <Row, Item>(
  rows: readonly Row[],
  limit: number,
  { item, numbers }: { readonly item: (row: Row) => Item; readonly numbers: (row: Row) => readonly number[] },
): Page<Item> => pageOf(rows, limit, { item, key: (row) => numbers(row).join('.') });

/** Text of a whole number in cursors. */
const numberKey = /^(?:0|[1-9]\d{0,15})$/;

/** How rows of a list that is at hand become items, and what orders them. */
interface Numbered<Row, Item> {
  readonly item: (row: Row) => Item;
  readonly number: (row: Row) => number;
}

/** A page of a list that is at hand, ascending by number; the cursor names the last number of the page before. */
export function pageByNumber<Row, Item>(
  rows: readonly Row[],
  { limit, cursor }: PageRequest,
  { item, number }: Numbered<Row, Item>,
): Page<Item> {
  const last = lastKeyOf(cursor, numberKey);
  const after = last === null ? rows : rows.filter((row) => number(row) > Number(last));
  return pageOf(after, limit, { item, key: (row) => String(number(row)) });
}

/** As `Numbered`, for rows that are ordered by text of a pattern. */
interface Named<Row, Item> {
  readonly item: (row: Row) => Item;
  readonly key: (row: Row) => string;
  readonly pattern: RegExp;
}

/** The same, ascending by text. */
export function pageByText<Row, Item>(
  rows: readonly Row[],
  { limit, cursor }: PageRequest,
  { item, key, pattern }: Named<Row, Item>,
): Page<Item> {
  const last = lastKeyOf(cursor, pattern);
  return pageOf(last === null ? rows : rows.filter((row) => key(row) > last), limit, { item, key });
}

/** A page of a list that only grows at its end; `read` answers its rows from an offset on. */
export async function pageByOffset<Row, Item>(
  { limit, cursor }: PageRequest,
  read: (offset: number, limit: number) => Promise<readonly Row[]>,
  item: (row: Row) => Item,
): Promise<Page<Item>> {
  const offset = Number(lastKeyOf(cursor, numberKey) ?? 0);
  return pageOf(await read(offset, limit + 1), limit, { item, key: () => String(offset + limit) });
}

/** Both ends inclusive; `undefined`: open. */
interface OpenWindow {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** Which rows: one more than `limit`, so that the caller sees whether there are more. */
interface RowsAsked<Row> {
  readonly limit: number;
  readonly before: Partial<Row> | null;
}

/** Reads rows of history, newest first, once it shows everything that was acknowledged before. */
export const createPast = ({ queries, history, awaitHistory }: OperatorContext) => ({
  page: async <Name extends keyof HistoryTables & string>(
    table: Name,
    where: Where<RowOf<HistoryTables[Name]>>,
    { from = 0, to = Number.MAX_SAFE_INTEGER }: OpenWindow,
    { limit, before }: RowsAsked<RowOf<HistoryTables[Name]>>,
  ): Promise<readonly RowOf<HistoryTables[Name]>[]> => {
    const { seq } = await queries.position();
    await awaitHistory(seq);
    const window = { from: as<TimestampMs>(from), to: as<TimestampMs>(to) };
    return history.page(table, where, window, { limit: limit + 1, ...(before === null ? {} : { before }) });
  },
});
