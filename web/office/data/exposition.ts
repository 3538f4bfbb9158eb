/** Values of metrics: by name, each with its labels as they are written. */
export type Metrics = ReadonlyMap<string, readonly { readonly labels: string; readonly value: number }[]>;

/** Reads metrics in the text format of Prometheus. */
export function parseMetrics(text: string): Metrics {
  const metrics = new Map<string, { labels: string; value: number }[]>();
  for (const line of text.split('\n')) {
    const [, name, labels = '', value] = /^([A-Za-z_:][\w:]*)(?:\{(.*)\})? (\S+)/.exec(line) ?? [];
    if (name === undefined) continue;
    const values = metrics.get(name) ?? [];
    values.push({ labels, value: Number(value) });
    metrics.set(name, values);
  }
  return metrics;
}

/** The sum of a metric over all of its labels; `null`: there is none. */
export function sumOf(metrics: Metrics, name: string): number | null {
  const values = metrics.get(name);
  return values === undefined ? null : values.reduce((sum, { value }) => sum + value, 0);
}

/** Metrics of the exchange now. @throws Error without an answer */
export async function readMetrics(): Promise<Metrics> {
  const response = await fetch('/metrics');
  if (!response.ok) throw new Error('The exchange does not answer.');
  return parseMetrics(await response.text());
}
