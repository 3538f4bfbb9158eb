import type { AccountView } from '#model/account.ts';
import { costOf } from '#public-api/declaration/endpoint.ts';
import { ApiError } from '#http/errors.ts';
import type { EndpointRequest } from '#public-api/pipeline/endpoint-request.ts';
import type { Route } from '#public-api/pipeline/route.ts';
import type { Gateway } from '#public-api/gateway.ts';
import type { RequestParameters } from '#public-api/pipeline/parameters.ts';
import { retryAfterSeconds } from '#http/weight-budget.ts';

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
