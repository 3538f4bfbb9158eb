import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { metricCatalogue } from '#main/metrics/metric-catalogue.ts';
import { startServer, type ServerProcess } from '../crash/server-process.ts';
import { readScrape, type Scrape } from '../scraped-metrics.ts';
import { alerts, dashboardQueries } from './deploy-files.ts';
import { metricsIn } from './promql.ts';

const data = mkdtempSync(join(tmpdir(), 'deploy-queries-'));
let server: ServerProcess;
let scrape: Scrape;
beforeAll(async () => {
  server = await startServer(data);
  const { base_url: base, operator_url: operator, operator_token: token } = server.demo;
  // Something of everything that has no series before it happens.
  await fetch(`${base}/api/v3/account`);
  await fetch(`${operator}/v1/assets`, { headers: { authorization: 'Bearer a-token-of-nobody' } });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  await fetch(`${operator}/v1/proposals/999/review`, { method: 'POST', headers, body: '{"decision":"approve"}' });
  // Networks are asked a moment after the start.
  do {
    await setTimeout(1100);
    scrape = readScrape(await (await fetch(`${operator}/metrics`)).text());
  } while (!scrape.samples.some(({ name }) => name === 'bourse_network_height_blocks'));
}, 120_000);
afterAll(async () => {
  server.process.kill('SIGTERM');
  await server.ended;
  rmSync(data, { recursive: true });
});

const declared = new Map(metricCatalogue.flatMap(({ metrics }) => Object.entries(metrics)));
/** Metrics of Prometheus itself. */
const ofPrometheus: ReadonlySet<string> = new Set(['up']);

/** The metric that a name of a series belongs to: parts of a histogram have names of their own. */
function metricOf(series: string): { readonly name: string; readonly labels: readonly string[] } {
  const name = series.replace(/_(bucket|sum|count)$/, '');
  if (name !== series && scrape.kinds.get(name) === 'histogram')
    return { name, labels: [...declared.get(name)!.labels, ...(series.endsWith('_bucket') ? ['le'] : [])] };
  return { name: series, labels: declared.get(series)?.labels ?? [] };
}

test('DEC-OPR-280: a running exchange tells exactly the metrics of the reference, with their labels', () => {
  expect([...scrape.kinds.keys()].sort()).toEqual([...declared.keys()].sort());
  for (const [name, kind] of scrape.kinds) expect([name, kind]).toEqual([name, declared.get(name)!.kind]);
  for (const { name, labels } of scrape.samples)
    expect([name, Object.keys(labels).sort()]).toEqual([name, [...metricOf(name).labels].sort()]);
  const told = new Set(scrape.samples.map(({ name }) => metricOf(name).name));
  // Without custody, withdrawals and deposits there is nothing to be told of them; a sandbox compares nothing, and is
  // no cluster.
  const untold = [...declared.keys()].filter((name) => !told.has(name));
  for (const name of untold)
    expect(name).toMatch(/cluster_|wallet_|withdrawal|deposit|last_trade|spread|reconciliation_/);
});

describe('DEC-OPR-288: what is asked for is told by a running exchange', () => {
  const queries = [
    ...alerts().map(({ alert, expr }) => [`alert ${alert}`, expr] as const),
    ...dashboardQueries().map(({ title, query }) => [`panel ${title}: ${query}`, query] as const),
  ];

  test.each(queries)('%s', (_, query) => {
    const asked = metricsIn(query);
    expect(asked.length).toBeGreaterThan(0);
    for (const { name, labels } of asked) {
      if (ofPrometheus.has(name)) continue;
      const metric = metricOf(name);
      expect(scrape.kinds.has(metric.name), `${metric.name} is a metric`).toBe(true);
      expect(metric.labels, `labels of ${name}`).toEqual(expect.arrayContaining([...labels]));
    }
  });

  test('rates are taken of what only rises, and nothing else is asked as a rate', () => {
    for (const [, query] of queries) {
      for (const [, inner] of query.matchAll(/(?:rate|increase)\((\w+)/g))
        expect([inner, ['counter', 'histogram']]).toEqual([
          inner,
          expect.arrayContaining([scrape.kinds.get(metricOf(inner!).name)]),
        ]);
    }
  });

  test('values of labels that queries name are those that the exchange gives', () => {
    const words: Readonly<Record<string, readonly string[]>> = {
      wallet: ['hot', 'gas'],
      projection: ['history', 'marketData'],
      port: ['public', 'futures', 'operator'],
      percentile: ['50', '99', '100'],
      status: [
        ...['apply', 'auditing', 'wait', 'processing', 'packaging', 'confirming', 'manual'],
        ...['pending', 'small', 'largeDelay', 'invalid', 'restricted', 'frozen', '5..'],
      ],
    };
    for (const [, query] of queries)
      for (const [, label, , text] of query.matchAll(/(\w+)(=~|!=|=)"([^"]*)"/g)) {
        if (label === 'job' || text === '.*') continue;
        expect(words[label!], `${label}="${text}"`).toEqual(expect.arrayContaining(text!.split('|')));
      }
  });

  test('a legend names labels that its query keeps', () => {
    for (const { query, legendFormat } of dashboardQueries()) {
      const { name } = metricsIn(query)[0]!;
      for (const [, label] of legendFormat.matchAll(/\{\{(\w+)\}\}/g)) {
        expect(metricOf(name).labels, `${legendFormat} of ${query}`).toContain(label);
        if (query.includes(' by ')) expect(query).toMatch(new RegExp(`by \\([^)]*\\b${label}\\b`));
      }
    }
  });
});
