import type { ReconciliationFindings } from '#custody/settlement/watch-reconciliation.ts';
import { labelValuesMax } from '#main/metrics/bounded-label.ts';
import { declareMetrics, gauge, type MetricSource, sourceOf } from '#main/metrics/declare-metrics.ts';

/** Metrics of the hourly comparison of the ledger with custody. */
export const reconciliationMetrics = declareMetrics(
  'Reconciliation',
  { asset: `code of a listed asset, the first ${labelValuesMax.assets}` },
  {
    bourse_reconciliation_difference_coins: gauge(
      'What custody has more of an asset than the ledger explains, below zero what it has less; 0 while all is ' +
        'explained. Compared every hour, in production only; an asset whose networks do not answer keeps its value.',
      ['asset'],
    ),
    bourse_reconciliation_unexplained_assets: gauge('Assets of which it has more or less, all of them counted.'),
    bourse_reconciliation_age_seconds: gauge(
      'Time since all assets were compared, or since the start; an hour is usual.',
    ),
  },
);

/** The source of these metrics; `findings` answers `null` where nothing is compared. */
export const reconciliationSource = (findings: () => ReconciliationFindings | null): MetricSource =>
  sourceOf(reconciliationMetrics, () => {
    const found = findings();
    const assets = found?.assets ?? [];
    return {
      bourse_reconciliation_difference_coins: assets
        .slice(0, labelValuesMax.assets)
        .map(({ asset, difference }) => [{ asset: asset.code }, Number(difference) / 10 ** asset.scale] as const),
      bourse_reconciliation_unexplained_assets:
        found === null ? null : assets.filter(({ difference }) => difference !== 0n).length,
      bourse_reconciliation_age_seconds: found === null ? null : found.ageMs / 1000,
    };
  });
