import { ApiError, TransportError } from '#http/errors.ts';
import { wireLimits } from '#http/limits.ts';
import type { RateLimits } from '#http/rate-limits.ts';
import type { RequestContext } from '#http/request-context.ts';
import { type WeightBudget, retryAfterSeconds } from '#http/weight-budget.ts';

/**
 * Refuses requests of banned and denied addresses.
 * @throws TransportError 418 for banned addresses, ApiError 403 for those that the firewall denies; with Retry-After.
 */
export function checkAddress(request: RequestContext, limits: RateLimits, isForOperators = false): void {
  const refusal = limits.refusalOf(request.client, request.receivedInWindow, isForOperators);
  if (refusal === null) return;
  request.isLast = true;
  request.retryAfterSeconds = refusal.retryAfterSeconds;
  throw refusal.why === 'banned' ? new TransportError('banned') : new ApiError('accessDenied');
}

/** Cost of a request for its client address, and the budget that it is charged to. */
export interface AddressCost {
  readonly budget: WeightBudget;
  /** Prefix of the bucket's key; the address follows. */
  readonly key: string;
  readonly cost: number;
  /** What operators allow the address in a window; `null`: what the budget allows everybody. DEC-OPR-179. */
  readonly own: number | null;
}

/**
 * Charges the address of a request.
 * @throws ApiError 429 with Retry-After; TransportError 418 if the address is banned for ignoring Retry-After.
 */
export function chargeAddress(request: RequestContext, limits: RateLimits, address: AddressCost): void {
  const { budget, key, cost, own } = address;
  if (!limits.isLimited || cost === 0) return;
  const { client, receivedInWindow } = request;
  const charge = { budget, key: key + client.bucket, limit: own ?? budget.limit };
  request.addressCharge = charge;
  const spending = budget.spend(charge.key, cost, receivedInWindow, charge.limit);
  request.charge(spending.used);
  if (spending.isAllowed) return;
  const seconds = retryAfterSeconds(spending.remainingMs);
  const bannedSeconds = limits.recordRetryAfter(client, seconds * 1000, receivedInWindow);
  request.retryAfterSeconds = bannedSeconds ?? seconds;
  request.isLast = bannedSeconds !== null;
  throw bannedSeconds === null ? new ApiError('tooManyRequests') : new TransportError('banned');
}

/** Charges a request for an unknown path; such requests share one budget of an address. DEC-REQ-02. */
export function chargeUnrouted(request: RequestContext, limits: RateLimits, isForOperators = false): void {
  const own = isForOperators ? null : limits.ownWeightOf(request.client);
  chargeAddress(request, limits, { budget: limits.addressBudget, key: 'unrouted ', cost: 1, own });
}

/** Bytes of a request without its headers, which have a limit of their own. */
const chosenBytes = ({ path, query, bodyBytes }: RequestContext): number => path.length + query.length + bodyBytes;

/**
 * Charges the address for the bytes of a refused request: one weight for each started KiB beyond the first, in the
 * budget that the request was charged to. Never refuses; it reduces what is left for the next request. DEC-REQ-41.
 */
export function chargeRefusedBytes(request: RequestContext): void {
  const { addressCharge, receivedInWindow } = request;
  if (addressCharge === null) return;
  const { budget, key, limit } = addressCharge;
  const steps = Math.ceil(chosenBytes(request) / wireLimits.request.refusedStepBytes) - 1;
  if (steps > 0) request.charge(budget.exact(key, steps, receivedInWindow, limit));
}
