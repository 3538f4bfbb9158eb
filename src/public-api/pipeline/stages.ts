import type { EndpointRequest } from '#public-api/pipeline/endpoint-request.ts';
import type { Gateway } from '#public-api/gateway.ts';
import { checkAccount, checkPermission } from '#public-api/pipeline/authorize.ts';
import { checkTime, identifyKey, verifySignature } from '#public-api/pipeline/authenticate.ts';
import { spendAccountBudget, spendAddressBudget } from '#public-api/pipeline/spend-budgets.ts';
import { checkAddress, chargeUnrouted } from '#http/charge-address.ts';
import { TransportError, ApiError } from '#http/errors.ts';
import { type Route, pathValuesOf } from '#public-api/pipeline/route.ts';
import { readParameters } from '#public-api/pipeline/parameters.ts';

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

const textOf = (value: string | readonly string[] | undefined): string | undefined =>
  value === undefined || typeof value === 'string' ? value : value.join(',');

/** Whether the headers announce a body, which a GET must not have. */
function announcesBody(request: EndpointRequest): boolean {
  const { headers } = request;
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/** Reads the parameters of query and body, and of the path, which count first: 415, 413, 33333, 700008. DEC-FUT-35. */
export function readRequestParameters(request: EndpointRequest): void {
  const route = request.route as Route;
  const { headers, query, method } = request;
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') throw new TransportError('contentTypeNotSupported');
  if (method === 'GET' && announcesBody(request)) throw new ApiError('invalidParameter', { why: 'a GET has no body' });
  request.parameters = readParameters({
    query,
    body: request.body,
    contentType: textOf(headers['content-type']),
    isSigned: route.isSigned,
    known: route.known,
    arrays: route.arrays,
    lists: route.endpoint.jsonLists ?? [],
    bounds: route.bodyBounds,
  });
  if (route.pathParameters.length > 0) Object.assign(request.parameters.values, pathValuesOf(route, request.path));
}

/**
 * At a node of a cluster: signed requests see everything acknowledged before them, public ones nothing too old; 503
 * otherwise. DEC-CLU-07.
 */
export function awaitCurrent({ route }: EndpointRequest, { context: { reads } }: Gateway): void | Promise<void> {
  if (reads === undefined) return;
  const unavailable = (): never => {
    throw new ApiError('serviceUnavailable');
  };
  if (route?.isSigned === true) return reads.current().catch(unavailable);
  if (reads.isStale) unavailable();
}

/** One check of a request: it throws to refuse, or adds its result to the request. */
export interface Stage {
  readonly name: string;
  /** `headers`: runs before the body is read, so that a refused request costs no more. */
  readonly when: 'headers' | 'body';
  /** Whether it applies to public endpoints. */
  readonly forPublic: boolean;
  readonly run: (request: EndpointRequest, gateway: Gateway) => void | Promise<void>;
}

/**
 * All checks before a handler, in the order of DEC-REQ-01, which is part of the behaviour. Transport limits come before
 * them, the parameters of the endpoint after.
 */
export const stages: readonly Stage[] = [
  {
    name: 'checkAddress',
    when: 'headers',
    forPublic: true,
    run: (request, { limits }) => checkAddress(request, limits),
  },
  { name: 'matchRoute', when: 'headers', forPublic: true, run: matchRoute },
  { name: 'spendAddressBudget', when: 'headers', forPublic: true, run: spendAddressBudget },
  { name: 'awaitCurrent', when: 'headers', forPublic: true, run: awaitCurrent },
  { name: 'identifyKey', when: 'headers', forPublic: false, run: identifyKey },
  { name: 'readParameters', when: 'body', forPublic: true, run: readRequestParameters },
  { name: 'checkTime', when: 'body', forPublic: false, run: checkTime },
  { name: 'verifySignature', when: 'body', forPublic: false, run: verifySignature },
  { name: 'checkAccount', when: 'body', forPublic: false, run: checkAccount },
  { name: 'checkPermission', when: 'body', forPublic: false, run: checkPermission },
  { name: 'spendAccountBudget', when: 'body', forPublic: false, run: spendAccountBudget },
];
const headerStages = stages.filter((stage) => stage.when === 'headers');
const bodyStages = stages.filter((stage) => stage.when === 'body');

/** Runs stages in order; returns a promise only if a stage waits. */
function runStages(
  list: readonly Stage[],
  request: EndpointRequest,
  gateway: Gateway,
  from = 0,
): Promise<void> | undefined {
  for (let index = from; index < list.length; index += 1) {
    const stage = list[index] as Stage;
    // The route is known after the second stage; both stages before apply to every request.
    if (!stage.forPublic && request.route?.isSigned !== true) continue;
    const waiting = stage.run(request, gateway);
    if (waiting instanceof Promise) return waiting.then(() => runStages(list, request, gateway, index + 1));
  }
  return undefined;
}

/** Runs the stages that need headers only. @throws ApiError or TransportError of the first stage that refuses. */
export const checkHeaders = (request: EndpointRequest, gateway: Gateway): Promise<void> | undefined =>
  runStages(headerStages, request, gateway);
/** Runs the other stages, after the body was read. @throws likewise. */
export const checkBody = (request: EndpointRequest, gateway: Gateway): Promise<void> | undefined =>
  runStages(bodyStages, request, gateway);
