import type { AccountView } from '#domain/account.ts';
import { costOf } from '#api/endpoint.ts';
import { ApiError } from '#api/errors.ts';
import type { Call } from '#gateway/call.ts';
import type { EndpointPlan } from '#gateway/endpoint-plan.ts';
import type { Gateway } from '#gateway/gateway.ts';
import type { RequestParameters } from '#gateway/parameters.ts';
import { retryAfterSeconds } from '#gateway/weight-budget.ts';

function tooMany(call: Call, remainingMs: number): ApiError {
  call.retryAfterSeconds = retryAfterSeconds(remainingMs);
  return new ApiError('tooManyRequests');
}

/**
 * Charges the account, and counts its calls per second and those in flight: 429. Only now, when signature and
 * permission are proved: nobody can spend another account's budget. Never leads to a ban. DEC-REQ-03, DEC-LIM-05.
 */
export function spendAccountBudget(call: Call, gateway: Gateway): void {
  if (!gateway.isLimited) return;
  const { endpoint, budgetKey } = call.plan as EndpointPlan;
  const { account } = call.account as AccountView;
  const { admission } = gateway;
  const { weight, callsPerSecond } = endpoint;
  const now = call.request.receivedMonotonic;
  const key = budgetKey + account;
  if (callsPerSecond !== undefined) {
    const calls = admission.callsPerSecond(callsPerSecond).spend(key, 1, now);
    if (!calls.isAllowed) throw tooMany(call, calls.remainingMs);
  }
  if (weight.uid !== undefined) {
    const sent = (call.parameters as RequestParameters).values;
    const spending = admission.accountBudget.spend(
      key,
      costOf(weight.uid, (name) => sent[name] ?? ''),
      now,
    );
    call.charge(spending.used);
    if (!spending.isAllowed) throw tooMany(call, spending.remainingMs);
  }
  call.isInFlight = admission.inFlight.enter(account);
  if (!call.isInFlight) throw tooMany(call, 1);
}
