import { csvText } from '#web/data/csv.ts';
import type { Fill, Order } from '#web/data/orders.ts';

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

/** Orders as CSV, times in UTC. DEC-WEB-13. */
export const orderCsv = (rows: readonly Order[]): string => csvText(orderHead, rows.map(orderCells));

/** Fills as CSV, times in UTC. DEC-WEB-13. */
export const fillCsv = (rows: readonly Fill[]): string => csvText(fillHead, rows.map(fillCells));
