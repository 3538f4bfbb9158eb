import { type Balance, balances, openOrders } from '#web/data/account.ts';
import { csvText } from '#web/data/csv.ts';
import { days, pairs } from '#web/data/markets.ts';
import type { Order } from '#web/data/orders.ts';
import { orderCsv } from '#web/pages/past/past-csv.ts';

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

/** Views of an account. */
export type AccountView = 'open' | 'past' | 'fills' | 'balances';

/** Open orders, or balances, as CSV. DEC-WEB-13. */
export function csvOf(view: 'open' | 'balances', symbol: string | null): string {
  if (view === 'open') return orderCsv(openOrderRows(symbol) ?? []);
  const rows = (balanceRows() ?? []).map(({ asset, free, held, worth }) => [
    asset,
    free,
    held,
    worth === null ? '' : worth.toFixed(2),
  ]);
  return csvText(['asset', 'free', 'held', `worthIn${worthAsset}`], rows);
}
