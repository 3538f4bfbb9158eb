import { wireLimits } from '#api/limits.ts';
import { InFlight } from '#gateway/pipeline/in-flight.ts';
import { type ReuseRule, SignatureReuse } from '#gateway/signing/signature-reuse.ts';
import { WeightBudget } from '#http/weight-budget.ts';

/**
 * Limits of endpoints beyond what an address may do: budgets of accounts, calls, and where signatures were used.
 * Gateways of one process share them; all of it is bounded.
 */
export interface EndpointLimits {
  /** Calls of one futures endpoint from one address. DEC-LIM-07. */
  readonly futuresBudget: WeightBudget;
  readonly accountBudget: WeightBudget;
  /** Calls per second of accounts, by the number that an endpoint allows. */
  readonly callsPerSecond: (limit: number) => WeightBudget;
  readonly inFlight: InFlight;
  readonly signatureReuse: SignatureReuse;
}

const second = 1000;

/** Fresh limits; `signatureReuse`: which routes refuse a signature that was used elsewhere. */
export function createEndpointLimits({ signatureReuse }: { readonly signatureReuse: ReuseRule }): EndpointLimits {
  const { rate } = wireLimits;
  const bucketsMax = rate.bucketsKept;
  const perSecond = new Map<number, WeightBudget>();
  return {
    futuresBudget: new WeightBudget({ windowMs: rate.futuresWindowMs, limit: rate.futuresCallsPerWindow, bucketsMax }),
    accountBudget: new WeightBudget({ windowMs: rate.windowMs, limit: rate.weightPerWindow, bucketsMax }),
    callsPerSecond: (limit) => {
      const known = perSecond.get(limit) ?? new WeightBudget({ windowMs: second, limit, bucketsMax });
      perSecond.set(limit, known);
      return known;
    },
    inFlight: new InFlight(wireLimits.inFlightPerAccount),
    signatureReuse: new SignatureReuse(signatureReuse),
  };
}
