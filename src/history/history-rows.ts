import { joinSum, splitSum } from '#base/exact-sum.ts';
import { closeReasons, type OrderView, orderKinds, orderStatuses, sides, stpModes } from '#domain/order.ts';
import type {
  AccountId,
  AssetId,
  Lots,
  OrderNumber,
  PriceTicks,
  Quanta,
  SymbolId,
  TimestampMs,
  TradeNumber,
} from '#domain/units.ts';
import { type Bar, type BarSpan, barSpans, type FillRow, type TradeRow } from '#history/history-store.ts';

/** What a column of the database holds. */
export type ColumnValue = number | string | null;

/**
 * How one kind of row lies in a table and on the way to a worker: every column a safe integer, at most one of text.
 * Words are stored as their place in the domain's lists, which therefore only ever grow at the end.
 */
export interface RowTable<Row> {
  readonly name: string;
  readonly columns: readonly string[];
  /** Place of the text column, -1 if there is none. Texts hold no line feed and are never empty. */
  readonly textColumn: number;
  toValues(row: Row): ColumnValue[];
  fromValues(values: readonly ColumnValue[]): Row;
}

/** How public trades are stored. */
export const tradeTable: RowTable<TradeRow> = {
  name: 'trades',
  columns: ['symbol', 'at', 'trade', 'price', 'lots', 'quote_amount', 'taker_side', 'taker'],
  textColumn: -1,
  toValues: (row) => [
    row.symbol,
    row.at,
    row.trade,
    row.price,
    row.lots,
    row.quoteAmount,
    sides.indexOf(row.takerSide),
    row.taker,
  ],
  fromValues: (values) => ({
    symbol: values[0] as SymbolId,
    at: values[1] as TimestampMs,
    trade: values[2] as TradeNumber,
    price: values[3] as PriceTicks,
    lots: values[4] as Lots,
    quoteAmount: values[5] as Quanta,
    takerSide: word(sides, values[6]),
    taker: values[7] as OrderNumber,
  }),
};

/** How fills are stored. */
export const fillTable: RowTable<FillRow> = {
  name: 'fills',
  columns: [
    'account',
    'symbol',
    'at',
    'trade',
    'is_maker',
    'order_number',
    'client_order_id',
    'taker',
    'fill_of_taker',
    'price',
    'lots',
    'quote_amount',
    'side',
    'is_self_trade',
    'fee',
    'fee_asset',
  ],
  textColumn: 6,
  toValues: (row) => [
    row.account,
    row.symbol,
    row.at,
    row.trade,
    Number(row.isMaker),
    row.order,
    row.clientOrderId,
    row.taker,
    row.fillOfTaker,
    row.price,
    row.lots,
    row.quoteAmount,
    sides.indexOf(row.side),
    Number(row.isSelfTrade),
    row.fee,
    row.feeAsset,
  ],
  fromValues: (values) => ({
    account: values[0] as AccountId,
    symbol: values[1] as SymbolId,
    at: values[2] as TimestampMs,
    trade: values[3] as TradeNumber,
    isMaker: values[4] === 1,
    order: values[5] as OrderNumber,
    clientOrderId: values[6] as string | null,
    taker: values[7] as OrderNumber,
    fillOfTaker: values[8] as number,
    price: values[9] as PriceTicks,
    lots: values[10] as Lots,
    quoteAmount: values[11] as Quanta,
    side: word(sides, values[12]),
    isSelfTrade: values[13] === 1,
    fee: values[14] as Quanta,
    feeAsset: values[15] as AssetId,
  }),
};

