import { joinSum, splitSum } from '#base/exact-sum.ts';
import type { TimestampMs } from '#model/units.ts';

/**
 * What a history table is: data, from which the DDL, the statements, the packing for the worker and both stores follow.
 * Start in `history-tables.ts`, which declares the tables there are.
 */
export type ColumnType = 'integer' | 'bigInteger' | 'time' | 'text' | 'flag' | 'word' | 'wideSum';

/** A field of a row. Made by the functions below. */
export interface Column<Value = unknown> {
  readonly type: ColumnType;
  /** Name in the database; `null`: the field's own in snake case. */
  readonly name: string | null;
  readonly isNullable: boolean;
  /** Of a `word`: stored as the place in this list, which therefore only ever grows at the end. */
  readonly words: readonly string[];
  /** Exists in the type only: the type of the field. */
  readonly value?: Value;
}

const column = <Value>(type: ColumnType, name: string | null, words: readonly string[] = []): Column<Value> => ({
  type,
  name,
  isNullable: false,
  words,
});

/** A safe integer. */
export const integer = <Value extends number>(name: string | null = null): Column<Value> => column('integer', name);
/** An integer from -2^63 to 2^63 - 1, exact. */
export const bigInteger = <Value extends bigint>(name: string | null = null): Column<Value> =>
  column('bigInteger', name);
/** Milliseconds since 1970. */
export const time = (name: string | null = null): Column<TimestampMs> => column('time', name);
/** A string of any content. */
export const text = <Value extends string>(name: string | null = null): Column<Value> => column('text', name);
/** True or false. */
export const flag = (name: string | null = null): Column<boolean> => column('flag', name);
/** One of a list that only ever grows at the end. */
export const word = <Word extends string>(words: readonly Word[], name: string | null = null): Column<Word> =>
  column('word', name, words);
/** A sum of safe integers that are not negative, below 2^83: two columns, see `base/exact-sum.ts`. Never null. */
export const wideSum = (name: string | null = null): Column<bigint> => column('wideSum', name);
/** A column that may be empty. */
export const nullable = <Value extends string | number | bigint | boolean>(
  of: Column<Value>,
): Column<Value | null> => ({
  ...(of as Column<never>),
  isNullable: true,
});

/** Fields of a row, in the order of the columns in the database. */
type Fields = Readonly<Record<string, Column>>;

/** What is declared about a table. */
export interface TableDeclaration<Columns extends Fields, Field extends string = keyof Columns & string> {
  /** Schema version that added the table; a released version never changes. */
  readonly since: number;
  readonly columns: Columns;
  /** Columns that are asked for by value, then a time, then what tells rows of that time apart. No texts. */
  readonly key: readonly Field[];
  /** Rows without a value in one of its columns are left out of an index. */
  readonly indexes: readonly {
    readonly name: string;
    readonly columns: readonly Field[];
    readonly isUnique: boolean;
  }[];
  /** Shortest time, by the time in their key, before retention may delete rows; `null`: they are kept for ever. */
  readonly retention: { readonly keptMsMin: number } | null;
  /**
   * Its rows never change: one whose key is there already is left out, instead of taking the place of the older one,
   * for which the database would have to remember what it may have to undo.
   */
  readonly isFinal?: true;
  /** The column with the journal position of a row, by which it is taken back; `null`: by a rule of its own. */
  readonly position: Field | null;
}

/** One column of the database. */
export interface StoredColumn {
  readonly field: string;
  readonly name: string;
  readonly type: Exclude<ColumnType, 'wideSum'> | 'sumHigh' | 'sumLow';
  readonly isNullable: boolean;
  readonly words: readonly string[];
}

/** A declared table. Plain data: it may be copied to another thread. */
export interface HistoryTable<Columns extends Fields = Fields, Name = string>
  extends TableDeclaration<Columns, string> {
  readonly name: Name;
  readonly stored: readonly StoredColumn[];
  /** Fields of the key before its time: every query names their values. */
  readonly owner: readonly string[];
  /** The time of the key: what windows and retention go by. */
  readonly time: string;
  /** Fields of the key from its time on: the order of answers. */
  readonly order: readonly string[];
}

