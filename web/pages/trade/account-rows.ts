import { type Balance, balances, fills, openOrders, pastOrders } from '#web/data/account.ts';
import { csvText } from '#web/data/csv.ts';
import { days, pairs } from '#web/data/markets.ts';
import type { Fill, Order } from '#web/data/orders.ts';

/** A balance with what it is worth, in USDT; `null`: nobody trades it. */
export interface BalanceRow extends Balance {
  readonly total: number;
  readonly worth: number | null;
}

const worthAsset = 'USDT';

function priceOf(asset: string): number | null {
  if (asset === worthAsset) return 1;
  const pair = pairs.value?.find(({ baseAsset, quoteAsset }) => baseAsset === asset && quoteAsset === worthAsset);
  const last = pair === undefined ? undefined : days.value.get(pair.symbol)?.last;
  return last === undefined ? null : Number(last);
}

/** Balances that are not empty, the worthiest first; `null` until they were read. */
export function balanceRows(): readonly BalanceRow[] | null {
  if (balances.value === null) return null;
  const rows = [...balances.value.values()].map((balance) => {
    const total = Number(balance.free) + Number(balance.held);
    const price = priceOf(balance.asset);
    return { ...balance, total, worth: price === null ? null : price * total };
  });
  return rows.filter(({ total }) => total > 0).toSorted((one, other) => (other.worth ?? 0) - (one.worth ?? 0));
}

/** Open orders, newest first; of one pair, or of all. `null` until they were read. */
export function openOrderRows(symbol: string | null): readonly Order[] | null {
  const all = openOrders.value;
  if (all === null) return null;
  return [...all.values()]
    .filter((order) => symbol === null || order.symbol === symbol)
    .toSorted((one, other) => other.at - one.at);
}

const timeOf = (at: number): string => new Date(at).toISOString();

const orderHead = ['time', 'symbol', 'orderId', 'side', 'type', 'price', 'quantity', 'executed', 'amount', 'status'];
const orderCells = (order: Order): readonly string[] => [
  timeOf(order.at),
  order.symbol,
  order.id,
  order.side,
  order.type,
  order.price,
  order.quantity,
  order.executed,
  order.executedQuote,
  order.status,
];
const fillHead = [
  'time',
  'symbol',
  'tradeId',
  'orderId',
  'side',
  'price',
  'quantity',
  'amount',
  'fee',
  'feeAsset',
  'maker',
];
const fillCells = (fill: Fill): readonly string[] => [
  timeOf(fill.at),
  fill.symbol,
  fill.id,
  fill.orderId,
  fill.side,
  fill.price,
  fill.quantity,
  fill.amount,
  fill.fee,
  fill.feeAsset,
  String(fill.isMaker),
];

/** Views of an account. */
export type AccountView = 'open' | 'past' | 'fills' | 'balances';

/** What a view shows as CSV, times in UTC. DEC-WEB-13. */
export function csvOf(view: AccountView, symbol: string | null): string {
  if (view === 'open') return csvText(orderHead, (openOrderRows(symbol) ?? []).map(orderCells));
  if (view === 'past') return csvText(orderHead, (pastOrders.value ?? []).map(orderCells));
  if (view === 'fills') return csvText(fillHead, (fills.value ?? []).map(fillCells));
  const rows = (balanceRows() ?? []).map(({ asset, free, held, worth }) => [
    asset,
    free,
    held,
    worth === null ? '' : worth.toFixed(2),
  ]);
  return csvText(['asset', 'free', 'held', `worthIn${worthAsset}`], rows);
}
