import { afterAll, expect, test } from 'vitest';
import { groupQuery } from '#history/sqlite/group-sql.ts';
import type { Window } from '#history/history-store.ts';
import type { AnyRow, HistoryTable } from '#history/tables/history-table.ts';
import { historyTables } from '#history/tables/history-tables.ts';
import { countQuery, pageQuery, type Query } from '#history/sqlite/page-sql.ts';
import { SqliteConnection } from '#history/sqlite/sqlite-connection.ts';
import { schemaMigrations } from '#history/sqlite/table-sql.ts';

const database = new SqliteConnection(':memory:', schemaMigrations(historyTables));
afterAll(() => database.close());

const window = { from: 1, to: 2 } as unknown as Window;
/** How the database goes about a query, a line for each step. */
const planOf = ({ sql, values }: Query): string =>
  database
    .all(`EXPLAIN QUERY PLAN ${sql}`, values)
    .map((step) => step[3])
    .join('\n');
/** Some values of these fields. */
const valuesOf = (table: HistoryTable, fields: readonly string[]): AnyRow =>
  Object.fromEntries(fields.map((field) => [field, table.columns[field]!.words[0] ?? 1]));

test.each(Object.values<HistoryTable>(historyTables))('the key leads to pages and counts of $name', (table) => {
  const owner = valuesOf(table, table.owner);
  const before = valuesOf(table, table.order);
  const pages = [
    { limit: 10, offset: 20 },
    { limit: 10, before },
  ];
  const queries = [...pages.map((page) => pageQuery(table, owner, window, page)), countQuery(table, owner, window)];
  for (const plan of queries.map(planOf)) {
    expect(plan).toContain(`SEARCH ${table.name} USING PRIMARY KEY`);
    expect(plan).not.toContain('TEMP B-TREE');
  }
});

test('DEC-SUB-46: the key leads to the rows of groups, of which there are 100,000 at most', () => {
  const { rebates, rebateDays } = historyTables;
  const where = { account: 1, kind: 'earned' };
  for (const [table, time] of [
    [rebates, 'at'],
    [rebateDays, 'day'],
  ] as const)
    for (const wanted of [where, { ...where, product: 'spot' }])
      for (const by of [[], ['source', 'code']]) {
        const query = groupQuery(table, wanted, window, { by, sum: ['value', 'turnoverValue'] });
        expect(planOf(query)).toContain(
          `SEARCH ${table.name} USING PRIMARY KEY (account=? AND kind=? AND ${time}>? AND ${time}<?)`,
        );
        expect(query.sql).toMatch(/ LIMIT 100000$/);
      }
});

test('what is no number is not added up, and what is no column is not grouped by', () => {
  const { orders } = historyTables;
  const ask = (by: string[], sum: string[]) => () => groupQuery(orders, { account: 1, symbol: 1 }, window, { by, sum });
  for (const field of ['clientOrderId', 'budget', 'side', 'nothing']) expect(ask([], [field])).toThrow(RangeError);
  expect(ask(['nothing'], [])).toThrow(RangeError);
  expect(ask(['side'], ['executed'])).not.toThrow();
});

test('a further column is compared with a bounded number of rows of the key', () => {
  const { deposits } = historyTables;
  const where = { account: 1, status: 'pending' };
  const queries = [pageQuery(deposits, where, window, { limit: 10 }), countQuery(deposits, where, window)];
  for (const query of queries) {
    expect(planOf(query)).toContain(
      'SEARCH deposits USING PRIMARY KEY (account=? AND inserted_at>? AND inserted_at<?)',
    );
    expect(query.sql).toContain('LIMIT 100000');
  }
});

test('the index of a number leads to its rows', () => {
  const { deposits, withdrawals, transfers, sends } = historyTables;
  const numbers = { deposit: deposits, withdrawal: withdrawals, transfer: transfers, send: sends };
  for (const [number, table] of Object.entries<HistoryTable>(numbers)) {
    const plan = planOf(pageQuery(table, { account: 1, [number]: 5 }, window, { limit: 1 }));
    expect(plan).toContain(`USING INDEX ${table.name}_by_number (${number}=?`);
  }
});
