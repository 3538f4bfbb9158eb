import { execFileSync } from 'node:child_process';
import { cpus, loadavg, totalmem } from 'node:os';

/** One line of the table; `ratio` is of the medians. `must` and `aim` are budgets on the ratio. */
export interface BenchLine {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly samples: readonly number[];
  /** What the value is held against, measured in the same run; `null` where the budget is a plain figure. */
  readonly baseline: number | null;
  /** `value / baseline`, or `baseline / value` where less is better; without a baseline the value itself. */
  readonly ratio: number;
  readonly must: Budget | null;
  readonly aim: Budget | null;
  /** What the numbers were measured with, for people. */
  readonly note: string;
}

/** A bound on the ratio. */
export interface Budget {
  readonly bound: 'atLeast' | 'atMost';
  readonly figure: number;
}

export const atLeast = (figure: number): Budget => ({ bound: 'atLeast', figure });
export const atMost = (figure: number): Budget => ({ bound: 'atMost', figure });
export const meets = (ratio: number, budget: Budget): boolean =>
  budget.bound === 'atLeast' ? ratio >= budget.figure : ratio <= budget.figure;

/** How much a run may spend: `quick` is for a first look, the full one for figures to quote. */
export interface BenchSize {
  readonly quick: boolean;
  /** Samples of each side of a comparison. */
  readonly samples: number;
  /** How long groups run that run for a time of their own; `null`: as long as they think right. */
  readonly minutes: number | null;
  /** Prefixes of the lines that are asked for; others need not be measured. */
  readonly only: readonly string[];
}

/** Whether a line is asked for. */
export const isAsked = (name: string, { only }: Pick<BenchSize, 'only'>): boolean =>
  only.some((prefix) => name.startsWith(prefix));

/** A group of lines that share their set-up; it runs in a process of its own. */
export interface BenchGroup {
  /** Lines it reports. */
  readonly names: readonly string[];
  /** Left out unless `--only` names it or one of its lines in full: it takes too long to run along. */
  readonly onlyByName?: true;
  run(size: BenchSize, report: (line: BenchLine) => void): Promise<void> | void;
}

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((first, second) => first - second);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
};

/** The value that a share of all values does not pass; sorts in place. */
export const percentile = (values: Float64Array, share: number): number =>
  values[Math.min(values.length - 1, Math.floor(values.length * share))]!;

type Sample<Value = number> = () => Value | Promise<Value>;

/** Takes samples in turn, A B A B, so that a machine that gets slower hurts both alike. One of each warms up first. */
export async function interleave<Name extends string, Value = number>(
  contenders: Record<Name, Sample<Value>>,
  samples: number,
): Promise<Record<Name, Value[]>> {
  const names = Object.keys(contenders) as Name[];
  const results = Object.fromEntries(names.map((name) => [name, [] as Value[]])) as Record<Name, Value[]>;
  for (const name of names) await contenders[name]();
  for (let round = 0; round < samples; round += 1) {
    for (const name of names) {
      collectGarbage();
      results[name].push(await contenders[name]());
    }
  }
  return results;
}

/**
 * As `interleave`, with samples that consist of slices: those of the others' samples stand between them, so that what
 * slows the machine for a second hurts all samples of a round alike. Each call is one slice and answers operations per
 * second; slices of one contender are equally long.
 */
export async function interleaveSlices<Name extends string>(
  contenders: Record<Name, Sample>,
  samples: number,
  slices: number,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(contenders) as Name[];
  const results = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let round = 0; round <= samples; round += 1) {
    collectGarbage();
    const seconds = Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;
    for (let slice = 0; slice < slices; slice += 1) {
      for (const name of names) seconds[name] += 1 / (await contenders[name]());
    }
    // The first round warms up.
    if (round > 0) for (const name of names) results[name].push(slices / seconds[name]);
  }
  return results;
}

/** Runs a full collection where the process was started with `--expose-gc`. */
export function collectGarbage(): void {
  (globalThis as { gc?: () => void }).gc?.();
}

/** A line from samples of a contender and of what it is held against. */
export function compared(
  line: Pick<BenchLine, 'name' | 'unit' | 'must' | 'aim' | 'note'>,
  samples: readonly number[],
  baselines: readonly number[],
): BenchLine {
  const value = median(samples);
  const baseline = median(baselines);
  return { ...line, value, samples, baseline, ratio: value / baseline };
}

/** A line whose budget is a plain figure. */
export function alone(
  line: Pick<BenchLine, 'name' | 'unit' | 'must' | 'aim' | 'note'>,
  samples: readonly number[],
): BenchLine {
  const value = median(samples);
  return { ...line, value, samples, baseline: null, ratio: value };
}

/** Seconds that `work` took. */
export function timed(work: () => void): number {
  const began = performance.now();
  work();
  return (performance.now() - began) / 1000;
}

/** Processor, cores, memory and Node: nothing that names the machine itself. */
export function machineOf(): string {
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB of memory`;
  return `${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} cores, ${memory}, Node ${process.versions.node}`;
}

/** The machine, its load and the commit: what every quoted figure needs beside it. */
export function machineLine(): string {
  const [load = 0] = loadavg();
  return `${machineOf()}, load ${load.toFixed(2)}${commitOfTree()}`;
}

function commitOfTree(): string {
  try {
    return `, commit ${execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()}`;
  } catch {
    // Benchmarks of an unpacked archive have no commit to name.
    return '';
  }
}
