import type { AccountView, ApiKeyView } from '#model/account.ts';
import { costOf } from '#public-api/declaration/endpoint.ts';
import { ApiError } from '#http/errors.ts';
import type { EndpointRequest } from '#public-api/pipeline/endpoint-request.ts';
import type { Route } from '#public-api/pipeline/route.ts';
import type { Gateway } from '#public-api/gateway.ts';
import type { RequestParameters } from '#public-api/pipeline/parameters.ts';
import { retryAfterSeconds, type Spending } from '#http/weight-budget.ts';
import { decodeValue } from '#public-api/signing/percent-coding.ts';
import { chargeAddress } from '#http/charge-address.ts';

/**
 * Value of a parameter in the raw query, because a weight may depend on it before parameters are parsed. Empty if
 * absent.
 */
export function sentValue(query: string, name: string): string {
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
  const own = limits.operatorLimits.ofAddress(request.client);
  chargeAddress(request, limits, {
    budget: isFutures ? endpointLimits.futuresBudget : limits.addressBudget,
    key: route.budgetKey,
    cost: isFutures ? 1 : addressCostOf(route, request.query),
    own: own === null ? null : isFutures ? own.futuresCalls : own.weight,
  });
}

function tooMany(request: EndpointRequest, remainingMs: number): ApiError {
  request.retryAfterSeconds = retryAfterSeconds(remainingMs);
  return new ApiError('tooManyRequests');
}

/** What an account may use by this key of what everybody may: the greater of both limits, where operators set them. */
const limitOf = (limit: number, ofAccount: number | null, ofKey: number | null): number =>
  Math.max(ofAccount ?? limit, ofKey ?? 0);

function admitCall(request: EndpointRequest, { isAllowed, remainingMs }: Spending): void {
  if (!isAllowed) throw tooMany(request, remainingMs);
}

function admitWeight(request: EndpointRequest, spending: Spending): void {
  request.charge(spending.used);
  admitCall(request, spending);
}

/**
 * Charges the account, and counts its calls per second and requests in flight: 429. Runs after signature and permission
 * are verified, so that nobody can spend the budget of another account. Never leads to a ban. A key with a limit of
 * its own is charged first: what that refuses takes nothing from its account. DEC-REQ-03, DEC-LIM-05, DEC-OPR-171.
 */
export function spendAccountBudget(request: EndpointRequest, gateway: Gateway): void {
  const { limits, endpointLimits } = gateway;
  if (!limits.isLimited) return;
  const { endpoint, budgetKey } = request.route as Route;
  const { account } = request.account as AccountView;
  const { accessKey } = request.key as ApiKeyView;
  const { weight, callsPerSecond } = endpoint;
  const { accountBudget } = endpointLimits;
  const ofAccount = limits.operatorLimits.ofAccount(account);
  const ofKey = limits.operatorLimits.ofKey(accessKey);
  const now = request.receivedInWindow;
  // No access key can be mistaken for the number of an account: it is longer.
  const key = budgetKey + account;
  if (callsPerSecond !== undefined) {
    const { callBudget: calls } = endpointLimits;
    const own = ofKey?.callsPerSecond ?? null;
    if (own !== null) admitCall(request, calls.spend(budgetKey + accessKey, 1, now, own));
    admitCall(request, calls.spend(key, 1, now, limitOf(callsPerSecond, ofAccount?.callsPerSecond ?? null, own)));
  }
  const own = ofKey?.weight ?? null;
  const ownOfAccount = ofAccount?.weight ?? null;
  const countsForAccount = weight.uid !== undefined || ownOfAccount !== null;
  if (countsForAccount || own !== null) {
    const sent = (request.parameters as RequestParameters).values;
    const cost = costOf(weight.uid ?? weight.ip, (name) => sent[name] ?? '');
    if (own !== null) admitWeight(request, accountBudget.spend(budgetKey + accessKey, cost, now, own));
    if (countsForAccount)
      admitWeight(request, accountBudget.spend(key, cost, now, limitOf(accountBudget.limit, ownOfAccount, own)));
  }
  request.isInFlight = endpointLimits.inFlight.enter(account);
  if (!request.isInFlight) throw tooMany(request, 1);
}