/** Tables by name, in the order in which they are written. */
export type TableSet = Readonly<Record<string, HistoryTable>>;

/** Tables, each under the name that it was declared with: any other does not compile. */
export const tableSet = <const Tables extends TableSet>(
  tables: Tables & { readonly [Name in keyof Tables]: { readonly name: Name } },
): Tables => tables;

/** A row of a table. */
export type RowOf<Table> = Table extends { readonly columns: infer Columns }
  ? { readonly [Field in keyof Columns]: Columns[Field] extends Column<infer Value> ? Value : never }
  : never;

/** A row whose table is not known to the compiler. */
export type AnyRow = Readonly<Record<string, unknown>>;

/** Completes a declaration. @throws RangeError when the key holds no time. */
export function declareTable<const Columns extends Fields, const Name extends string>(
  name: Name,
  declaration: TableDeclaration<Columns>,
): HistoryTable<Columns, Name> {
  const { columns, key } = declaration;
  const timeIndex = key.findIndex((field) => columns[field]?.type === 'time');
  if (timeIndex < 0) throw new RangeError(`the key of ${name} holds no time`);
  if (declaration.retention !== null && timeIndex > 1)
    throw new RangeError(`rows of ${name} have a retention, and more than one value before their time`);
  return {
    ...declaration,
    name,
    stored: Object.entries<Column>(columns).flatMap(([field, of]) => storedColumns(field, of)),
    owner: key.slice(0, timeIndex),
    time: key[timeIndex] as string,
    order: key.slice(timeIndex),
  };
}

function storedColumns(field: string, { type, name, isNullable, words }: Column): readonly StoredColumn[] {
  const stored = name ?? field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  if (type !== 'wideSum') return [{ field, name: stored, type, isNullable, words }];
  return [
    { field, name: `${stored}_high`, type: 'sumHigh', isNullable, words },
    { field, name: `${stored}_low`, type: 'sumLow', isNullable, words },
  ];
}

/** What a column of the database holds. */
export type StoredValue = number | bigint | string | null;

/** What a column holds for a field. @throws RangeError for a word that is not in its list. */
export function storedValue({ type, words, name }: StoredColumn, value: unknown): StoredValue {
  if (value === null || value === undefined) return null;
  switch (type) {
    case 'flag':
      return Number(value);
    case 'word': {
      const index = words.indexOf(value as string);
      if (index < 0) throw new RangeError(`history has no ${name} ${String(value)}`);
      return index;
    }
    case 'sumHigh':
      return splitSum(value as bigint).high;
    case 'sumLow':
      return splitSum(value as bigint).low;
    default:
      return value as StoredValue;
  }
}

/** The row that these columns hold. @throws RangeError for a word that is not in its list. */
export function rowOf<Table extends HistoryTable>(table: Table, values: readonly StoredValue[]): RowOf<Table> {
  const row: Record<string, unknown> = {};
  const { stored } = table;
  for (let index = 0; index < stored.length; index += 1) {
    const { field, type, words, name } = stored[index] as StoredColumn;
    const value = values[index] as StoredValue;
    if (value === null || type === 'integer' || type === 'time') row[field] = value;
    else if (type === 'flag') row[field] = value === 1;
    else if (type === 'bigInteger') row[field] = BigInt(value);
    else if (type === 'sumLow') row[field] = joinSum(values[index - 1] as number, value as number);
    else if (type === 'word') {
      const known = words[value as number];
      if (known === undefined) throw new RangeError(`history has no ${name} ${value}`);
      row[field] = known;
    } else if (type !== 'sumHigh') row[field] = value;
  }
  return row as RowOf<Table>;
}

/** The 24 hours that a restarted exchange needs for its rolling statistics, and one to spare. */
export const keptTradesMsMin = 25 * 3_600_000;
