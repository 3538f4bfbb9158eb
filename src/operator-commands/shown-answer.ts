import { isoTime } from '#base/clock.ts';
import type { JsonSchema } from '#http/documents/json-schema.ts';
import { momentFormat } from '#operator-api/declaration/fields.ts';
import { usedWrongly } from '#operator-commands/exit-codes.ts';
import { fittingColumns, safeText, TextTable } from '#operator-commands/text-table.ts';

/*
 * Answers as people read them: lists as tables, one thing as lines of name and value, moments in UTC. DEC-OPR-265.
 */

type Tree = Readonly<Record<string, unknown>>;

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value);
const isListOfTrees = (value: unknown): value is readonly Tree[] => Array.isArray(value) && value.some(isTree);

/** What a schema says of a member, past null; nothing where it says nothing. */
function schemaAt(schema: JsonSchema, name: string): JsonSchema {
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>;
  const member = Object.hasOwn(properties, name) ? properties[name]! : {};
  const alternatives = (member['anyOf'] ?? member['oneOf']) as readonly JsonSchema[] | undefined;
  return alternatives?.find((each) => each['type'] !== 'null') ?? member;
}
const itemsOf = (schema: JsonSchema): JsonSchema => (schema['items'] ?? {}) as JsonSchema;

/** The greatest moment that a date can have. */
const momentMax = 8.64e15;

function textOf(value: unknown, schema: JsonSchema): string {
  if (value === null || value === undefined) return '-';
  if (typeof value === 'number' && schema['format'] === momentFormat && Math.abs(value) <= momentMax)
    return isoTime(value);
  if (value === '') return '""';
  return safeText(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

interface Cell {
  readonly name: string;
  readonly text: string;
}

/** Members in the order of their schema, then those that it does not know. */
function membersOf(tree: Tree, schema: JsonSchema): readonly (readonly [string, unknown])[] {
  const known = Object.keys((schema['properties'] ?? {}) as object).filter((name) => Object.hasOwn(tree, name));
  const others = Object.keys(tree).filter((name) => !known.includes(name));
  return [...known, ...others].map((name) => [name, tree[name]]);
}

/** A thing as cells: members of members under `outer.inner`, lists in one cell. */
function cellsOf(tree: Tree, schema: JsonSchema, outer = ''): readonly Cell[] {
  return membersOf(tree, schema).flatMap(([key, value]) => {
    const [name, inner] = [`${outer}${key}`, schemaAt(schema, key)];
    if (isTree(value)) return cellsOf(value, inner, `${name}.`);
    if (isListOfTrees(value)) return [{ name, text: shortText(value) }];
    if (Array.isArray(value)) {
      const parts = value.map((item) => textOf(item, itemsOf(inner)));
      return [{ name, text: parts.length === 0 ? '-' : parts.join(',') }];
    }
    return [{ name, text: textOf(value, inner) }];
  });
}

/** A list of pairs as `fees:12.5,gas:3`, any other as the number of its things. */
function shortText(list: readonly Tree[]): string {
  const isOfPairs = list.every((each) => Object.keys(each).length === 2 && !Object.values(each).some(isTree));
  if (!isOfPairs) return `${list.length} of them`;
  return list
    .map((each) =>
      Object.values(each)
        .map((value) => textOf(value, {}))
        .join(':'),
    )
    .join(',');
}

/** Which columns a table has. */
export interface ColumnChoice {
  /** Names as they were asked for; `null`: those that fit. */
  readonly names: readonly string[] | null;
  /** Columns of the terminal; `null`: as many as there are. */
  readonly width: number | null;
}

/** Shows a list page by page; what fits is decided by the first page. */
export class ShownList {
  private readonly schema: JsonSchema;
  private readonly choice: ColumnChoice;
  private table: { readonly names: readonly string[]; readonly text: TextTable } | null = null;
  /** Columns that were left out for want of room. */
  private left = 0;

  /** `schema`: of one item. */
  constructor(schema: JsonSchema, choice: ColumnChoice) {
    this.schema = schema;
    this.choice = choice;
  }

  /** Lines for these items. */
  page(items: readonly unknown[]): string {
    const rows = items.map((item) => cellsOf(isTree(item) ? item : { value: item }, this.schema));
    if (rows.length === 0) return '';
    this.table ??= this.begin(rows);
    const { names, text } = this.table;
    return text.add(rows.map((row) => names.map((name) => row.find((cell) => cell.name === name)?.text ?? '-')));
  }

  /** What to tell of columns that are not shown; empty: all are. */
  note(): string {
    return this.left === 0 ? '' : `${this.left} more columns: --columns all, or --json\n`;
  }

  /** @throws CommandFailed where there is no column of an asked name. */
  private begin(rows: readonly (readonly Cell[])[]) {
    const all = [...new Set(rows.flatMap((row) => row.map(({ name }) => name)))];
    const unknown = this.choice.names?.find((name) => !all.includes(name));
    if (unknown !== undefined) throw usedWrongly(`--columns: there is no ${unknown}; there are: ${all.join(', ')}`);
    const names = this.choice.names ?? all.slice(0, this.fitting(all, rows));
    this.left = this.choice.names === null ? all.length - names.length : 0;
    return { names, text: new TextTable(names) };
  }

  private fitting(names: readonly string[], rows: readonly (readonly Cell[])[]): number {
    const { width } = this.choice;
    if (width === null) return names.length;
    const widthOf = (name: string): number =>
      Math.max(name.length, ...rows.map((row) => row.find((cell) => cell.name === name)?.text.length ?? 0));
    return fittingColumns(names.map(widthOf), width);
  }
}

/** One thing: a line a member, then each list of things as a table under its name. */
export function shownThing(thing: unknown, schema: JsonSchema, width: number | null): string {
  if (!isTree(thing)) return `${textOf(thing, schema)}\n`;
  const lists = membersOf(thing, schema).filter(([, value]) => isListOfTrees(value));
  const plain = Object.fromEntries(Object.entries(thing).filter(([, value]) => !isListOfTrees(value)));
  const cells = cellsOf(plain, schema);
  const nameWidth = Math.max(0, ...cells.map(({ name }) => name.length));
  const lines = cells.map(({ name, text }) => `${name.padEnd(nameWidth)}  ${text}\n`).join('');
  const tables = lists.map(([name, items]) => {
    const list = new ShownList(itemsOf(schemaAt(schema, name)), { names: null, width });
    const title = cells.length === 0 && lists.length === 1 ? '' : `\n${name}\n`;
    return `${title}${list.page(items as readonly unknown[])}${list.note()}`;
  });
  return [lines, ...tables].join('').replace(/^\n/, '');
}
