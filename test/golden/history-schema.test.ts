import { expect, test } from 'vitest';
import { historyTables } from '#history/tables/history-tables.ts';
import { schemaMigrations } from '#history/sqlite/table-sql.ts';

test('the schema steps of history are those that were released, and databases written by them stay readable', async () => {
  const steps = schemaMigrations(historyTables).map((sql, index) => `-- step ${index + 1}\n${sql}`);
  await expect(steps.join('\n')).toMatchFileSnapshot('history-schema.sql');
});
