import type { StateMachine } from '#engine/create-engine.ts';

/** Questions about who is banned. */
export const accessQueries = ({ state }: StateMachine) => ({
  /** Bans of the ladder, those that are over included. */
  bans: async () => state.bans.all(),
  /** Bans that operators made, likewise, by kind and target. */
  operatorBans: async () => state.operatorBans.all(),
});
