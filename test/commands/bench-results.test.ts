import { expect, test } from 'vitest';
import { alone, atMost, type BenchLine, compared } from '../../benchmarks/harness.ts';
import { resultFiles } from '../../benchmarks/results-page.ts';

const machine = 'A processor, 2 cores, 24 GiB of memory, Node 20.19.0';
const pageOf = (lines: readonly BenchLine[]): ReadonlyMap<string, string> =>
  resultFiles({ date: '2024-05-01', machine, command: 'npm run bench -- --quick', samples: 3, lines });
const orderCost = (suffix: string, costs: readonly number[]): BenchLine =>
  compared(
    { name: `http/order-cpu${suffix}`, unit: 'µs/req', must: atMost(2), aim: atMost(1.4), note: 'an order' },
    costs,
    [40, 41, 42],
  );

test('results of a benchmark name machine, day, figures, what they are held against, and budgets', () => {
  const text = pageOf([orderCost('', [80, 70, 90])]).get('RESULTS.md')!;
  expect(text).toContain(machine);
  expect(text).toContain('2024-05-01');
  expect(text).toContain(
    '| `http/order-cpu` | 80.0 µs/req | 70.0 – 90.0 | 41.0 µs/req | 1.95 | ≤ 2.00 | ≤ 1.40 | must |',
  );
  expect(text).toContain('- `http/order-cpu`: an order');
});

test('a line beyond what must be kept says so, and one without a budget says nothing', () => {
  const missed = alone({ name: 'a/b', unit: 'ms', must: atMost(1), aim: null, note: 'slow' }, [2]);
  const free = alone({ name: 'a/c', unit: 'ms', must: null, aim: null, note: 'free' }, [2]);
  const text = pageOf([missed, free]).get('RESULTS.md')!;
  expect(text).toContain('| `a/b` | 2.00 ms | 2.00 – 2.00 |  | 2.00 | ≤ 1.00 |  | MISSED |');
  expect(text).toContain('| `a/c` | 2.00 ms | 2.00 – 2.00 |  | 2.00 |  |  |  |');
});

test('a cost is drawn against size once all its sizes are measured', () => {
  const [few, some] = [orderCost('-8', [100]), orderCost('', [80])];
  expect([...pageOf([few, some]).keys()]).toEqual(['RESULTS.md']);
  const files = pageOf([few, some, orderCost('-512', [60])]);
  expect([...files.keys()]).toEqual(['RESULTS.md', 'results/order-cpu.svg']);
  expect(files.get('RESULTS.md')).toContain('(results/order-cpu.svg)');
  const svg = files.get('results/order-cpu.svg')!;
  const heights = [...svg.matchAll(/<circle cx="([\d.]+)" cy="([\d.]+)"/g)].map((circle) =>
    circle.slice(1).map(Number),
  );
  // The exchange's first: less is lower, further right is more connections.
  expect(heights).toHaveLength(6);
  const [first, second, third] = heights as [number[], number[], number[]];
  expect(first[0]! < second[0]! && second[0]! < third[0]!).toBe(true);
  expect(first[1]! < second[1]! && second[1]! < third[1]!).toBe(true);
});
