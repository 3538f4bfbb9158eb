import { effect, signal } from '@preact/signals';
import {
  type Fill,
  fillOfPush,
  fillOfRest,
  isOpen,
  type Order,
  orderOfPush,
  orderOfRest,
  type RestFill,
  type RestOrder,
} from '#web/data/orders.ts';
import { ApiError, exchangeNow, reasonOf } from '#web/data/rest.ts';
import { askAsUser, session } from '#web/data/session.ts';
import type { Push } from '#web/data/streams/pushes.ts';
import { hearPrivate, listenAs, streamOpenings } from '#web/data/streams/streams.ts';

/** What an account owns of an asset. */
export interface Balance {
  readonly asset: string;
  readonly free: string;
  readonly held: string;
}

/** Balances by asset; `null` until they were read. */
export const balances = signal<ReadonlyMap<string, Balance> | null>(null);
/** Open orders of all pairs by id; `null` until they were read. */
export const openOrders = signal<ReadonlyMap<string, Order> | null>(null);
/** Finished orders and fills of the pair that is looked at, newest first; `null` until they were read. */
export const pastOrders = signal<readonly Order[] | null>(null);
/** Fills of that pair. */
export const fills = signal<readonly Fill[] | null>(null);
/** Why something of the account could not be read. */
export const accountFault = signal<string | null>(null);

const rowsMax = 500;
const renewMs = 25 * 60_000;
const retryMs = 3000;
const endedMax = 5000;

let shownPair: string | null = null;
/** Orders that ended while this page was open: an answer that is older must not bring them back. */
const ended = new Set<string>();

function putOrder(order: Order): void {
  if (ended.has(order.id)) return;
  const next = new Map(openOrders.value ?? []);
  if (isOpen(order)) next.set(order.id, order);
  else {
    next.delete(order.id);
    ended.add(order.id);
    if (ended.size > endedMax) ended.delete(ended.values().next().value as string);
    if (order.symbol === shownPair && pastOrders.value !== null)
      pastOrders.value = [order, ...pastOrders.value.filter(({ id }) => id !== order.id)].slice(0, rowsMax);
  }
  openOrders.value = next;
}

/** What an answer tells of an order that was just placed, until its pushes tell more. */
export function putPlaced(order: Order): void {
  if (openOrders.value?.has(order.id) !== true) putOrder(order);
}

function putFill(fill: Fill): void {
  if (fill.symbol !== shownPair || fills.value === null) return;
  if (fills.value.some(({ id, side }) => id === fill.id && side === fill.side)) return;
  fills.value = [fill, ...fills.value].slice(0, rowsMax);
}

/** Pushes since a reading began: they are taken once more when its answer is there. */
let unread: Push[] = [];

function take(push: Push): void {
  const { order, ownDeal, account, symbol } = push;
  if (order !== undefined) putOrder(orderOfPush(symbol, order));
  if (ownDeal !== undefined) putFill(fillOfPush(symbol, ownDeal));
  if (account !== undefined && balances.value !== null) {
    const { asset, free, held } = account;
    balances.value = new Map(balances.value).set(asset, { asset, free, held });
  }
}

hearPrivate((push) => {
  unread.push(push);
  if (unread.length > rowsMax) unread.shift();
  take(push);
});

interface AccountAnswer {
  readonly balances: readonly { readonly asset: string; readonly free: string; readonly locked: string }[];
}

/** Reads balances and open orders, and what is past of the pair that is looked at. */
export async function readAccount(): Promise<void> {
  const of = session.peek();
  if (of === null) return;
  unread = [];
  try {
    const [account, orders] = await Promise.all([
      askAsUser<AccountAnswer>('GET', '/api/v3/account'),
      askAsUser<readonly RestOrder[]>('GET', '/api/v3/openOrders'),
      readPast(),
    ]);
    if (session.peek() !== of) return;
    balances.value = new Map(
      account.balances.map(({ asset, free, locked }) => [asset, { asset, free, held: locked }] as const),
    );
    openOrders.value = new Map(orders.map((order) => [order.orderId, orderOfRest(order)]));
    accountFault.value = null;
    for (const push of unread) take(push);
  } catch (error) {
    if (session.peek() === of) accountFault.value = reasonOf(error);
  }
}

async function readPast(): Promise<void> {
  const symbol = shownPair;
  if (symbol === null || session.peek() === null) return;
  const weekMs = 7 * 86_400_000;
  const [orders, trades] = await Promise.all([
    askAsUser<readonly RestOrder[]>('GET', '/api/v3/allOrders', {
      symbol,
      limit: rowsMax,
      startTime: Math.round(await exchangeNow()) - weekMs,
    }),
    askAsUser<readonly RestFill[]>('GET', '/api/v3/myTrades', { symbol, limit: 100 }),
  ]);
  if (symbol !== shownPair) return;
  pastOrders.value = orders
    .map(orderOfRest)
    .filter((order) => !isOpen(order))
    .toReversed();
  fills.value = trades.map(fillOfRest).toReversed();
}

/** Looks at the past of another pair. */
export function showPastOf(symbol: string): void {
  if (shownPair === symbol) return;
  shownPair = symbol;
  pastOrders.value = null;
  fills.value = null;
  readPast().catch((error: unknown) => {
    accountFault.value = reasonOf(error);
  });
}

function forget(): void {
  balances.value = null;
  openOrders.value = null;
  pastOrders.value = null;
  fills.value = null;
  accountFault.value = null;
  ended.clear();
}

/** Makes a listen key for whoever is signed in, and renews it, until the answered function is called. */
function listen(): () => void {
  let isOver = false;
  let listenKey: string | null = null;
  let timer: ReturnType<typeof setTimeout>;
  const renew = async (): Promise<void> => {
    let wait = renewMs;
    try {
      if (listenKey === null) {
        listenKey = (await askAsUser<{ readonly listenKey: string }>('POST', '/api/v3/userDataStream')).listenKey;
        if (!isOver) listenAs(listenKey);
      } else await askAsUser('PUT', '/api/v3/userDataStream', { listenKey });
    } catch (error) {
      // A key that is gone is made anew; what failed otherwise is tried again.
      if (error instanceof ApiError && error.status === 400) listenKey = null;
      wait = retryMs;
    }
    if (!isOver) timer = setTimeout(() => void renew(), wait);
  };
  void renew();
  return () => {
    isOver = true;
    clearTimeout(timer);
    listenAs(null);
  };
}

let isFollowing = false;

/** Follows the account of whoever is signed in from now on. DEC-WEB-13, DEC-WEB-15. */
export function followAccount(): void {
  if (isFollowing) return;
  isFollowing = true;
  effect(() => {
    forget();
    if (session.value === null) return;
    void readAccount();
    return listen();
  });
  effect(() => {
    // Whatever was missed while the connection was lost is read again.
    if (streamOpenings.private.value > 0) void readAccount();
  });
}
