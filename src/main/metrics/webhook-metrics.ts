import type { Clock } from '#base/clock.ts';
import { counter, declareMetrics, gauge, type MetricSource, sourceOf } from '#main/metrics/declare-metrics.ts';
import type { ExchangeQueries } from '#sequencer/queries/exchange-queries.ts';
import type { WebhookDelivery } from '#webhooks/deliver-webhooks.ts';

/** Metrics of webhooks. */
export const webhookMetrics = declareMetrics(
  'Webhooks',
  {},
  {
    bourse_webhooks_active: gauge('Webhooks that are switched on.'),
    bourse_webhooks_failing: gauge('Those of them whose last attempt failed.'),
    bourse_webhook_deliveries_total: counter('Events that were taken.'),
    bourse_webhook_failures_total: counter('Attempts that failed.'),
    bourse_webhook_lag_seconds: gauge(
      'Age of the oldest event that an active webhook did not take; 0 if there is none.',
    ),
  },
);

/** What the metrics of webhooks are read from. */
export interface WebhookMetricParts {
  readonly queries: Pick<ExchangeQueries, 'support'>;
  readonly delivery: Pick<WebhookDelivery, 'stateOf' | 'totals'>;
  /** The exchange's clock. */
  readonly clock: Clock;
}

/** The source of the metrics of webhooks. */
export const webhookSource = ({ queries, delivery, clock }: WebhookMetricParts): MetricSource =>
  sourceOf(webhookMetrics, async () => {
    const active = (await queries.support.webhooks()).filter((each) => each.active);
    const states = active.map(({ webhook }) => delivery.stateOf(webhook));
    const oldest = Math.min(...states.map(({ waitingSince }) => waitingSince ?? Number.POSITIVE_INFINITY));
    const { deliveries, failures } = delivery.totals();
    return {
      bourse_webhooks_active: active.length,
      bourse_webhooks_failing: states.filter(({ failingSince }) => failingSince !== null).length,
      bourse_webhook_deliveries_total: deliveries,
      bourse_webhook_failures_total: failures,
      bourse_webhook_lag_seconds: Number.isFinite(oldest) ? Math.max(0, clock.now() - oldest) / 1000 : 0,
    };
  });
