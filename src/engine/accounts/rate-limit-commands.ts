import { faultOfRateTerms } from '#model/operator-rate-limit.ts';
import { isReason } from '#model/text-length.ts';
import { refuse, type CommandFunction } from '#engine/money/command-function.ts';
import { accountOfTarget, isTargetOf } from '#engine/state/accounts/client-table.ts';

/** Sets the rate limit of an address, an account or a key, in place of any before. DEC-OPR-179. */
const setRateLimit: CommandFunction<'setRateLimit'> = (state, command) => {
  const { operatorRateLimits, at, running, emit } = state;
  const { limited, target, weight, callsPerSecond, futuresCalls, until, reason } = command;
  const isMeant = isTargetOf(limited, target) && isReason(reason) && (until === null || until > at);
  if (!isMeant || faultOfRateTerms({ limited }, command) !== null) return refuse(state, 'invalidConfiguration');
  const account = limited === 'address' ? null : accountOfTarget(state, limited, target);
  if (limited !== 'address' && account === null)
    return refuse(state, limited === 'key' ? 'unknownKey' : 'unknownAccount');
  if (!operatorRateLimits.hasRoom({ limited, target }, at)) return refuse(state, 'tooManyRateLimits');
  const since = operatorRateLimits.inForce({ limited, target }, at)?.since ?? at;
  const terms = { weight, callsPerSecond, futuresCalls, until, reason };
  const limit = { limited, target, account, ...terms, actor: running.actor, since };
  operatorRateLimits.put(limit);
  emit.fact({ kind: 'rateLimitSet', limit });
};

/** Lifts a rate limit: the limits of everybody hold again. DEC-OPR-179. */
const liftRateLimit: CommandFunction<'liftRateLimit'> = (state, { limited, target }) => {
  const { operatorRateLimits, at, emit } = state;
  if (operatorRateLimits.inForce({ limited, target }, at) === null) return refuse(state, 'unknownRateLimit');
  operatorRateLimits.delete({ limited, target });
  emit.fact({ kind: 'rateLimitLifted', limited, target });
};

/** Rate limits of operators. */
export const rateLimitCommands = { setRateLimit, liftRateLimit };
