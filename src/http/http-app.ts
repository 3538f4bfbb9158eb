import Fastify from 'fastify';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { wireLimits } from '#http/limits.ts';
import { securityHeaders } from '#http/fixed-headers.ts';
import type { AnswerCounts } from '#http/answer-counts.ts';
import { chargeAddress, chargeUnrouted, checkAddress } from '#http/charge-address.ts';
import { guardConnections } from '#http/connection-guard.ts';
import type { HttpLog } from '#http/http-settings.ts';
import { createNodeServer, type Listener } from '#http/node-server.ts';
import type { PageCost } from '#http/shared-page.ts';
import type { RateLimits } from '#http/rate-limits.ts';
import { type AnswerFailure, answerWithCode } from '#http/refusal.ts';
import { RequestContext } from '#http/request-context.ts';
import { closesAfterAnswer } from '#http/request-gate.ts';
import { checkTransport, leavesBody } from '#http/transport-check.ts';
import { TransportError } from '#http/errors.ts';
import { closesConnection, headersOf } from '#http/write-answer.ts';

/*
 * HTTP for every port of the exchange: below the gateway and other applications, without knowledge of API keys,
 * endpoints or symbols.
 *
 * `createHttpApp` creates a Fastify application on a guarded server: register routes on it, and throw an ApiError to
 * refuse a request. `RateLimits` holds the state of client addresses that all ports share. `node-server.ts`,
 * `connection-guard.ts` and `transport-check.ts` contain the transport limits, `refusal.ts` the form of errors. A
 * listener without the framework uses the same parts: `RequestContext`, `checkTransport`, `checkAddress`, `readBody`,
 * `writeAnswer`.
 */

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the first hook; errors of the router can occur before it. */
    requestContext: RequestContext | null;
  }
  interface FastifyContextConfig {
    /** Counts the refusals of a route of its own; default: those of the application. */
    counts?: AnswerCounts;
    /** What a page costs its address. Every page has one. DEC-LIM-101. */
    cost?: PageCost;
  }
}

/** Options of an application. */
export interface HttpAppOptions {
  /** Shared by all ports of the process. */
  readonly limits: RateLimits;
  readonly log: HttpLog;
  /** Counts the refusals of this application and its port, but those of routes with counts of their own. */
  readonly counts: AnswerCounts;
  /** How failed requests are answered; default: the code and message of the exchange. */
  readonly answerFailure?: AnswerFailure;
  /** Throws what a request is refused with before anything else of it is looked at; default: none is. */
  readonly admit?: (context: RequestContext) => void;
  /** Paths that banned and denied addresses may request too; default: none. */
  readonly skipsAddressCheck?: (path: string) => boolean;
  /** Whether it is the API of operators, which the bans that they made do not hold for. DEC-OPR-177. */
  readonly isForOperators?: boolean;
  /** CORS headers of responses to pages of an origin, names and values in turn; default: none. */
  readonly crossOriginHeaders?: (origin: string, path: string) => readonly string[];
  /** Wraps the listener of the application, to handle some requests without the framework. */
  readonly before?: (app: Listener) => Listener;
}

const policyHeader = 'content-security-policy';
const noFrames = "frame-ancestors 'none'";
/** No page frames what is answered here. The second header is for browsers that do not know the policy. DEC-WEB-52. */
const frameHeaders = { 'x-frame-options': 'DENY' } as const;

/** Answers a request with an error of any kind. */
function refuse(
  { limits, log, counts, answerFailure = answerWithCode }: HttpAppOptions,
  reply: FastifyReply,
  context: RequestContext,
  error: unknown,
  closes: boolean,
): void {
  const { status, text, contentType, name } = answerFailure(error, context, { limits, log });
  const ownCounts = reply.request.routeOptions?.config?.counts;
  (ownCounts ?? counts).add(status, limits.monotonic.now() - context.receivedMonotonic, name);
  const isLast = closes || context.isLast || closesConnection(status);
  if (isLast) closesAfterAnswer(reply.raw.req.socket);
  const headers = headersOf(context, Buffer.byteLength(text), isLast);
  reply.code(status);
  for (let at = 0; at < headers.length; at += 2) reply.header(headers[at] as string, headers[at + 1]);
  reply.header('content-type', contentType);
  reply.send(text);
}

/** Translates errors of the framework into transport errors; other errors stay as they are. */
function translated(error: unknown, isUnknownPath: boolean): unknown {
  const { code = '', statusCode = 500 } = error as { readonly code?: string; readonly statusCode?: number };
  if (!code.startsWith('FST_ERR')) return error;
  if (isUnknownPath) return new TransportError('unknownPath');
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new TransportError('bodyTooLarge');
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new TransportError('contentTypeNotSupported');
  return statusCode < 500 ? new TransportError('malformedRequest') : error;
}

