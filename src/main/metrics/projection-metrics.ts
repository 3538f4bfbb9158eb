import type { HistoryWriter } from '#history/collectors/history-writer.ts';
import { declareMetrics, gauge, type MetricSource, sourceOf } from '#main/metrics/declare-metrics.ts';
import type { MarketDataProjection } from '#market-data/market-data.ts';

/** Metrics of what follows the events of the engine. */
export const projectionMetrics = declareMetrics(
  'History and projections',
  { projection: '`history` or `marketData`' },
  {
    bourse_event_lag_entries: gauge('Entries that the engine has applied and that a projection does not show yet.', [
      'projection',
    ]),
    bourse_history_queued_rows: gauge('Rows that are not written to history yet.'),
    bourse_history_queued_rows_max: gauge(
      'How many such rows there can be; from half of it on only cancels are taken.',
    ),
    bourse_history_lost: gauge('1 after that queue overflowed: history stands still until the next start; else 0.'),
  },
);

/** What the metrics of projections are read from. */
export interface ProjectionParts {
  readonly historyWriter: Pick<HistoryWriter, 'lag'>;
  readonly market: Pick<MarketDataProjection, 'position'>;
  /** Last applied entry. */
  readonly applied: () => number;
}

/** The source of the metrics of projections. */
export const projectionSource = ({ historyWriter, market, applied }: ProjectionParts): MetricSource =>
  sourceOf(projectionMetrics, () => {
    const { entries, rows, rowsMax, lost } = historyWriter.lag();
    return {
      bourse_event_lag_entries: [
        [{ projection: 'history' }, entries],
        [{ projection: 'marketData' }, applied() - market.position()],
      ],
      bourse_history_queued_rows: rows,
      bourse_history_queued_rows_max: rowsMax,
      bourse_history_lost: lost ? 1 : 0,
    };
  });
