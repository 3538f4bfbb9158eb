import type { Clock } from '#base/clock.ts';
import { boundedLabel, labelValuesMax, otherValue } from '#main/metrics/bounded-label.ts';
import { declareMetrics, gauge, type MetricSource, sourceOf } from '#main/metrics/declare-metrics.ts';
import type { ExchangeQueries } from '#sequencer/queries/exchange-queries.ts';
import type { WaitingPayments } from '#sequencer/queries/monitoring-queries.ts';

/** Metrics of deposits and withdrawals. */
export const walletMetrics = declareMetrics(
  'Deposits and withdrawals',
  {
    network: `code of a network; \`${otherValue}\` from the ${labelValuesMax.networks + 1}st on`,
    status:
      'of withdrawals `apply`, `wait`, `processing`, `packaging` and `confirming` by themselves, `auditing` and ' +
      '`manual` for an operator; of deposits `pending` and `small` by themselves, `largeDelay`, `auditing`, ' +
      '`invalid` and `restricted` for an operator',
  },
  {
    bourse_withdrawals_waiting: gauge('Withdrawals that are not final.', ['network', 'status']),
    bourse_withdrawal_oldest_age_seconds: gauge('Time since the oldest of them was asked for.', ['network', 'status']),
    bourse_deposits_waiting: gauge('Deposits that are not final.', ['network', 'status']),
    bourse_deposit_oldest_age_seconds: gauge('Time since the oldest of them was first seen.', ['network', 'status']),
  },
);

/** What the metrics of the wallet are read from. */
export interface WalletMetricParts {
  readonly queries: Pick<ExchangeQueries, 'wallet' | 'monitoring'>;
  /** The exchange's clock. */
  readonly clock: Clock;
}

/** The source of the metrics of deposits and withdrawals. */
export const walletSource = ({ queries, clock }: WalletMetricParts): MetricSource =>
  sourceOf(walletMetrics, async () => {
    const { wallet, monitoring } = queries;
    const [networks, withdrawals, deposits] = await Promise.all([
      wallet.networks(),
      monitoring.waitingWithdrawals(),
      monitoring.waitingDeposits(),
    ]);
    const label = boundedLabel(
      networks.map((each) => each.network),
      labelValuesMax.networks,
    );
    const labels = ({ network: code, status }: WaitingPayments) => ({ network: label(code), status });
    const counts = (waiting: readonly WaitingPayments[]) => waiting.map((each) => [labels(each), each.count] as const);
    const ages = (waiting: readonly WaitingPayments[]) =>
      waiting
        .filter((each) => labels(each).network !== otherValue)
        .map((each) => [labels(each), Math.max(0, clock.now() - each.oldestAt) / 1000] as const);
    return {
      bourse_withdrawals_waiting: counts(withdrawals),
      bourse_withdrawal_oldest_age_seconds: ages(withdrawals),
      bourse_deposits_waiting: counts(deposits),
      bourse_deposit_oldest_age_seconds: ages(deposits),
    };
  });
