import { metricsText } from '#main/metrics/metrics-text.ts';
import type { MetricSource } from '#main/metrics/declare-metrics.ts';

/** One line of a scrape. */
export interface ScrapedSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** What a scrape answered, read as Prometheus reads it. */
export interface Scrape {
  readonly samples: readonly ScrapedSample[];
  /** Kinds of the metrics that are declared there, by name. */
  readonly kinds: ReadonlyMap<string, string>;
  /** Of the one sample with this name and at least these labels; `null`: there is none. */
  value(name: string, labels?: Readonly<Record<string, string>>): number | null;
}

const samplePattern = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
const labelPattern = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"(?:,|$)/g;

function sampleOf(line: string): ScrapedSample {
  const [, name, labels = '', value] = samplePattern.exec(line) ?? [];
  if (name === undefined) throw new TypeError(`no sample: ${line}`);
  const pairs = [...labels.matchAll(labelPattern)].map(([, label, text]) => [label, text] as const);
  return { name, labels: Object.fromEntries(pairs), value: value === '+Inf' ? Infinity : Number(value) };
}

/** Reads the text of GET /metrics. Throws where it is not as the format demands. */
export function readScrape(text: string): Scrape {
  const samples: ScrapedSample[] = [];
  const kinds = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [, what, name, rest] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (what === 'TYPE') {
      if (kinds.has(name!)) throw new TypeError(`${name} is there twice`);
      kinds.set(name!, rest!);
    } else if (what === undefined && line !== '') samples.push(sampleOf(line));
  }
  return {
    samples,
    kinds,
    value: (name, labels = {}) => {
      const found = samples.filter(
        (each) => each.name === name && Object.entries(labels).every(([label, text]) => each.labels[label] === text),
      );
      if (found.length > 1) throw new TypeError(`${found.length} samples of ${name} fit`);
      return found[0]?.value ?? null;
    },
  };
}

/** What these sources tell now; a source that cannot be read fails the test. */
export async function scrapeOf(...sources: readonly MetricSource[]): Promise<Scrape> {
  const text = await metricsText(sources, (what, error) => {
    throw new Error(what, { cause: error });
  });
  return readScrape(text);
}
