import { costOf as weightOf } from '#public-api/declaration/endpoint.ts';
import type { EndpointRequest } from '#public-api/pipeline/endpoint-request.ts';
import type { Route } from '#public-api/pipeline/route.ts';
import type { Gateway } from '#public-api/gateway.ts';
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

function costOf(route: Route, query: string): number {
  const { ip } = route.endpoint.weight;
  return typeof ip === 'number' ? ip : weightOf(ip, (name) => sentValue(query, name));
}

/** Charges the endpoint's weight to the address; futures endpoints count calls. DEC-REQ-04, DEC-LIM-07. */
export function spendAddressBudget(request: EndpointRequest, { limits, endpointLimits }: Gateway): void {
  const route = request.route as Route;
  const isFutures = route.endpoint.surface === 'futures';
  chargeAddress(request, limits, {
    budget: isFutures ? endpointLimits.futuresBudget : limits.addressBudget,
    key: route.budgetKey,
    cost: isFutures ? 1 : costOf(route, request.query),
  });
}
