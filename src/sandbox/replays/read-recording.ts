import { setImmediate } from 'node:timers/promises';
import { type CandleColumns, candleRecording } from '#sandbox/replays/candle-recording.ts';
import { plainHeader, type RecordColumn, recordColumns } from '#sandbox/replays/record-columns.ts';
import { type RecordFormat, type Recording, replayLimits } from '#sandbox/replays/recording.ts';
import { type TradeColumns, tradeRecording } from '#sandbox/replays/trade-recording.ts';

/** A record that cannot be read, with the line, from 1, and the column at fault; `null`: the line as a whole. */
export class RecordFault extends Error {
  override name = 'RecordFault';
  constructor(line: number, column: string | null, must: string) {
    super(`must be readable: line ${line}${column === null ? '' : `, column ${column}`} ${must}`);
  }
}

/** Others get a turn after so many lines. */
const linesPerTurn = 5_000;
/** Length of a candle that names no end and has none behind it. */
const minuteMs = 60_000;

type Fields = (name: string, column: RecordColumn) => string | undefined;
/** How the fields of a line are found; `null`: the line is the header. */
type LineReader = (line: string, number: number) => Fields | null;

/**
 * Reads trades or candles from CSV, with or without header, or NDJSON of the same names; times in milliseconds or
 * microseconds. It is read in turns with whatever else is to be done. DEC-KIT-64.
 * @throws RecordFault that names line and column.
 */
export async function readRecording(format: RecordFormat, text: string): Promise<Recording> {
  const columns: Readonly<Record<string, RecordColumn>> = recordColumns[format];
  const values = Object.fromEntries(Object.keys(columns).map((name) => [name, [] as number[]]));
  const known = Object.entries(columns).map(([name, column]) => ({ name, column, list: values[name]! }));
  const check = format === 'trades' ? checkTrade : checkCandle;
  let read: LineReader | null = null;
  let entries = 0;
  let number = 0;
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start);
    const line = text.slice(start, end < 0 ? text.length : end).trim();
    start = end < 0 ? text.length : end + 1;
    number += 1;
    if (number % linesPerTurn === 0) await setImmediate();
    if (line === '') continue;
    if (line.length > replayLimits.lineLength)
      throw new RecordFault(number, null, `must have at most ${replayLimits.lineLength} characters`);
    read ??= line.startsWith('{') ? readObject : createTableReader(columns, line);
    const fields = read(line, number);
    if (fields === null) continue;
    if (entries >= replayLimits.entries)
      throw new RecordFault(number, null, `must not be there: a record has at most ${replayLimits.entries} entries`);
    for (const { name, column, list } of known) list.push(numberOf(fields(name, column), column, number));
    check(values, entries, number);
    entries += 1;
  }
  if (entries === 0) throw new RecordFault(Math.max(1, number), null, 'must be a trade or a candle: there is none');
  if (format === 'trades') return tradeRecording(values as unknown as TradeColumns);
  return candleRecording(completed(values as Record<string, number[]>) as unknown as CandleColumns);
}

/** Not a number where a column that may be left out is. */
function numberOf(text: string | undefined, column: RecordColumn, line: number): number {
  if (text === undefined || text === '') {
    if (!column.isRequired) return Number.NaN;
    throw new RecordFault(line, column.name, 'is missing');
  }
  const value = column.read(text);
  if (value === null) throw new RecordFault(line, column.name, column.must);
  return value;
}

const unquoted = (text: string): string => text.trim().replace(/^"(.*)"$/, '$1');

/** How a table is read; a first line that is no number is its header. */
function createTableReader(columns: Readonly<Record<string, RecordColumn>>, firstLine: string): LineReader {
  const headers = firstLine.split(',').map(unquoted);
  const hasHeader = !/^[\d.]/.test(headers[0] ?? '');
  const places = new Map<RecordColumn, number>();
  for (const column of Object.values(columns)) {
    const place = headers.findIndex((header) => column.headers.includes(plainHeader(header)));
    places.set(column, hasHeader ? place : column.place);
  }
  let isHeader = hasHeader;
  return (line, number) => {
    if (isHeader) {
      isHeader = false;
      for (const [{ name, isRequired }, place] of places)
        if (isRequired && place < 0) throw new RecordFault(number, name, 'is missing from the header');
      return null;
    }
    const fields = line.split(',');
    return (_name, column) => {
      const field = fields[places.get(column)!];
      return field === undefined ? undefined : unquoted(field);
    };
  };
}

function readObject(line: string, number: number): Fields {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    value = null;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new RecordFault(number, null, 'must be a JSON object');
  const members = new Map(Object.entries(value).map(([name, member]) => [plainHeader(name), member as unknown]));
  return (_name, { headers }) => {
    const name = headers.find((each) => members.has(each));
    const member = name === undefined ? undefined : members.get(name);
    return member === undefined || member === null ? undefined : String(member);
  };
}

type Values = Readonly<Record<string, readonly number[]>>;

function checkTrade({ time }: Values, index: number, line: number): void {
  if (index > 0 && time![index]! < time![index - 1]!)
    throw new RecordFault(line, recordColumns.trades.time.name, 'must not be before that of the line before');
}

function checkCandle(
  { openTime, open, high, low, close, closeTime, takerBuy, volume }: Values,
  index: number,
  line: number,
) {
  const fault = (column: RecordColumn, must: string): RecordFault => new RecordFault(line, column.name, must);
  const columns = recordColumns.candles;
  const opened = openTime![index]!;
  const ended = closeTime![index - 1] ?? 0;
  if (index > 0 && opened <= openTime![index - 1]!)
    throw fault(columns.openTime, 'must be after that of the line before');
  if (index > 0 && opened < ended) throw fault(columns.openTime, 'must not be before close_time of the line before');
  if (closeTime![index]! <= opened) throw fault(columns.closeTime, 'must be after open_time');
  const [top, bottom] = [high![index]!, low![index]!];
  if (top < Math.max(open![index]!, close![index]!)) throw fault(columns.high, 'must not be below open and close');
  if (bottom > Math.min(open![index]!, close![index]!)) throw fault(columns.low, 'must not be above open and close');
  if (takerBuy![index]! > volume![index]!) throw fault(columns.takerBuy, 'must not be above volume');
}

/** Fills in what candles left out: they end where the next one begins, takers buy one half. */
function completed(values: Record<string, number[]>): Record<string, number[]> {
  const { openTime, closeTime, count, takerBuy, volume } = values as Record<string, number[]> & {
    [Name in 'openTime' | 'closeTime' | 'count' | 'takerBuy' | 'volume']: number[];
  };
  const usual = openTime.length > 1 ? openTime[1]! - openTime[0]! : minuteMs;
  for (const [index, opened] of openTime.entries()) {
    if (Number.isNaN(closeTime[index])) closeTime[index] = openTime[index + 1] ?? opened + usual;
    if (Number.isNaN(count[index])) count[index] = Number.POSITIVE_INFINITY;
    if (Number.isNaN(takerBuy[index])) takerBuy[index] = volume[index]! / 2;
  }
  return values;
}
