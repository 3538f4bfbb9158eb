import { isReason } from '#model/text-length.ts';
import { refuse, type CommandFunction } from '#engine/money/command-function.ts';

/** Opens or halts all trading, with the reason. DEC-OPR-166. */
export const setTrading: CommandFunction<'setTrading'> = (state, { state: wanted, reason }) => {
  if (!isReason(reason)) {
    refuse(state, 'invalidConfiguration');
    return;
  }
  const { trading, at, emit } = state;
  const { actor } = state.running;
  const since = trading.status?.state === wanted ? trading.status.since : at;
  const status = { state: wanted, reason, actor, since };
  trading.put(status);
  emit.fact({ kind: 'tradingChanged', status });
};
