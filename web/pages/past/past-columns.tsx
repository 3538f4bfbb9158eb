import { pairsByName } from '#web/data/markets.ts';
import { averagePrice, type Fill, type Order } from '#web/data/orders.ts';
import type { Column } from '#web/design/table.tsx';
import { NumberText, TimeText } from '#web/design/values.tsx';

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

/** Columns of orders. */
export const orderColumns: readonly Column<Order>[] = [
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
  {
    title: 'Average price',
    isRight: true,
    cell: (order) => <NumberText value={averagePrice(order)} decimals={priceDecimals(order.symbol)} />,
  },
  {
    title: 'Filled amount',
    isRight: true,
    cell: ({ executedQuote }) => <NumberText value={Number(executedQuote) === 0 ? null : executedQuote} />,
  },
  { title: 'State', cell: ({ status }) => words[status] ?? status },
];

/** Columns of fills. */
export const fillColumns: readonly Column<Fill>[] = [
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
