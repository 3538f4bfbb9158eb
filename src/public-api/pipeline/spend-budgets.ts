import type { AccountView } from '#model/account.ts';
import { costOf } from '#public-api/declaration/endpoint.ts';
import { ApiError } from '#http/errors.ts';
import type { EndpointRequest } from '#public-api/pipeline/endpoint-request.ts';
import type { Route } from '#public-api/pipeline/route.ts';
import type { Gateway } from '#public-api/gateway.ts';
import type { RequestParameters } from '#public-api/pipeline/parameters.ts';
import { retryAfterSeconds } from '#http/weight-budget.ts';
import { decodeValue } from '#public-api/signing/percent-coding.ts';
import { chargeAddress } from '#http/charge-address.ts';

/**
 * Value of a parameter in the raw query, because a weight may depend on it before parameters are parsed. Empty if
 * absent.
 */
function sentValue(query: string, name: string): string {
  for (const rest of `&${query}`.split(`&${name}=`).slice(1)) {
    const value = rest.split('&', 1)[0] as string;
    // A value that cannot be decoded is refused later; here it only counts as sent.
    if (value !== '') return decodeValue(value) ?? value;
  }
  return '';
}

function addressCostOf(route: Route, query: string): number {
  const { ip } = route.endpoint.weight;
  return typeof ip === 'number' ? ip : costOf(ip, (name) => sentValue(query, name));
}

/** Charges the endpoint's weight to the address; futures endpoints count calls. DEC-REQ-04, DEC-LIM-07. */
export function spendAddressBudget(request: EndpointRequest, { limits, endpointLimits }: Gateway): void {
  const route = request.route as Route;
  const isFutures = route.endpoint.surface === 'futures';
  chargeAddress(request, limits, {
    budget: isFutures ? endpointLimits.futuresBudget : limits.addressBudget,
    key: route.budgetKey,
    cost: isFutures ? 1 : addressCostOf(route, request.query),
  });
}

function tooMany(request: EndpointRequest, remainingMs: number): ApiError {
  request.retryAfterSeconds = retryAfterSeconds(remainingMs);
  return new ApiError('tooManyRequests');
}

/**
 * Charges the account, and counts its calls per second and requests in flight: 429. Runs after signature and permission
 * are verified, so that nobody can spend the budget of another account. Never leads to a ban. DEC-REQ-03, DEC-LIM-05.
 */
export function spendAccountBudget(request: EndpointRequest, gateway: Gateway): void {
  const { limits, endpointLimits } = gateway;
  if (!limits.isLimited) return;
  const { endpoint, budgetKey } = request.route as Route;
  const { account } = request.account as AccountView;
  const { weight, callsPerSecond } = endpoint;
  const now = request.receivedMonotonic;
  const key = budgetKey + account;
  if (callsPerSecond !== undefined) {
    const calls = endpointLimits.callsPerSecond(callsPerSecond).spend(key, 1, now);
    if (!calls.isAllowed) throw tooMany(request, calls.remainingMs);
  }
  if (weight.uid !== undefined) {
    const sent = (request.parameters as RequestParameters).values;
    const spending = endpointLimits.accountBudget.spend(
      key,
      costOf(weight.uid, (name) => sent[name] ?? ''),
      now,
    );
    request.charge(spending.used);
    if (!spending.isAllowed) throw tooMany(request, spending.remainingMs);
  }
  request.isInFlight = endpointLimits.inFlight.enter(account);
  if (!request.isInFlight) throw tooMany(request, 1);
}
