/** Lengths of the bars that are kept; every candle is an exact fold of one of them. */
export const barSpans = ['minute', 'quarter', 'hour', 'day'] as const;
export type BarSpan = (typeof barSpans)[number];

/** Length of each stored span. */
export const barSpanMs: Record<BarSpan, number> = {
  minute: 60_000,
  quarter: 900_000,
  hour: 3_600_000,
  day: 86_400_000,
};
