import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { wireLimits } from '#api/limits.ts';
import { securityHeaders } from '#http/security-headers.ts';
import type { AnswerCounts } from '#http/answer-counts.ts';
import { checkAddress } from '#http/check-address.ts';
import { closesAfterAnswer, guardConnections } from '#http/connection-guard.ts';
import type { HttpLog } from '#http/http-settings.ts';
import { createNodeServer, type Listener } from '#http/node-server.ts';
import type { RateLimits } from '#http/rate-limits.ts';
import { chargeRefusal, refusalAnswer, refusalOf } from '#http/refusal.ts';
import { RequestContext } from '#http/request-context.ts';
import { checkTransport, leavesBody } from '#http/transport-check.ts';
import { TransportError } from '#http/transport-error.ts';
import { closesConnection, headersOf } from '#http/write-answer.ts';

/*
 * HTTP for every port of the exchange: below the gateway and whatever else answers requests, and without knowledge of
 * keys, endpoints or symbols.
 *
 * `createHttpApp` answers a Fastify application on a guarded server: register routes on it and throw an ApiError to
 * refuse. `RateLimits` is the memory of client addresses that all ports share. `node-server.ts`, `connection-guard.ts`
 * and `transport-check.ts` hold the limits of the transport, `refusal.ts` the shape of errors. A listener that does
 * without the framework uses the same parts: `RequestContext`, `checkTransport`, `checkAddress`, `readBody`,
 * `writeAnswer`.
 */

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the first hook; errors of the framework's router come before it. */
    requestContext: RequestContext | null;
  }
}

/** What an application on a port stands on. */
export interface HttpAppOptions {
  /** One for all ports of the process. */
  readonly limits: RateLimits;
  readonly log: HttpLog;
  /** Counts refusals of this application and of its port. */
  readonly counts: AnswerCounts;
  /** Paths that are answered to banned and denied addresses too; none if not given. */
  readonly isForEveryone?: (path: string) => boolean;
  /** Headers of answers to pages of an origin, names and values in turn; none if not given. */
  readonly crossOriginHeaders?: (origin: string, path: string) => readonly string[];
  /** Puts a listener before the application: it hands on what is the application's. */
  readonly before?: (app: Listener) => Listener;
}

/** Refuses a request with the answer of an error, whatever kind of error it is. */
function refuse(
  { limits, log, counts }: HttpAppOptions,
  reply: FastifyReply,
  context: RequestContext,
  error: unknown,
  closes: boolean,
): void {
  const refusal = refusalOf(error, log, { path: context.path });
  chargeRefusal(context, limits, refusal);
  const { status, text } = refusalAnswer(refusal);
  counts.add(status, limits.monotonic.now() - context.receivedMonotonic);
  const isLast = closes || closesConnection(status);
  if (isLast) closesAfterAnswer(reply.raw.req.socket);
  const headers = headersOf(context, Buffer.byteLength(text), isLast);
  reply.code(status);
  for (let at = 0; at < headers.length; at += 2) reply.header(headers[at] as string, headers[at + 1]);
  reply.send(text);
}

/** The framework's own errors in our words; other errors stay as they are. */
function translated(error: unknown, isUnknownPath: boolean): unknown {
  const { code = '', statusCode = 500 } = error as { readonly code?: string; readonly statusCode?: number };
  if (!code.startsWith('FST_ERR')) return error;
  if (isUnknownPath) return new TransportError('unknownPath');
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new TransportError('bodyTooLarge');
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new TransportError('contentTypeNotSupported');
  return statusCode < 500 ? new TransportError('malformedRequest') : error;
}

/** Every request passes here first: transport limits, then bans and the firewall. */
function admitRequests(app: FastifyInstance, options: HttpAppOptions): void {
  const { limits, isForEveryone, crossOriginHeaders } = options;
  app.decorateRequest('requestContext', null);
  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = request;
    const context = new RequestContext(raw, limits);
    request.requestContext = context;
    const { origin } = raw.headers;
    const forOrigin = origin === undefined ? [] : (crossOriginHeaders?.(origin, context.path) ?? []);
    for (let at = 0; at < forOrigin.length; at += 2) reply.header(forOrigin[at] as string, forOrigin[at + 1]);
    const fault = checkTransport(raw);
    if (fault !== null) {
      refuse(options, reply, context, fault, true);
      return;
    }
    try {
      if (isForEveryone?.(context.path) !== true) checkAddress(context, limits);
    } catch (error) {
      refuse(options, reply, context, error, leavesBody(raw));
      return;
    }
    done();
  });
  app.addHook('onSend', (_request, reply, _payload, done) => {
    reply.headers(securityHeaders);
    done();
  });
}

/** Whatever a request fails with becomes the answer of a refusal. */
function refuseFailures(app: FastifyInstance, options: HttpAppOptions): void {
  app.setErrorHandler((error, request, reply) => {
    const context = request.requestContext ?? new RequestContext(request.raw, options.limits);
    refuse(options, reply, context, translated(error, request.is404), leavesBody(request.raw));
  });
  app.setNotFoundHandler(() => {
    throw new TransportError('unknownPath');
  });
}

/**
 * A Fastify application on a server of its own, under the limits of the transport and of client addresses. It adds
 * nothing of its own: paths match exactly, and every failure is answered in the shape of the exchange's errors, an
 * ApiError with its code, anything unexpected with 500 and a line in the log.
 */
export function createHttpApp(options: HttpAppOptions): FastifyInstance {
  const { limits, counts, before = (listener) => listener } = options;
  const app = Fastify({
    serverFactory: (listener) => createNodeServer(before(listener)),
    bodyLimit: wireLimits.request.bodyBytes,
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: false, caseSensitive: true },
    // The router refuses before any hook runs: paths that cannot be decoded.
    frameworkErrors: (error, { raw }, reply) => {
      refuse(options, reply, new RequestContext(raw, limits), translated(error, true), leavesBody(raw));
    },
    clientErrorHandler: () => {},
  });
  admitRequests(app, options);
  refuseFailures(app, options);
  guardConnections(app.server, { limits, counts });
  return app;
}

/** A server on one port. */
export interface HttpServer {
  /** Node's own server: websocket upgrades attach to it. */
  readonly server: Server;
  /** Binds; answers the port, chosen by the system when `port` is 0. */
  listen(host: string, port: number): Promise<number>;
  /** Takes no more connections, finishes the requests in flight and closes. */
  close(): Promise<void>;
}

/** The server of an application. */
export const httpServerOf = (app: FastifyInstance): HttpServer => ({
  server: app.server,
  listen: async (host, port) => {
    await app.listen({ host, port });
    return (app.server.address() as AddressInfo).port;
  },
  close: () => app.close(),
});
