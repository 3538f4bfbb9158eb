import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';

/** The folder of the project. */
export const projectFolder = new URL('../../', import.meta.url);

/** The text of a file, by its path from the folder of the project. */
export const textOf = (path: string): string => readFileSync(new URL(path, projectFolder), 'utf8');

/** A file in YAML as its schema describes it; a key that the schema does not know is a fault. */
export const yamlOf = <Schema extends z.ZodType>(path: string, schema: Schema): z.output<Schema> =>
  schema.parse(parse(textOf(path), { merge: true, strict: true, uniqueKeys: true }));

/** Settings of a file of lines NAME=VALUE, as systemd and Compose read it. */
export const settingsOf = (path: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    textOf(path)
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );

/** Directives of a unit of systemd by section: each name with its values, in their order. */
export function unitOf(path: string): ReadonlyMap<string, ReadonlyMap<string, readonly string[]>> {
  const sections = new Map<string, Map<string, string[]>>();
  for (const line of textOf(path).split('\n')) {
    const [, section] = /^\[(\w+)\]$/.exec(line) ?? [];
    if (section !== undefined) sections.set(section, new Map());
    const [, name, value] = /^(\w+)=(.*)$/.exec(line) ?? [];
    if (name === undefined) continue;
    const own = [...sections.values()].at(-1)!;
    own.set(name, [...(own.get(name) ?? []), value!]);
  }
  return sections;
}

const expression = z.string().min(1);
const annotations = z.strictObject({ summary: z.string().min(1), runbook_url: z.string() });

/** A file of rules of Prometheus, as far as ours go. */
const ruleFile = z.strictObject({
  groups: z.array(
    z.strictObject({
      name: z.string(),
      rules: z.array(
        z.strictObject({
          alert: z.string(),
          expr: expression,
          for: z
            .string()
            .regex(/^\d+[smhd]$/)
            .optional(),
          labels: z.strictObject({ severity: z.enum(['critical', 'warning']) }),
          annotations,
        }),
      ),
    }),
  ),
});

/** Unit tests of rules, as far as ours go. */
const ruleTests = z.strictObject({
  rule_files: z.array(z.string()),
  evaluation_interval: z.string(),
  tests: z.array(
    z.strictObject({
      name: z.string(),
      interval: z.string(),
      input_series: z.array(z.strictObject({ series: expression, values: z.string() })).optional(),
      alert_rule_test: z.array(
        z.strictObject({
          eval_time: z.string(),
          alertname: z.string(),
          exp_alerts: z.array(
            z.strictObject({ exp_labels: z.record(z.string(), z.string()), exp_annotations: annotations }),
          ),
        }),
      ),
    }),
  ),
});

/** Every alert, in the order of the file. */
export const alerts = () => yamlOf('deploy/prometheus/alerts.yml', ruleFile).groups.flatMap(({ rules }) => rules);

/** The unit tests of the alerts. */
export const alertTests = () => yamlOf('deploy/prometheus/alerts.test.yml', ruleTests).tests;

const target = z.strictObject({
  refId: z.string(),
  datasource: z.unknown(),
  expr: expression,
  legendFormat: z.string(),
});
const place = z.strictObject({ h: z.int(), w: z.int(), x: z.int(), y: z.int() });
const panel = z.object({
  id: z.int(),
  type: z.enum(['row', 'stat', 'timeseries']),
  title: z.string().min(1),
  gridPos: place,
  targets: z.array(target).optional(),
});

/** The dashboard of Grafana, as far as tests look at it. */
const dashboardFile = z.object({
  uid: z.string(),
  title: z.string(),
  templating: z.object({ list: z.array(z.object({ name: z.string(), type: z.string() })) }),
  panels: z.array(panel),
});

/** The dashboard of Grafana. */
export const dashboard = () => dashboardFile.parse(JSON.parse(textOf('deploy/grafana/dashboards/bourse.json')));

/** The queries of the dashboard, with what Grafana puts into them. */
export const dashboardQueries = () =>
  dashboard().panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr, legendFormat }) => ({
      title,
      legendFormat,
      query: expr.replaceAll('$__rate_interval', '1m').replaceAll('"$pair"', '".*"'),
    })),
  );
