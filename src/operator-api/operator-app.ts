import type { FastifyInstance } from 'fastify';
import { AnswerCounts } from '#http/answer-counts.ts';
import { ownHosts } from '#http/asking-page.ts';
import { healthPaths, isHealthPage, type MetricsPage, registerHealthPages } from '#http/health-pages.ts';
import { registerFavicon } from '#http/favicon.ts';
import { createHttpApp, type HttpServer, httpServerOf } from '#http/http-app.ts';
import { jsonType } from '#http/fixed-headers.ts';
import { documentCost, documentPath, sendPage, SharedPage } from '#http/shared-page.ts';
import type { RateLimits } from '#http/rate-limits.ts';
import type { RequestContext } from '#http/request-context.ts';
import { registerOfficePages } from '#operator-api/office-pages.ts';
import { registerSandboxToken } from '#operator-api/sandbox-token.ts';
import { answerProblem, Problem } from '#operator-api/requests/problems.ts';
import { catalogue } from '#operator-api/catalogue.ts';
import type { AnyOperatorEndpoint } from '#operator-api/declaration/endpoint.ts';
import { createHandlers } from '#operator-api/create-handlers.ts';
import type { AnyHandler } from '#operator-api/handlers.ts';
import { operatorOpenApi } from '#operator-api/documents/openapi.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';
import { registerEndpoints, type ServedEndpoint } from '#operator-api/requests/routes.ts';

/*
 * The operator API: who runs the exchange lists assets, reviews money on its way in and out, and looks at accounts and
 * the ledger. Bearer tokens with scopes instead of signatures, problems of RFC 9457 instead of codes. Every act is a
 * journaled command that names its operator.
 *
 * The folders are its areas: `…-endpoints.ts` declares, the file beside it answers; the compiler asks for the handler.
 * `requests/routes.ts` serves them: `authenticate.ts`, `read-request.ts`, then the handler, which acts by `act.ts`.
 * `documents/` derives what is told of them.
 */

/** The operator API on its port. */
export interface OperatorServer {
  readonly http: HttpServer;
  /** Responses so far by endpoint; `unrouted`: of everything else. */
  readonly counts: readonly { readonly endpoint: string; readonly counts: AnswerCounts }[];
}

/** What the server shares with other ports. */
export interface OperatorServerParts {
  readonly limits: RateLimits;
  readonly metrics: MetricsPage;
  /** Names that the port is asked by, besides localhost and addresses. */
  readonly names: readonly string[];
}

/** What probes ask, by whatever name, and what tells nothing of the exchange. */
const isProbe = (path: string): boolean => isHealthPage(path) && path !== healthPaths.metrics;

/** Refuses requests by a name that is none of this port's, but for probes. DEC-OPR-222. */
function admitOwnHosts(names: readonly string[]): (context: RequestContext) => void {
  const isOwn = ownHosts(names);
  return ({ headers, path }) => {
    const host = headers['host']?.toString();
    if (isOwn(host) || isProbe(path)) return;
    throw new Problem('foreignHost', {
      detail: 'The operator port is not asked by this name: name it in the setting operatorNames, or use an address.',
    });
  };
}

/** Endpoints that this installation serves, with their handlers. */
function servedEndpoints(context: OperatorContext): readonly ServedEndpoint[] {
  const handlers = createHandlers(context) as unknown as Readonly<Record<string, AnyHandler>>;
  return Object.entries<AnyOperatorEndpoint>(catalogue)
    .filter(([, { sandboxOnly }]) => sandboxOnly === undefined || context[sandboxOnly] !== null)
    .map(([id, endpoint]) => ({ id, endpoint, handler: handlers[id] as AnyHandler, counts: new AnswerCounts() }));
}

/** The document is generated at the first request for it, because that reads the whole catalogue. */
function registerDocument(app: FastifyInstance, served: readonly ServedEndpoint[], version: string): void {
  let page: SharedPage | null = null;
  app.get(documentPath, { config: { cost: documentCost } }, (request, reply) => {
    const endpoints = Object.fromEntries(served.map(({ id, endpoint }) => [id, endpoint]));
    page ??= new SharedPage(JSON.stringify(operatorOpenApi(endpoints, version)), jsonType);
    return sendPage(request, reply, page);
  });
}

/** Creates the server of the operator port: endpoints, health, metrics, OpenAPI document and reference page. */
export function createOperatorServer(
  context: OperatorContext,
  { limits, metrics, names }: OperatorServerParts,
): OperatorServer {
  const unrouted = new AnswerCounts();
  const app = createHttpApp({
    limits,
    log: context.log,
    counts: unrouted,
    answerFailure: answerProblem,
    admit: admitOwnHosts(names),
    skipsAddressCheck: isHealthPage,
    isForOperators: true,
  });
  const served = servedEndpoints(context);
  registerHealthPages(app, context, metrics);
  registerDocument(app, served, context.version.version);
  registerFavicon(app);
  registerOfficePages(app, context, new Set(served.map(({ id }) => id)));
  registerSandboxToken(app, context, limits);
  registerEndpoints(app, context, served);
  return {
    http: httpServerOf(app),
    counts: [...served.map(({ id, counts }) => ({ endpoint: id, counts })), { endpoint: 'unrouted', counts: unrouted }],
  };
}
