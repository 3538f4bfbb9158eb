import { useState } from 'preact/hooks';
import { fills, pastOrders } from '#web/data/account.ts';
import { pairsByName } from '#web/data/markets.ts';
import type { Fill, Order } from '#web/data/orders.ts';
import { reasonOf } from '#web/data/refusal.ts';
import { Button } from '#web/design/button.tsx';
import { compact } from '#web/design/number-text.ts';
import { Loading } from '#web/design/states.tsx';
import { type Column, Table } from '#web/design/table.tsx';
import { say } from '#web/design/toasts.tsx';
import { NumberText, TimeText } from '#web/design/values.tsx';
import { type BalanceRow, balanceRows, openOrderRows } from '#web/pages/trade/account-rows.ts';
import { MoveDialog } from '#web/pages/trade/move-dialog.tsx';
import { cancelOrder } from '#web/pages/trade/place-order.ts';

const words: Readonly<Record<string, string>> = {
  LIMIT: 'Limit',
  LIMIT_MAKER: 'Post only',
  IMMEDIATE_OR_CANCEL: 'IOC',
  FILL_OR_KILL: 'FOK',
  MARKET: 'Market',
  NEW: 'Open',
  FILLED: 'Filled',
  PARTIALLY_FILLED: 'Partly filled',
  CANCELED: 'Cancelled',
  PARTIALLY_CANCELED: 'Rest cancelled',
};

const SideText = ({ side }: { readonly side: 'BUY' | 'SELL' }) => (
  <span class={side === 'BUY' ? 'up' : 'down'}>{side === 'BUY' ? 'Buy' : 'Sell'}</span>
);

const PairLink = ({ symbol }: { readonly symbol: string }) => (
  <a href={`/trade/${encodeURIComponent(symbol)}`}>{symbol}</a>
);

const priceDecimals = (symbol: string): number | undefined => pairsByName.value.get(symbol)?.quotePrecision;

const orderColumns: readonly Column<Order>[] = [
  { title: 'Time', cell: ({ at }) => <TimeText at={at} /> },
  { title: 'Pair', cell: ({ symbol }) => <PairLink symbol={symbol} /> },
  { title: 'Side', cell: ({ side }) => <SideText side={side} /> },
  { title: 'Kind', cell: ({ type }) => words[type] ?? type },
  {
    title: 'Price',
    isRight: true,
    cell: ({ type, price, symbol }) =>
      type === 'MARKET' ? 'Market' : <NumberText value={price} decimals={priceDecimals(symbol)} />,
  },
  { title: 'Quantity', isRight: true, cell: ({ quantity }) => <NumberText value={quantity} /> },
  { title: 'Filled', isRight: true, cell: ({ executed }) => <NumberText value={executed} /> },
  { title: 'State', cell: ({ status }) => words[status] ?? status },
];

async function cancel(order: Order): Promise<void> {
  try {
    await cancelOrder(order);
    say(`Order of ${order.symbol} cancelled.`, 'good');
  } catch (error) {
    say(reasonOf(error), 'bad');
  }
}

/** Open orders of a pair or of all, with what can be done with each. */
export function OpenOrderTable({ symbol }: { readonly symbol: string | null }) {
  const [moved, setMoved] = useState<Order | null>(null);
  const rows = openOrderRows(symbol);
  if (rows === null) return <Loading text="Reading orders" />;
  const acts: Column<Order> = {
    title: '',
    isRight: true,
    cell: (order) => (
      <span class="row-acts">
        <Button kind="quiet" isSmall onClick={() => setMoved(order)} aria-label={`Move the order at ${order.price}`}>
          Move
        </Button>
        <Button isSmall onClick={() => void cancel(order)} aria-label={`Cancel the order at ${order.price}`}>
          Cancel
        </Button>
      </span>
    ),
  };
  return (
    <>
      <Table
        label="Open orders"
        columns={[...orderColumns, acts]}
        rows={rows}
        keyOf={({ id }) => id}
        empty="No open orders."
      />
      {moved === null ? null : <MoveDialog order={moved} price={moved.price} onClose={() => setMoved(null)} />}
    </>
  );
}

/** Finished orders of the pair that is looked at. */
export const PastOrderTable = () =>
  pastOrders.value === null ? (
    <Loading text="Reading orders" />
  ) : (
    <Table
      label="Finished orders"
      columns={orderColumns}
      rows={pastOrders.value}
      keyOf={({ id }) => id}
      empty="No finished orders within the last seven days."
    />
  );

const fillColumns: readonly Column<Fill>[] = [
  { title: 'Time', cell: ({ at }) => <TimeText at={at} /> },
  { title: 'Pair', cell: ({ symbol }) => <PairLink symbol={symbol} /> },
  { title: 'Side', cell: ({ side }) => <SideText side={side} /> },
  {
    title: 'Price',
    isRight: true,
    cell: ({ price, symbol }) => <NumberText value={price} decimals={priceDecimals(symbol)} />,
  },
  { title: 'Quantity', isRight: true, cell: ({ quantity }) => <NumberText value={quantity} /> },
  { title: 'Amount', isRight: true, cell: ({ amount }) => <NumberText value={amount} /> },
  {
    title: 'Fee',
    isRight: true,
    cell: ({ fee, feeAsset }) => (
      <>
        <NumberText value={fee} /> {feeAsset}
      </>
    ),
  },
  { title: 'Role', cell: ({ isMaker }) => (isMaker ? 'Maker' : 'Taker') },
];

/** Fills of the pair that is looked at. */
export const FillTable = () =>
  fills.value === null ? (
    <Loading text="Reading fills" />
  ) : (
    <Table
      label="Fills"
      columns={fillColumns}
      rows={fills.value}
      keyOf={({ id, side }) => id + side}
      empty="No fills within the last thirty days."
    />
  );

const balanceColumns: readonly Column<BalanceRow>[] = [
  { title: 'Asset', cell: ({ asset }) => asset },
  { title: 'Free', isRight: true, cell: ({ free }) => <NumberText value={free} /> },
  { title: 'Held', isRight: true, cell: ({ held }) => <NumberText value={held} /> },
  {
    title: 'Worth (USDT)',
    isRight: true,
    cell: ({ worth }) => <span class="number">{worth === null ? '–' : compact(worth)}</span>,
  },
];

/** What the account owns. */
export function BalanceTable() {
  const rows = balanceRows();
  if (rows === null) return <Loading text="Reading balances" />;
  return (
    <Table
      label="Balances"
      columns={balanceColumns}
      rows={rows}
      keyOf={({ asset }) => asset}
      empty="Nothing is here."
    />
  );
}
