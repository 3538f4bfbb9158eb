import { clockMetrics } from '#main/metrics/clock-metrics.ts';
import { clusterMetrics } from '#main/metrics/cluster-metrics.ts';
import type { MetricSection } from '#main/metrics/declare-metrics.ts';
import { diskMetrics } from '#main/metrics/disk-metrics.ts';
import { httpMetrics } from '#main/metrics/http-metrics.ts';
import { journalMetrics } from '#main/metrics/journal-metrics.ts';
import { ledgerMetrics } from '#main/metrics/ledger-metrics.ts';
import { networkMetrics } from '#main/metrics/network-metrics.ts';
import { processMetrics } from '#main/metrics/process-metrics.ts';
import { projectionMetrics } from '#main/metrics/projection-metrics.ts';
import { reconciliationMetrics } from '#main/metrics/reconciliation-metrics.ts';
import { streamMetrics } from '#main/metrics/stream-metrics.ts';
import { tradingMetrics } from '#main/metrics/trading-metrics.ts';
import { webhookMetrics } from '#main/metrics/webhook-metrics.ts';
import { walletMetrics } from '#main/metrics/wallet-metrics.ts';

/** Every metric of the exchange, in the order of the reference. */
export const metricCatalogue: readonly MetricSection[] = [
  tradingMetrics,
  ledgerMetrics,
  reconciliationMetrics,
  walletMetrics,
  networkMetrics,
  journalMetrics,
  clusterMetrics,
  projectionMetrics,
  diskMetrics,
  webhookMetrics,
  httpMetrics,
  streamMetrics,
  clockMetrics,
  processMetrics,
];
