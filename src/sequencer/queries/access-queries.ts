import type { LimitedTarget } from '#model/operator-rate-limit.ts';
import type { StateMachine } from '#engine/create-engine.ts';

/** Questions about who is banned, or has a rate limit of its own. */
export const accessQueries = ({ state }: StateMachine) => ({
  /** Bans of the ladder, those that are over included. */
  bans: async () => state.bans.all(),
  /** Bans that operators made, likewise, by kind and target. */
  operatorBans: async () => state.operatorBans.all(),
  /** Rate limits that operators set, likewise. */
  operatorRateLimits: async () => state.operatorRateLimits.all(),
  /** That of one target, likewise; `null`: there is none. */
  operatorRateLimit: async (target: LimitedTarget) => state.operatorRateLimits.find(target),
});
