import { declareMetrics, gauge, type MetricSource, sourceOf } from '#main/metrics/declare-metrics.ts';

/** Metrics of the clock. */
export const clockMetrics = declareMetrics(
  'Clock',
  {},
  {
    bourse_clock_drift_seconds: gauge(
      "The machine's clock less the time expected by its monotonic clock since the start or the last confirmation.",
    ),
    bourse_engine_time_ahead_seconds: gauge('How far the last entry is dated ahead of the clock of the exchange.'),
    bourse_clock_stops_order_entry: gauge('1 while the clock waits for an operator to confirm it; else 0.'),
  },
);

/** What a clock watch has found, in milliseconds. */
export interface ClockFindings {
  readonly driftMs: number;
  readonly engineAheadMs: number;
  readonly stopsOrderEntry: boolean;
}

/** The source of the clock's metrics. */
export const clockSource = (findings: () => ClockFindings): MetricSource =>
  sourceOf(clockMetrics, () => {
    const { driftMs, engineAheadMs, stopsOrderEntry } = findings();
    return {
      bourse_clock_drift_seconds: driftMs / 1000,
      bourse_engine_time_ahead_seconds: engineAheadMs / 1000,
      bourse_clock_stops_order_entry: stopsOrderEntry ? 1 : 0,
    };
  });
