import { accountStatuses, houseAccountCount, type AccountStatus } from '#model/account.ts';
import type { TimestampMs } from '#model/units.ts';
import type { StateMachine } from '#engine/create-engine.ts';
import { unbalancedAssets } from '#engine/queries/trial-balance.ts';

/** Deposits or withdrawals of one network that wait in one status. */
export interface WaitingPayments<Status extends string = string> {
  readonly network: string;
  readonly status: Status;
  readonly count: number;
  /** When the first of them came. */
  readonly oldestAt: TimestampMs;
}

/** Questions of who watches the exchange: counts, not rows. */
export function monitoringQueries({ state }: StateMachine) {
  return {
    /** Withdrawals that are not final. */
    waitingWithdrawals: async () =>
      waitingOf(state.withdrawals.allOpen().map((each) => ({ ...each, at: each.requestedAt }))),
    /** Deposits that are not final. */
    waitingDeposits: async () =>
      waitingOf(state.deposits.allWaiting().map((each) => ({ ...each, at: each.insertedAt }))),
    openOrders: async (): Promise<number> => state.tables.liveCount,
    /** How many accounts of users have each status of their own. Reads every account. */
    accountsByStatus: async (): Promise<Readonly<Record<AccountStatus, number>>> => {
      const counts = Object.fromEntries(accountStatuses.map((status) => [status, 0])) as Record<AccountStatus, number>;
      for (let account = houseAccountCount; account < state.accounts.size; account += 1)
        counts[state.accounts.records[account]!.status] += 1;
      return counts;
    },
    /** Assets whose balances do not sum to zero: there should be none. Reads every balance. I1. */
    unbalancedAssets: async () => unbalancedAssets(state),
    /** Tails of the journal that were quarantined since it began, and the entries in them. */
    quarantined: async () => ({ tails: state.tails.count, entries: state.tails.entryCount }),
  };
}

/** The query port of monitoring. */
export type MonitoringQueries = Readonly<ReturnType<typeof monitoringQueries>>;

function waitingOf<Status extends string>(
  payments: readonly { readonly network: string; readonly status: Status; readonly at: TimestampMs }[],
): WaitingPayments<Status>[] {
  const groups = new Map<string, WaitingPayments<Status>>();
  for (const { network, status, at } of payments) {
    const key = `${network}/${status}`;
    const known = groups.get(key);
    const oldestAt = known === undefined || at < known.oldestAt ? at : known.oldestAt;
    groups.set(key, { network, status, count: (known?.count ?? 0) + 1, oldestAt });
  }
  // In the order of the payments' numbers, which the state keeps.
  return [...groups.values()];
}
