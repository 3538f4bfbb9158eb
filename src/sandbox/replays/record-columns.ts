import type { RecordFormat } from '#sandbox/replays/recording.ts';

/** A column of a record. */
export interface RecordColumn {
  /** Its name in the answers. */
  readonly name: string;
  /** What headers call it, in small letters without signs between them. */
  readonly headers: readonly string[];
  /** Where it stands in a record without header, counted from 0. */
  readonly place: number;
  readonly isRequired: boolean;
  /** The number that a text stands for; `null`: none. */
  readonly read: (text: string) => number | null;
  /** What it must be, as a clause. */
  readonly must: string;
}

const decimalPattern = /^\d{1,18}(?:\.\d{1,30})?(?:e[+-]?\d{1,2})?$/i;
const decimal = (text: string): number | null => (decimalPattern.test(text) ? Number(text) : null);
const positive = (text: string): number | null => {
  const value = decimal(text);
  return value === null || value <= 0 ? null : value;
};

/** Times in milliseconds are between these, those in microseconds a thousand times as great. */
const times = { least: 1e11, most: 1e14, thousand: 1000 } as const;

function time(text: string): number | null {
  const value = /^\d{12,17}$/.test(text) ? Number(text) : 0;
  if (value >= times.least && value < times.most) return value;
  const inMs = value / times.thousand;
  return inMs >= times.least && inMs < times.most ? inMs : null;
}

function flag(text: string): number | null {
  switch (text.toLowerCase()) {
    case 'true':
    case '1':
      return 1;
    case 'false':
    case '0':
      return 0;
    default:
      return null;
  }
}

const mustBeTime = 'must be a time in milliseconds or microseconds since 1970';
const mustBePrice = 'must be a decimal number above 0';
const mustBeAmount = 'must be a decimal number, not below 0';

const timeColumn = (name: string, headers: readonly string[], place: number, isRequired = true): RecordColumn => ({
  ...{ name, headers, place, isRequired },
  read: time,
  must: mustBeTime,
});
const priceColumn = (name: string, headers: readonly string[], place: number): RecordColumn => ({
  ...{ name, headers, place, isRequired: true },
  read: positive,
  must: mustBePrice,
});
const amountColumn = (name: string, headers: readonly string[], place: number, isRequired = true): RecordColumn => ({
  ...{ name, headers, place, isRequired },
  read: decimal,
  must: mustBeAmount,
});

/** The columns that are read of each format, in the places of the well-known public dumps. DEC-KIT-64. */
export const recordColumns = {
  trades: {
    price: priceColumn('price', ['price', 'p'], 1),
    quantity: amountColumn('qty', ['qty', 'quantity', 'amount', 'q'], 2),
    time: timeColumn('time', ['time', 'timestamp', 'transacttime', 't'], 4),
    isBuyerMaker: {
      ...{ name: 'is_buyer_maker', headers: ['isbuyermaker', 'm'], place: 5, isRequired: true },
      read: flag,
      must: 'must be true or false',
    },
  },
  candles: {
    openTime: timeColumn('open_time', ['opentime'], 0),
    open: priceColumn('open', ['open'], 1),
    high: priceColumn('high', ['high'], 2),
    low: priceColumn('low', ['low'], 3),
    close: priceColumn('close', ['close'], 4),
    volume: amountColumn('volume', ['volume'], 5),
    closeTime: timeColumn('close_time', ['closetime'], 6, false),
    count: amountColumn('count', ['count', 'trades', 'numberoftrades'], 8, false),
    takerBuy: amountColumn(
      'taker_buy_base',
      ['takerbuybase', 'takerbuyvolume', 'takerbuybasevolume', 'takerbuybaseassetvolume'],
      9,
      false,
    ),
  },
} as const satisfies Record<RecordFormat, Readonly<Record<string, RecordColumn>>>;

/** A header as columns know it. */
export const plainHeader = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, '');
