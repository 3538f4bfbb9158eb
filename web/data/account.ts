import { effect, signal } from '@preact/signals';
import { channels, type PrivateAccountV3Api } from '#client/client.ts';
import { type Fill, fillOfPush, fillOfRest, isOpen, type Order, orderOfPush, orderOfRest } from '#web/data/orders.ts';
import { exchangeNow } from '#web/data/clients.ts';
import { reasonOf } from '#web/data/refusal.ts';
import { session, userClient } from '#web/data/session.ts';
import { hear, listenAs } from '#web/data/streams/streams.ts';

/** What an account owns of an asset. */
export interface Balance {
  readonly asset: string;
  readonly free: string;
  readonly held: string;
}

/** What the exchange lets an account do. */
export interface AccountRights {
  readonly canTrade: boolean;
  readonly canWithdraw: boolean;
  readonly canDeposit: boolean;
}

/** Balances by asset; `null` until they were read. */
export const balances = signal<ReadonlyMap<string, Balance> | null>(null);
/** Open orders of all pairs by id; `null` until they were read. */
export const openOrders = signal<ReadonlyMap<string, Order> | null>(null);
/** Finished orders and fills of the pair that is looked at, newest first; `null` until they were read. */
export const pastOrders = signal<readonly Order[] | null>(null);
/** Fills of that pair. */
export const fills = signal<readonly Fill[] | null>(null);
/** What the account may do; `null` until it was read. */
export const accountRights = signal<AccountRights | null>(null);
/** Why something of the account could not be read. */
export const accountFault = signal<string | null>(null);

const rowsMax = 500;
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

/** What was pushed since a reading began: it is taken once more when the answer is there. */
let unread: (() => void)[] = [];
let readings = 0;

function hearOf(take: () => void): void {
  unread.push(take);
  if (unread.length > rowsMax) unread.shift();
  take();
}

function putBalance({ vcoinName: asset, balanceAmount: free, frozenAmount: held }: PrivateAccountV3Api): void {
  if (balances.value !== null) balances.value = new Map(balances.value).set(asset, { asset, free, held });
}

/** Reads balances and open orders, and what is past of the pair that is looked at. */
export async function readAccount(): Promise<void> {
  const client = userClient.peek();
  if (client === null) return;
  readings += 1;
  const reading = readings;
  unread = [];
  try {
    const [account, orders] = await Promise.all([client.account(), client.openOrders(), readPast()]);
    if (reading !== readings) return;
    balances.value = new Map(
      account.balances.map(({ asset, free, locked }) => [asset, { asset, free, held: locked }] as const),
    );
    const { canTrade, canWithdraw, canDeposit } = account;
    accountRights.value = { canTrade, canWithdraw, canDeposit };
    openOrders.value = new Map(orders.map((order) => [order.orderId, orderOfRest(order)]));
    accountFault.value = null;
    for (const take of unread) take();
  } catch (error) {
    if (reading === readings) accountFault.value = reasonOf(error);
  }
}

async function readPast(): Promise<void> {
  const symbol = shownPair;
  const client = userClient.peek();
  if (symbol === null || client === null) return;
  const weekMs = 7 * 86_400_000;
  const [orders, trades] = await Promise.all([
    client.allOrders({ symbol, limit: rowsMax, startTime: Math.round(await exchangeNow()) - weekMs }),
    client.myTrades({ symbol, limit: 100 }),
  ]);
  if (symbol !== shownPair || client !== userClient.peek()) return;
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
  readings += 1;
  balances.value = null;
  accountRights.value = null;
  openOrders.value = null;
  pastOrders.value = null;
  fills.value = null;
  accountFault.value = null;
  ended.clear();
}

/** What else wants to know of an order that was pushed: the order, and what was known to have traded of it. */
type OrderHearer = (order: Order, executedBefore: string) => void;
const orderHearers = new Set<OrderHearer>();

/** Has every order that is pushed told to the hearer, too, from now on. */
export function hearOrders(hearer: OrderHearer): void {
  orderHearers.add(hearer);
}

function takeOrder(order: Order): void {
  const before = openOrders.peek()?.get(order.id)?.executed ?? '0';
  hearOf(() => putOrder(order));
  for (const hearer of orderHearers) hearer(order, before);
}

/** Hears the private channels of whoever is signed in until the answered function is called. */
function hearAccount(): () => void {
  // Whatever was missed while the connection was lost is read again. Channels open together, balances last.
  const ends = [
    hear(channels.orders(), (push, symbol) => takeOrder(orderOfPush(symbol, push))),
    hear(channels.deals(), (push, symbol) => hearOf(() => putFill(fillOfPush(symbol, push)))),
    hear(
      channels.account(),
      (push) => hearOf(() => putBalance(push)),
      () => void readAccount(),
    ),
  ];
  return () => {
    for (const end of ends) end();
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
    listenAs(session.value);
    void readAccount();
    const end = hearAccount();
    return () => {
      end();
      listenAs(null);
    };
  });
}
