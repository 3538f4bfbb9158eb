import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { minuteMs } from './minute-bars.ts';
import { marketTable, markdownTable, plainTable, seamTable, summaryOf, type Table } from './fact-tables.ts';
import { facts, type MarketReport, measureMarkets } from './facts.ts';
import { drawDay } from './market-picture.ts';
import { runMarket } from './run-market.ts';

/** What `tools/measure-market.mjs` starts: runs a market, prints its tables, and writes the files asked for. */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: 'market' },
    days: { type: 'string', default: '33' },
    'live-hours': { type: 'string', default: '24' },
    at: { type: 'string', default: '2026-02-01T00:00:00Z' },
    markets: { type: 'string', default: '' },
    picture: { type: 'string' },
    'picture-of': { type: 'string', default: 'BTCUSDT' },
    json: { type: 'string' },
  },
});
const hourMs = 60 * minuteMs;
/** Columns that fit beside each other in a document. */
const marketsPerTable = 6;
const seam = Date.parse(values.at);
const [days, liveHours] = [Number(values.days), Number(values['live-hours'])];
if (!(days > 0) || !(liveHours >= 0) || Number.isNaN(seam))
  throw new RangeError('--days, --live-hours or --at is wrong');

function tablesOf(reports: readonly MarketReport[]): readonly Table[] {
  const tables = [summaryOf(reports)];
  for (let at = 0; at < reports.length; at += marketsPerTable) {
    tables.push(marketTable(reports.slice(at, at + marketsPerTable)));
  }
  return liveHours > 0 ? [...tables, seamTable(reports)] : tables;
}

const began = performance.now();
const seconds = (): string => `${((performance.now() - began) / 1_000).toFixed(0)} s`;
const tape = await runMarket({
  seed: values.seed,
  seam,
  historyMs: days * 24 * hourMs,
  liveMs: liveHours * hourMs,
  tell: (text) => console.error(`${seconds().padStart(6)}  ${text}`),
});
const names = values.markets === '' ? null : values.markets.split(',');
const reports = measureMarkets(tape, seam).filter(({ market }) => names?.includes(market.name) ?? true);
const what = `seed ${values.seed}: ${days} days of history up to ${values.at}, ${liveHours} h live`;
const tables = tablesOf(reports);
console.log([what, ...tables.map(plainTable)].join('\n\n'));
console.error(`${seconds().padStart(6)}  ${facts.length} facts of ${reports.length} markets`);
if (values.picture !== undefined) {
  const record = tape.records.find(({ market }) => market.name === values['picture-of']);
  if (record === undefined) throw new RangeError(`no market ${values['picture-of']}`);
  writeFileSync(values.picture, drawDay(record, tape.span, seam));
}
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(reports, null, 2)}\n`);
process.send?.({ what, tables: tables.map(markdownTable) });
process.disconnect?.();
