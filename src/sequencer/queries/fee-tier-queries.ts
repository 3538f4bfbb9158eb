import { dayMs } from '#base/calendar.ts';
import { type AccountFeeTier, feeTierDayOf, type FeeTierTable } from '#model/fee-tier.ts';
import { type AccountId, as, type TimestampMs } from '#model/units.ts';
import type { StateMachine } from '#engine/create-engine.ts';
import { tokensOwned } from '#engine/spot/fee-tier-commands.ts';

/** Tiers as they are set, with their next midnight. */
export interface FeeTiersView {
  readonly table: FeeTierTable;
  /** When tiers are assigned next. */
  readonly nextAt: TimestampMs;
}

/** The tier of a master with its sub-accounts. */
export interface AccountTierView {
  readonly master: AccountId;
  readonly tier: AccountFeeTier | null;
  /** What counted at the last midnight; `null`: there was none since tiers were set. */
  readonly counted: { readonly volume: bigint; readonly tokens: bigint } | null;
  /** What would count at the next midnight if nothing else happened. */
  readonly present: { readonly volume: bigint; readonly tokens: bigint };
}

/** Questions about fee tiers. */
export function feeTierQueries({ state }: StateMachine) {
  const { feeTiers, tradeVolumes, accounts } = state;
  return {
    /** `null`: there are none. */
    table: async (): Promise<FeeTiersView | null> =>
      feeTiers.table === null ? null : { table: feeTiers.table, nextAt: feeTiers.dueAt },
    /** Of an account that exists. */
    ofAccount: async (account: AccountId, now: TimestampMs): Promise<AccountTierView> => {
      const master = accounts.master(account);
      const { day } = feeTiers;
      const nextMidnight = as<TimestampMs>(feeTierDayOf(now) + dayMs);
      return {
        master,
        tier: feeTiers.of(master),
        counted:
          day === null ? null : { volume: tradeVolumes.before(master, day.day), tokens: feeTiers.tokensOf(master) },
        present: { volume: tradeVolumes.before(master, nextMidnight), tokens: tokensOwned(state, master) },
      };
    },
    /** The day whose tiers are due at this time: `null` none, `isBegun` false: it begins with the next entry. */
    due: async (now: TimestampMs): Promise<{ readonly isBegun: boolean; readonly day: TimestampMs } | null> => {
      if (now >= feeTiers.dueAt) return { isBegun: false, day: feeTierDayOf(now) };
      const { day } = feeTiers;
      return day === null || day.next === null ? null : { isBegun: true, day: day.day };
    },
  };
}
