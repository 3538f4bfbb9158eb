import { type Clock, monotonicClock } from '#base/clock.ts';
import type { ExchangeCore } from '#main/composition/exchange-core.ts';
import type { OpenWallet } from '#main/composition/open-wallet.ts';
import type { Configuration } from '#main/configuration-schema.ts';
import type { ClockWatch } from '#main/composition/clock-watch.ts';
import { type ClusterMetricParts, clusterSource } from '#main/metrics/cluster-metrics.ts';
import { clockSource } from '#main/metrics/clock-metrics.ts';
import type { MetricSource } from '#main/metrics/declare-metrics.ts';
import { diskSource } from '#main/metrics/disk-metrics.ts';
import { type JournalCounts, journalSource } from '#main/metrics/journal-metrics.ts';
import { ledgerSource } from '#main/metrics/ledger-metrics.ts';
import { networkSource } from '#main/metrics/network-metrics.ts';
import { projectionSource } from '#main/metrics/projection-metrics.ts';
import { reconciliationSource } from '#main/metrics/reconciliation-metrics.ts';
import { createTradingCounts } from '#main/metrics/trading-counts.ts';
import { tradingSource } from '#main/metrics/trading-metrics.ts';
import { webhookSource } from '#main/metrics/webhook-metrics.ts';
import type { WebhookDelivery } from '#webhooks/deliver-webhooks.ts';
import { walletSource } from '#main/metrics/wallet-metrics.ts';
import type { DataDirectory } from '#main/storage/data-directory.ts';

/** What the metrics of an exchange are read from. */
export interface ExchangeMetricParts {
  readonly config: Pick<Configuration, 'diskReserveMib'>;
  readonly directory: DataDirectory;
  readonly core: ExchangeCore;
  readonly wallet: Pick<OpenWallet, 'custody' | 'payingState' | 'sightOf' | 'reconciliation'>;
  readonly webhooks: { readonly delivery: Pick<WebhookDelivery, 'stateOf' | 'totals'> };
  readonly journal: JournalCounts;
  /** The exchange's clock. */
  readonly clock: Clock;
  readonly watch: Pick<ClockWatch, 'findings'>;
  /** Absent: it is by itself. */
  readonly cluster?: ClusterMetricParts | undefined;
}

/** Sources of the metrics of everything but servers and process; trading is counted from now on. */
export function exchangeSources(parts: ExchangeMetricParts): readonly MetricSource[] {
  const { config, directory, core, wallet, webhooks, journal, clock, watch, cluster } = parts;
  const { queries, market, historyWriter, snapshots, sequencer, engine } = core;
  const trading = createTradingCounts();
  sequencer.subscribe(trading.sink);
  return [
    tradingSource({ counts: trading, queries, market, clock }),
    ledgerSource({ queries, clock, monotonic: monotonicClock }),
    reconciliationSource(wallet.reconciliation),
    walletSource({ queries, clock }),
    networkSource({ ...wallet, queries, clock }),
    journalSource({ counts: journal, snapshots, sequencer, monitoring: queries.monitoring }),
    clusterSource(cluster),
    projectionSource({ historyWriter, market, applied: () => engine.seq }),
    diskSource({ directory, monotonic: monotonicClock, space: core.diskSpace, reserve: config.diskReserveMib << 20 }),
    webhookSource({ ...webhooks, queries, clock }),
    clockSource(watch.findings),
  ];
}
