import type { Call } from '#gateway/call.ts';
import type { Gateway } from '#gateway/gateway.ts';
import { spendOfAddress } from '#gateway/pipeline/spend-address-budget.ts';
import { TransportError } from '#gateway/transport-error.ts';

/** Unknown routes share one budget of an address. DEC-REQ-02. */
const unroutedBudgetKey = 'unrouted ';

/** Finds the endpoint by exact method and path: 404 and 405 otherwise. */
export function matchRoute(call: Call, gateway: Gateway): void {
  const { method, path } = call.request;
  call.plan = gateway.routes.find(method, path) ?? null;
  if (call.plan !== null) return;
  spendOfAddress(call, gateway, { budget: gateway.admission.addressBudget, key: unroutedBudgetKey, cost: 1 });
  const methods = gateway.routes.methodsOf(path);
  if (methods === undefined) throw new TransportError('unknownPath');
  call.allow = methods.join(', ');
  throw new TransportError('methodNotAllowed');
}
