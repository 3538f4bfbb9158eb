import { engineLimits } from '#model/limits.ts';
import { type LimitedTarget, type OperatorRateLimit, operatorRateLimit } from '#model/operator-rate-limit.ts';
import { ClientTable } from '#engine/state/accounts/client-table.ts';

/** Rate limits that operators set. DEC-OPR-179. */
export class OperatorRateLimits extends ClientTable<LimitedTarget, OperatorRateLimit> {
  readonly name = 'operatorRateLimits';

  constructor() {
    super(operatorRateLimit, {
      max: engineLimits.operatorRateLimits,
      nameOf: ({ limited, target }) => `${limited} ${target}`,
    });
  }
}
