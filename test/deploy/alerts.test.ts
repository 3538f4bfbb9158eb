import { describe, expect, test } from 'vitest';
import { anchorOf } from '#http/documents/markdown.ts';
import { alerts, alertTests, textOf } from './deploy-files.ts';

const all = alerts();
const runbooks = 'docs/operations/runbooks.md';
/** Entries of the runbooks: heading and text. */
const entries = new Map(
  textOf(runbooks)
    .split(/^## /m)
    .slice(1)
    .map((entry) => [entry.slice(0, entry.indexOf('\n')), entry.slice(entry.indexOf('\n'))] as const),
);

describe('DEC-OPR-288: each alert has its runbook', () => {
  test.each(all.map((alert) => [alert.alert, alert] as const))('%s', (name, { annotations }) => {
    expect(name).toMatch(/^Bourse[A-Z][A-Za-z]+$/);
    expect(annotations.runbook_url).toBe(`${runbooks}#${anchorOf(name)}`);
    const entry = entries.get(name);
    expect(entry, `${runbooks} has an entry ${name}`).toBeDefined();
    // What it means, and something to do.
    expect(entry!.length).toBeGreaterThan(200);
    expect(entry).toMatch(/^(1\. |```|.*`bourse op|.*`GET |.*`curl)/m);
  });

  test('and each entry that is named like one belongs to an alert', () => {
    const names = all.map(({ alert }) => alert);
    expect([...entries.keys()].filter((heading) => /^Bourse[A-Z]\w+$/.test(heading)).sort()).toEqual(names.sort());
  });

  test('names are given once', () => {
    const names = all.map(({ alert }) => alert);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('DEC-OPR-288: each alert is unit-tested', () => {
  const tried = alertTests().flatMap(({ alert_rule_test }) => alert_rule_test);

  test.each(all.map(({ alert, labels }) => [alert, labels.severity]))('%s fires and keeps quiet', (name, severity) => {
    const own = tried.filter(({ alertname }) => alertname === name);
    const fired = own.flatMap(({ exp_alerts }) => exp_alerts);
    expect(fired.length).toBeGreaterThan(0);
    expect(own.some(({ exp_alerts }) => exp_alerts.length === 0)).toBe(true);
    for (const { exp_labels, exp_annotations } of fired) {
      expect(exp_labels['severity']).toBe(severity);
      expect(exp_annotations.runbook_url).toBe(`${runbooks}#${anchorOf(name)}`);
      expect(exp_annotations.summary).not.toContain('{{');
    }
  });

  test('and no alert is tested that there is none of', () => {
    const names = new Set(all.map(({ alert }) => alert));
    expect(tried.map(({ alertname }) => alertname).filter((name) => !names.has(name))).toEqual([]);
  });
});

describe('docs/operations/monitoring.md', () => {
  const page = textOf('docs/operations/monitoring.md');

  test('lists every alert with its severity', () => {
    for (const { alert, labels } of all)
      expect(page).toContain(`[${alert}](runbooks.md#${anchorOf(alert)}) | ${labels.severity} |`);
  });
});
