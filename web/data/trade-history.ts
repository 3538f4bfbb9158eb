import type { BourseClient } from '#client/client.ts';
import { exchangeNow } from '#web/data/clients.ts';
import { type Fill, fillOfRest, isOpen, type Order, orderOfRest } from '#web/data/orders.ts';

/** What is looked for in the past: a pair, and moments in ms since 1970 UTC, both included; `null`: without a bound. */
export interface PastFilter {
  readonly symbol: string;
  readonly from: number | null;
  readonly to: number | null;
}

/** A page of what is past, newest first, and where the next one ends; `null`: nothing is older. */
export interface PastPage<Row> {
  readonly rows: readonly Row[];
  readonly next: number | null;
}

/** Reads a page that ends at a moment. */
export type ReadPast<Row> = (client: BourseClient, filter: PastFilter, end: number | null) => Promise<PastPage<Row>>;

const dayMs = 86_400_000;
/** As far as the API reaches. */
const ordersReachMs = 7 * dayMs;
const ordersMax = 1000;
const fillsMax = 100;
/** A page has so many orders at least, if there are as many. */
const pageRows = 50;

const within =
  ({ from, to }: PastFilter) =>
  ({ at }: { readonly at: number }): boolean =>
    (from === null || at >= from) && (to === null || at <= to);

/** Where the page after a full one ends: at its oldest moment, which may have more; past it where it has no other. */
const endBefore = (rows: readonly { readonly at: number }[], end: number): number => {
  const oldest = Math.min(...rows.map(({ at }) => at));
  return oldest < end ? oldest : oldest - 1;
};

/** Finished orders of a pair, as far back as the API tells them: seven days. It answers a day at a time. DEC-WEB-19. */
export const readPastOrders: ReadPast<Order> = async (client, filter, end) => {
  const { symbol } = filter;
  const now = Math.round(await exchangeNow());
  const least = Math.max(now - ordersReachMs, filter.from ?? 0);
  const rows: Order[] = [];
  let at: number | null = end ?? filter.to ?? now;
  while (at !== null && rows.length < pageRows) {
    const read = (await client.allOrders({ symbol, endTime: at, limit: ordersMax })).map(orderOfRest);
    const known = new Set(rows.map(({ id }) => id));
    rows.push(...read.toReversed().filter((order) => !isOpen(order) && !known.has(order.id)));
    const next: number = read.length >= ordersMax ? endBefore(read, at) : at - dayMs - 1;
    at = next < least ? null : next;
  }
  return { rows: rows.filter(within(filter)), next: at };
};

/** Fills of a pair, as far back as the API tells them: thirty days. DEC-WEB-19. */
export const readPastFills: ReadPast<Fill> = async (client, filter, end) => {
  const at = end ?? filter.to ?? Math.round(await exchangeNow());
  const read = (await client.myTrades({ symbol: filter.symbol, endTime: at, limit: fillsMax })).map(fillOfRest);
  const next = read.length < fillsMax ? null : endBefore(read, at);
  const isOver = next === null || (filter.from !== null && next < filter.from);
  return { rows: read.toReversed().filter(within(filter)), next: isOver ? null : next };
};

/** Rows that were read with those that are newer, each once; the first mention of one counts. */
export function joinedRows<Row extends { readonly id: string; readonly side: string; readonly at: number }>(
  ...lists: readonly (readonly Row[])[]
): readonly Row[] {
  const byId = new Map<string, Row>();
  for (const row of lists.flat()) {
    const key = `${row.id} ${row.side}`;
    if (!byId.has(key)) byId.set(key, row);
  }
  return [...byId.values()].toSorted((one, other) => other.at - one.at);
}