/** Checks every request first: transport limits, then bans and the firewall. */
function admitRequests(app: FastifyInstance, options: HttpAppOptions): void {
  const { limits, admit, skipsAddressCheck, isForOperators, crossOriginHeaders } = options;
  app.decorateRequest('requestContext', null);
  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = request;
    const context = new RequestContext(raw, limits);
    request.requestContext = context;
    context.routePath = request.routeOptions.url ?? null;
    const { origin } = raw.headers;
    const forOrigin = origin === undefined ? [] : (crossOriginHeaders?.(origin, context.path) ?? []);
    for (let at = 0; at < forOrigin.length; at += 2) reply.header(forOrigin[at] as string, forOrigin[at + 1]);
    const fault = checkTransport(raw);
    if (fault !== null) {
      refuse(options, reply, context, fault, true);
      return;
    }
    try {
      admit?.(context);
      if (skipsAddressCheck?.(context.path) !== true) checkAddress(context, limits, isForOperators);
      const { cost } = request.routeOptions.config;
      if (cost !== undefined) {
        const isAsForAll = isForOperators === true || cost.budget !== 'pages';
        const own = isAsForAll ? null : limits.ownWeightOf(context.client);
        const budget = cost.budget === 'pages' ? limits.addressBudget : limits.healthBudget;
        chargeAddress(context, limits, { budget, key: `${cost.budget} `, cost: cost.weight, own });
      }
    } catch (error) {
      refuse(options, reply, context, error, leavesBody(raw));
      return;
    }
    done();
  });
  let isClosing = false;
  app.addHook('preClose', (done) => {
    isClosing = true;
    done();
  });
  app.addHook('onSend', ({ requestContext, raw }, reply, _payload, done) => {
    reply.headers(securityHeaders);
    reply.headers(frameHeaders);
    if (!reply.hasHeader(policyHeader)) reply.header(policyHeader, noFrames);
    // Nobody serves what comes behind it.
    if (isClosing) {
      closesAfterAnswer(raw.socket);
      reply.header('connection', 'close');
    }
    const used = requestContext?.usedWeight ?? null;
    if (used !== null) reply.header('x-svc-used-weight', `${used}`);
    done();
  });
}

/** Answers every failed request with an error in the form of the exchange. */
function refuseFailures(app: FastifyInstance, options: HttpAppOptions): void {
  app.setErrorHandler((error, request, reply) => {
    const context = request.requestContext ?? new RequestContext(request.raw, options.limits);
    refuse(options, reply, context, translated(error, request.is404), leavesBody(request.raw));
  });
  app.setNotFoundHandler(({ requestContext }) => {
    if (requestContext !== null) chargeUnrouted(requestContext, options.limits, options.isForOperators);
    throw new TransportError('unknownPath');
  });
}

/** No route has a schema: requests are read before. Without this the framework loads its compilers at every start. */
const noCompiler = (): never => {
  throw new Error('a route has a schema');
};

/**
 * Creates a Fastify application on its own server, with the limits of transport and client addresses. Paths match
 * exactly. Every failure is answered in the error form of the exchange: an ApiError with its code, anything unexpected
 * with 500 and a log entry.
 */
export function createHttpApp(options: HttpAppOptions): FastifyInstance {
  const { limits, counts, isForOperators = false, before = (listener) => listener } = options;
  const app = Fastify({
    serverFactory: (listener) => createNodeServer(before(listener)),
    bodyLimit: wireLimits.request.bodyBytes,
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    routerOptions: { ignoreTrailingSlash: false, caseSensitive: true },
    // The router refuses paths that cannot be decoded before any hook runs.
    frameworkErrors: (error, { raw }, reply) => {
      refuse(options, reply, new RequestContext(raw, limits), translated(error, true), leavesBody(raw));
    },
    clientErrorHandler: () => {},
  });
  admitRequests(app, options);
  refuseFailures(app, options);
  guardConnections(app.server, { limits, counts, isForOperators });
  return app;
}

/** A server on one port. */
export interface HttpServer {
  /** Node's own server: websocket upgrades attach to it. */
  readonly server: Server;
  /** Binds; resolves to the port, which the system chooses if `port` is 0. */
  listen(host: string, port: number): Promise<number>;
  /** Accepts no more connections, finishes the requests in flight and closes. */
  close(): Promise<void>;
}

/**
 * How many connections the system holds until the process takes them. After a restart all clients come at once; what is
 * over this bound the system drops, and those clients try again only a second later.
 */
export const waitingConnectionsMax = 4096;

/** The server of an application. */
export const httpServerOf = (app: FastifyInstance): HttpServer => ({
  server: app.server,
  listen: async (host, port) => {
    await app.listen({ host, port, backlog: waitingConnectionsMax });
    return (app.server.address() as AddressInfo).port;
  },
  close: () => app.close(),
});
