import { expect, test } from 'vitest';
import { parseMetrics, sumOf } from '#web/office/data/exposition.ts';
import { alarmsOf } from '#web/office/overview/alarms.ts';

const text = (held: number, balanced: number): string => `# HELP bourse_network_held Whether withdrawals are held.
# TYPE bourse_network_held gauge
bourse_network_held{network="BTC"} 0
bourse_network_held{network="E\\"}TH"} ${held}
bourse_ledger_balanced ${balanced}
bourse_ready 1
bourse_cpu_seconds_total{mode="user"} 1.5e-3
`;

test('metrics are read with their labels, and summed over them', () => {
  const metrics = parseMetrics(text(1, 1));
  expect(sumOf(metrics, 'bourse_network_held')).toBe(1);
  expect(metrics.get('bourse_network_held')?.[1]?.labels).toBe('network="E\\"}TH"');
  expect(sumOf(metrics, 'bourse_cpu_seconds_total')).toBe(0.0015);
  expect(sumOf(metrics, 'nothing')).toBeNull();
});

test('DEC-WEB-48: the overview names what an operator has to look at, and where', () => {
  expect(alarmsOf(parseMetrics(text(0, 1)))).toEqual([]);
  expect(alarmsOf(parseMetrics(text(1, 0))).map(({ href }) => href)).toEqual(['/solvency', '/safety']);
});
