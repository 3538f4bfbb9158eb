import { ApiError } from '#api/errors.ts';
import { wireLimits } from '#api/limits.ts';
import type { RateLimits } from '#http/rate-limits.ts';
import type { RequestContext } from '#http/request-context.ts';
import { TransportError } from '#http/transport-error.ts';
import type { WeightBudget } from '#http/weight-budget.ts';
import { retryAfterSeconds } from '#http/weight-budget.ts';

/** What a request costs the address it comes from, and where that is counted. */
export interface AddressCost {
  readonly budget: WeightBudget;
  /** First part of the bucket's key; the address follows. */
  readonly key: string;
  readonly cost: number;
}

/**
 * Charges the address of a request.
 * @throws ApiError 429 with Retry-After; TransportError 418 for whoever goes on regardless and is banned for it.
 */
export function chargeAddress(request: RequestContext, limits: RateLimits, { budget, key, cost }: AddressCost): void {
  if (!limits.isLimited || cost === 0) return;
  const { client, receivedMonotonic } = request;
  const charge = { budget, key: key + client.bucket };
  request.addressCharge = charge;
  const spending = budget.spend(charge.key, cost, receivedMonotonic);
  request.charge(spending.used);
  if (spending.isAllowed) return;
  const seconds = retryAfterSeconds(spending.remainingMs);
  const bannedSeconds = limits.toldToWait(client, seconds * 1000, receivedMonotonic);
  request.retryAfterSeconds = bannedSeconds ?? seconds;
  throw bannedSeconds === null ? new ApiError('tooManyRequests') : new TransportError('banned');
}

/** Charges a request for a path that nobody knows: such requests share one budget of an address. DEC-REQ-02. */
export const chargeUnrouted = (request: RequestContext, limits: RateLimits): void =>
  chargeAddress(request, limits, { budget: limits.addressBudget, key: 'unrouted ', cost: 1 });

/** Bytes that a client chose to send, its headers aside: they have a limit of their own. */
const chosenBytes = ({ path, query, bodyBytes }: RequestContext): number => path.length + query.length + bodyBytes;

/**
 * Charges the address for the bytes of a refused request: one weight for each started KiB beyond the first, where the
 * request itself was charged. Never refuses: the next request feels it. DEC-REQ-41.
 */
export function chargeRefusedBytes(request: RequestContext): void {
  const { addressCharge } = request;
  if (addressCharge === null) return;
  const steps = Math.ceil(chosenBytes(request) / wireLimits.request.refusedStepBytes) - 1;
  if (steps > 0) request.charge(addressCharge.budget.exact(addressCharge.key, steps, request.receivedMonotonic));
}
