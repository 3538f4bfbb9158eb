import { useEffect, useState } from 'preact/hooks';
import { readMetrics } from '#web/office/data/exposition.ts';
import { charts } from '#web/office/performance/charts.ts';
import type { Scrape } from '#web/office/performance/readings.ts';

/** Time between two looks at the metrics. */
export const everyMs = 2000;
/** Half an hour of looks; older ones are dropped. */
const samplesMax = 900;

/** What a chart draws: seconds since 1970, and for each line its values at them. */
export interface Samples {
  readonly times: readonly number[];
  readonly lines: readonly (readonly (number | null)[])[];
}

/** What was seen since the page was opened. */
export interface Seen {
  /** One for each chart. */
  readonly samples: readonly Samples[];
  /** Whether the last look was answered. */
  readonly isAnswered: boolean;
}

const nothing: readonly Samples[] = charts.map(({ lines }) => ({ times: [], lines: lines.map(() => []) }));

const added = <Item>(list: readonly Item[], item: Item): readonly Item[] => [...list.slice(1 - samplesMax), item];

/** What was seen, and what a further look shows. Where nobody answered, lines have a gap. */
export function seenAfter(samples: readonly Samples[], now: Scrape | null, before: Scrape | null, at: number) {
  return samples.map(({ times, lines }, index) => ({
    times: added(times, at / 1000),
    lines: lines.map((values, line) =>
      added(values, now === null ? null : (charts[index]?.lines[line]?.read(now, before) ?? null)),
    ),
  }));
}

/** Looks at the metrics again and again while the page is open and in sight; `null`: before the first answer. */
export function useSamples(): Seen | null {
  const [seen, setSeen] = useState<Seen | null>(null);
  useEffect(() => {
    let last: Scrape | null = null;
    let [isOver, isLooking] = [false, false];
    const look = async (): Promise<void> => {
      if (document.hidden || isLooking) return;
      isLooking = true;
      const metrics = await readMetrics().catch(() => null);
      isLooking = false;
      if (isOver) return;
      const at = Date.now();
      const now = metrics === null ? null : { at, metrics };
      const before = last;
      last = now;
      setSeen((known) => ({
        samples: seenAfter(known?.samples ?? nothing, now, before, at),
        isAnswered: now !== null,
      }));
    };
    void look();
    const timer = setInterval(() => void look(), everyMs);
    return () => {
      isOver = true;
      clearInterval(timer);
    };
  }, []);
  return seen;
}
