import type { Clock } from '#base/clock.ts';
import type { AccountStatus } from '#model/account.ts';
import { declareMetrics, gauge, type MetricSource, sourceOf } from '#main/metrics/declare-metrics.ts';
import { keptReading } from '#main/metrics/kept-reading.ts';
import type { MonitoringQueries } from '#sequencer/queries/monitoring-queries.ts';
import type { ExchangeQueries } from '#sequencer/queries/exchange-queries.ts';

/** Every balance and every account is read for these, so at most this often. */
const checkedEveryMs = 60_000;

/** Metrics of the ledger, of accounts, and of what waits for a second operator. */
export const ledgerMetrics = declareMetrics(
  'Ledger and accounts',
  { status: '`normal`, `frozen`, `abnormal` or `closed`' },
  {
    bourse_ledger_balanced: gauge(
      '1 while the balances of every asset sum to zero, over users, the house and the outside; else 0.',
    ),
    bourse_ledger_unbalanced_assets: gauge('Assets whose balances do not.'),
    bourse_ledger_check_age_seconds: gauge('Time since that was looked at: at most once a minute.'),
    bourse_accounts: gauge('Accounts of users by their own status, counted at most once a minute.', ['status']),
    bourse_proposals_open: gauge('Changes that lower a protection and wait for a second operator.'),
    bourse_proposal_oldest_age_seconds: gauge('Age of the oldest of them; 0 if there is none.'),
  },
);

/** What the metrics of the ledger are read from. */
export interface LedgerParts {
  readonly queries: Pick<ExchangeQueries, 'safety'> & {
    readonly monitoring: Pick<MonitoringQueries, 'unbalancedAssets' | 'accountsByStatus'>;
  };
  /** The exchange's clock. */
  readonly clock: Clock;
  readonly monotonic: Clock;
}

/** The source of the metrics of the ledger. */
export function ledgerSource({ queries, clock, monotonic }: LedgerParts): MetricSource {
  const { monitoring, safety } = queries;
  const checked = keptReading(monotonic, checkedEveryMs, async () => ({
    unbalanced: await monitoring.unbalancedAssets(),
    accounts: await monitoring.accountsByStatus(),
  }));
  return sourceOf(ledgerMetrics, async () => {
    const {
      value: { unbalanced, accounts },
      ageMs,
    } = await checked();
    const open = (await safety.proposals()).filter(({ state }) => state === 'open');
    const ages = open.map(({ madeAt }) => clock.now() - madeAt);
    return {
      bourse_ledger_balanced: unbalanced.length === 0 ? 1 : 0,
      bourse_ledger_unbalanced_assets: unbalanced.length,
      bourse_ledger_check_age_seconds: ageMs / 1000,
      bourse_accounts: (Object.entries(accounts) as [AccountStatus, number][]).map(([status, count]) => [
        { status },
        count,
      ]),
      bourse_proposals_open: open.length,
      bourse_proposal_oldest_age_seconds: Math.max(0, ...ages) / 1000,
    };
  });
}
