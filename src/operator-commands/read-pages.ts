import { type JsonSchema, jsonSchemaOf } from '#http/documents/json-schema.ts';
import type { AnyOperatorEndpoint } from '#operator-api/declaration/endpoint.ts';
import { operatorLimits } from '#operator-api/declaration/limits.ts';
import { CommandFailed, exitCodes } from '#operator-commands/exit-codes.ts';
import { ShownList } from '#operator-commands/shown-answer.ts';
import type { Terminal } from '#operator-commands/terminal.ts';

/** Which part of a list is read, and how it is shown. */
export interface ListReading {
  readonly endpoint: AnyOperatorEndpoint;
  readonly query: Readonly<Record<string, unknown>>;
  readonly options: {
    readonly json?: boolean;
    readonly columns?: string;
    readonly limit?: number;
    readonly all?: boolean;
    readonly cursor?: string;
  };
}

interface Page {
  readonly items: readonly unknown[];
  readonly nextCursor: string | null;
}

/** Shows pages as they come. */
interface Shown {
  readonly page: (items: readonly unknown[]) => string;
  readonly end: (nextCursor: string | null) => string;
}

/** One JSON object, as a single page would be answered. */
function asJson(): Shown {
  let isFirst = true;
  return {
    page: (items) => {
      const text = items.map((item) => JSON.stringify(item)).join(',\n');
      const opening = isFirst ? '{"items":[' : text === '' ? '' : ',\n';
      isFirst = false;
      return opening + text;
    },
    end: (nextCursor) => `],"nextCursor":${JSON.stringify(nextCursor)}}\n`,
  };
}

function asTable({ endpoint, options }: ListReading, terminal: Terminal): Shown {
  const { properties } = jsonSchemaOf(endpoint.answer) as { readonly properties?: Record<string, JsonSchema> };
  const item = (properties?.['items']?.['items'] ?? {}) as JsonSchema;
  const isAll = options.columns === 'all';
  const names = options.columns === undefined || isAll ? null : options.columns.split(',').map((name) => name.trim());
  const list = new ShownList(item, { names, width: isAll ? null : terminal.columns });
  let isEmpty = true;
  return {
    page: (items) => {
      isEmpty &&= items.length === 0;
      return list.page(items);
    },
    end: (nextCursor) => {
      terminal.tell(isEmpty ? 'none\n' : list.note());
      if (nextCursor !== null) terminal.tell(`there are more: --all, --limit, or --cursor ${nextCursor}\n`);
      return '';
    },
  };
}

/**
 * Reads a list page by page, as many items as were asked for, and shows it. Only one page is held at a time.
 * DEC-OPR-265.
 * @throws CommandFailed where an answer is no page.
 */
export async function readPages(
  reading: ListReading,
  ask: (query: Readonly<Record<string, unknown>>) => Promise<string | null>,
  terminal: Terminal,
): Promise<number> {
  const { options, query } = reading;
  const shown = options.json === true ? asJson() : asTable(reading, terminal);
  const { pageItemsDefault, pageItemsMax } = operatorLimits;
  let left = options.all === true ? Number.POSITIVE_INFINITY : (options.limit ?? pageItemsDefault);
  let cursor: string | null = options.cursor ?? null;
  do {
    const limit = Math.min(left, pageItemsMax);
    const page = pageOf(await ask({ ...query, limit, ...(cursor === null ? {} : { cursor }) }));
    await terminal.write(shown.page(page.items));
    left -= page.items.length;
    cursor = page.nextCursor;
  } while (cursor !== null && left > 0);
  await terminal.write(shown.end(cursor));
  return exitCodes.done;
}

function pageOf(text: string | null): Page {
  const page = JSON.parse(text ?? 'null') as Partial<Page> | null;
  if (!Array.isArray(page?.items)) throw new CommandFailed(exitCodes.failed, 'the answer is no list');
  return { items: page.items, nextCursor: page.nextCursor ?? null };
}
