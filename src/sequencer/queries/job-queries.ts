import { haveOfflineOrders } from '#engine/listing/listing-commands.ts';
import type { StateMachine } from '#engine/create-engine.ts';
import type { TimestampMs } from '#model/units.ts';

/** Questions of jobs: whether something is due. Times are those of the exchange. */
export const jobQueries = ({ state }: StateMachine) => ({
  /** Whether accounts that were frozen still have open orders. */
  haveFrozenOrders: async () => state.frozenOrders.count > 0,
  /** Whether pairs that are offline still have open orders. */
  haveOfflineOrders: async () => haveOfflineOrders(state),
  /** Whether a pair is to go online at this time. */
  isOpeningDue: async (now: TimestampMs) => state.trading.isOpen && state.symbols.openings.isDue(now),
  /** Whether there are keys whose time is over at this time. */
  haveApiKeysEnded: async (now: TimestampMs) => state.keys.haveEnded(now),
});
