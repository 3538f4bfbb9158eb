import { useState } from 'preact/hooks';
import type { Order } from '#web/data/orders.ts';
import { reasonOf } from '#web/data/refusal.ts';
import { Button } from '#web/design/button.tsx';
import { compact } from '#web/design/number-text.ts';
import { Loading } from '#web/design/states.tsx';
import { type Column, Table } from '#web/design/table.tsx';
import { say } from '#web/design/toasts.tsx';
import { NumberText } from '#web/design/values.tsx';
import { orderColumns } from '#web/pages/past/past-columns.tsx';
import { type BalanceRow, balanceRows, openOrderRows } from '#web/pages/trade/account-rows.ts';
import { MoveDialog } from '#web/pages/trade/move-dialog.tsx';
import { cancelOrder } from '#web/pages/trade/place-order.ts';

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
