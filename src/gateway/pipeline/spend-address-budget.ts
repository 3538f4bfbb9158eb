import { costOf } from '#api/endpoint.ts';
import { ApiError } from '#api/errors.ts';
import { wireLimits } from '#api/limits.ts';
import type { Call } from '#gateway/call.ts';
import type { EndpointPlan } from '#gateway/endpoint-plan.ts';
import type { Gateway } from '#gateway/gateway.ts';
import { decodeValue } from '#gateway/percent-coding.ts';
import { TransportError } from '#gateway/transport-error.ts';
import type { WeightBudget } from '#gateway/weight-budget.ts';
import { retryAfterSeconds } from '#gateway/weight-budget.ts';

/** A parameter of a raw query: what a weight may depend on, before anything is parsed. Empty when it is not sent. */
function sentValue(query: string, name: string): string {
  for (const rest of `&${query}`.split(`&${name}=`).slice(1)) {
    const value = rest.split('&', 1)[0] as string;
    // What cannot be decoded is refused once it is parsed; here it is only something that was sent.
    if (value !== '') return decodeValue(value) ?? value;
  }
  return '';
}

function costOfCall(plan: EndpointPlan, query: string): number {
  const { ip } = plan.endpoint.weight;
  return typeof ip === 'number' ? ip : costOf(ip, (name) => sentValue(query, name));
}

/** What a request costs the address it comes from, and where that is counted. */
export interface AddressCost {
  readonly budget: WeightBudget;
  readonly key: string;
  readonly cost: number;
}

/**
 * Charges the address. @throws ApiError 429 with Retry-After; whoever goes on regardless climbs the ban ladder to 418.
 */
export function spendOfAddress(call: Call, gateway: Gateway, { budget, key, cost }: AddressCost): void {
  if (!gateway.isLimited || cost === 0) return;
  const { client, receivedMonotonic } = call.request;
  const charge = { budget, key: key + client.bucket };
  call.addressCharge = charge;
  const spending = budget.spend(charge.key, cost, receivedMonotonic);
  call.charge(spending.used);
  if (spending.isAllowed) return;
  const seconds = retryAfterSeconds(spending.remainingMs);
  call.retryAfterSeconds = seconds;
  if (gateway.mayBan(client)) {
    const wallMs = gateway.context.wall.now();
    const moment = { monotonicMs: receivedMonotonic, wallMs };
    const ban = gateway.admission.bans.refused(client.bucket, seconds * 1000, moment);
    if (ban !== null) {
      gateway.storeBan(ban);
      call.retryAfterSeconds = retryAfterSeconds(ban.until - wallMs);
      throw new TransportError('banned');
    }
  }
  throw new ApiError('tooManyRequests');
}

/** Bytes that a client chose to send, its headers aside: they have a limit of their own. */
const chosenBytes = ({ request, bodyBytes }: Call): number => request.path.length + request.query.length + bodyBytes;

/**
 * Charges the address for the bytes of a refused request: one weight for each started KiB beyond the first, where the
 * request itself was charged. Never refuses: the next request feels it. DEC-REQ-41.
 */
export function spendOnRefusal(call: Call): void {
  const { addressCharge, request } = call;
  if (addressCharge === null) return;
  const steps = Math.ceil(chosenBytes(call) / wireLimits.request.refusedStepBytes) - 1;
  if (steps > 0) call.charge(addressCharge.budget.exact(addressCharge.key, steps, request.receivedMonotonic));
}

/** Charges the endpoint's weight to the address; futures endpoints count calls. DEC-REQ-04, DEC-LIM-07. */
export function spendAddressBudget(call: Call, gateway: Gateway): void {
  const plan = call.plan as EndpointPlan;
  const { admission } = gateway;
  const isFutures = plan.endpoint.surface === 'futures';
  const budget = isFutures ? admission.futuresBudget : admission.addressBudget;
  spendOfAddress(call, gateway, {
    budget,
    key: plan.budgetKey,
    cost: isFutures ? 1 : costOfCall(plan, call.request.query),
  });
}