/** How finished orders are stored. */
export const orderTable: RowTable<OrderView> = {
  name: 'orders',
  columns: [
    'account',
    'symbol',
    'accepted_at',
    'order_number',
    'side',
    'kind',
    'status',
    'price',
    'quantity',
    'budget',
    'executed',
    'executed_quote',
    'stp_mode',
    'client_order_id',
    'close_reason',
    'updated_at',
  ],
  textColumn: 13,
  toValues: (row) => [
    row.account,
    row.symbol,
    row.acceptedAt,
    row.order,
    sides.indexOf(row.side),
    orderKinds.indexOf(row.kind),
    orderStatuses.indexOf(row.status),
    row.price,
    row.quantity,
    row.budget,
    row.executed,
    row.executedQuote,
    stpModes.indexOf(row.stpMode),
    row.clientOrderId,
    row.closeReason === null ? null : closeReasons.indexOf(row.closeReason),
    row.updatedAt,
  ],
  fromValues: (values) => ({
    account: values[0] as AccountId,
    symbol: values[1] as SymbolId,
    acceptedAt: values[2] as TimestampMs,
    order: values[3] as OrderNumber,
    side: word(sides, values[4]),
    kind: word(orderKinds, values[5]),
    status: word(orderStatuses, values[6]),
    price: values[7] as PriceTicks,
    quantity: values[8] as Lots,
    budget: values[9] as Quanta | null,
    executed: values[10] as Lots,
    executedQuote: values[11] as Quanta,
    stpMode: word(stpModes, values[12]),
    clientOrderId: values[13] as string | null,
    closeReason: values[14] === null ? null : word(closeReasons, values[14]),
    updatedAt: values[15] as TimestampMs,
  }),
};

/** A bar and the length that its table row names. */
export interface SpanBar {
  readonly span: BarSpan;
  readonly bar: Bar;
}

/** How bars of every span are stored. */
export const barTable: RowTable<SpanBar> = {
  name: 'bars',
  columns: [
    'symbol',
    'span',
    'open_time',
    'open',
    'high',
    'low',
    'close',
    'lots_high',
    'lots_low',
    'quote_high',
    'quote_low',
    'trades',
  ],
  textColumn: -1,
  toValues: ({ span, bar }) => {
    const lots = splitSum(bar.lots);
    const quote = splitSum(bar.quoteAmount);
    return [
      bar.symbol,
      barSpans.indexOf(span),
      bar.openTime,
      bar.open,
      bar.high,
      bar.low,
      bar.close,
      lots.high,
      lots.low,
      quote.high,
      quote.low,
      bar.trades,
    ];
  },
  fromValues: (values) => ({
    span: word(barSpans, values[1]),
    bar: {
      symbol: values[0] as SymbolId,
      openTime: values[2] as TimestampMs,
      open: values[3] as PriceTicks,
      high: values[4] as PriceTicks,
      low: values[5] as PriceTicks,
      close: values[6] as PriceTicks,
      lots: joinSum(values[7] as number, values[8] as number),
      quoteAmount: joinSum(values[9] as number, values[10] as number),
      trades: values[11] as number,
    },
  }),
};

/** Rows as they cross to a worker and back: one block of numbers that is handed over, and one text. */
export interface PackedRows {
  /** Row after row; `NaN` stands for null, and for the text column. */
  readonly numbers: Float64Array<ArrayBuffer>;
  /** Texts of the rows in order, one line each; an empty line for null. */
  readonly texts: string;
}

/** Rows as columns, in the table's order. */
export function packRows<Row>(table: RowTable<Row>, rows: readonly Row[]): PackedRows {
  const width = table.columns.length;
  const numbers = new Float64Array(rows.length * width);
  const texts: string[] = [];
  let next = 0;
  for (const row of rows) {
    const values = table.toValues(row);
    for (let column = 0; column < width; column += 1) {
      const value = values[column];
      numbers[next] = typeof value === 'number' ? value : Number.NaN;
      next += 1;
    }
    if (table.textColumn >= 0) texts.push((values[table.textColumn] as string | null) ?? '');
  }
  return { numbers, texts: texts.join('\n') };
}

/** The rows that were packed. */
export function unpackRows<Row>(table: RowTable<Row>, packed: PackedRows): Row[] {
  const width = table.columns.length;
  const texts = table.textColumn < 0 ? [] : packed.texts.split('\n');
  const rows: Row[] = [];
  for (let start = 0, row = 0; start < packed.numbers.length; start += width, row += 1) {
    const values: ColumnValue[] = [];
    for (let column = 0; column < width; column += 1) {
      const number = packed.numbers[start + column] as number;
      values.push(Number.isNaN(number) ? null : number);
    }
    if (table.textColumn >= 0) values[table.textColumn] = texts[row] === '' ? null : (texts[row] as string);
    rows.push(table.fromValues(values));
  }
  return rows;
}

function word<Word extends string>(words: readonly Word[], index: ColumnValue | undefined): Word {
  const found = words[index as number];
  if (found === undefined) throw new RangeError(`no such word in history: ${String(index)}`);
  return found;
}
