import type { EndpointRequest } from '#public-api/pipeline/endpoint-request.ts';
import type { Gateway } from '#public-api/gateway.ts';
import { chargeUnrouted } from '#http/charge-address.ts';
import { TransportError } from '#http/transport-error.ts';

/** Finds the route by exact method and path: 404 and 405 otherwise. */
export function matchRoute(request: EndpointRequest, gateway: Gateway): void {
  const { method, path } = request;
  request.route = gateway.routes.find(method, path) ?? null;
  if (request.route !== null) {
    request.isCacheable = !request.route.isSigned;
    return;
  }
  chargeUnrouted(request, gateway.limits);
  const methods = gateway.routes.methodsOf(path);
  if (methods === undefined) throw new TransportError('unknownPath');
  request.answerHeaders.push('allow', methods.join(', '));
  throw new TransportError('methodNotAllowed');
}
