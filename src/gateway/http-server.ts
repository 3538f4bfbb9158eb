import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { wireLimits } from '#api/limits.ts';
import type { Answer } from '#gateway/answer.ts';
import { Call } from '#gateway/call.ts';
import { closesAfterAnswer, guardConnections } from '#gateway/connection-guard.ts';
import type { Gateway } from '#gateway/gateway.ts';
import { createHandlers } from '#gateway/handlers/create-handlers.ts';
import { isHealthPage, isReferencePage, registerOwnPages } from '#gateway/own-pages.ts';
import type { HandlersById } from '#gateway/serve-call.ts';
import { admitCall, admitReader, answerHeaders, closesConnection, refuseCall, serveCall } from '#gateway/serve-call.ts';
import { checkTransport } from '#gateway/transport-check.ts';
import { TransportError } from '#gateway/transport-error.ts';

/** A server on one port. */
export interface HttpServer {
  /** Node's own server: websocket upgrades attach to it. */
  readonly server: Server;
  /** Binds; answers the port, chosen by the system when `port` is 0. */
  listen(host: string, port: number): Promise<number>;
  /** Takes no more connections, finishes the requests in flight and closes. */
  close(): Promise<void>;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the first hook of every request; the framework's own errors may come before. */
    call: Call | null;
  }
}

const { connection, request: limits } = wireLimits;
const jsonType = 'application/json;charset=utf-8';

/** Raw path and query of a request, split at the first `?`; nothing is decoded. */
function splitAddress(url: string): readonly [string, string] {
  const mark = url.indexOf('?');
  return mark < 0 ? [url, ''] : [url.slice(0, mark), url.slice(mark + 1)];
}

/** Starts the record of a request: who, what, when. */
export function receiveCall(gateway: Gateway, raw: IncomingMessage): Call {
  const [path, query] = splitAddress(raw.url ?? '');
  const forwarded = raw.headers['x-forwarded-for'];
  const { context, admission } = gateway;
  return new Call({
    method: raw.method ?? '',
    path,
    query,
    headers: raw.headers,
    client: admission.addresses.clientOf(
      raw.socket.remoteAddress,
      typeof forwarded === 'string' ? forwarded : undefined,
    ),
    receivedAt: context.clock.now(),
    receivedMonotonic: context.monotonic.now(),
  });
}

/** Whether a refused request has a body that is still to come and too large, or of unknown size, to be read away. */
function leavesBody(raw: IncomingMessage): boolean {
  if (raw.headers['transfer-encoding'] !== undefined) return true;
  return Number(raw.headers['content-length'] ?? 0) > limits.bodyBytes;
}

function send(reply: FastifyReply, call: Call, answer: Answer): void {
  reply.code(answer.status).headers(answerHeaders(call)).type(jsonType);
  if (closesConnection(answer.status)) reply.header('connection', 'close');
  reply.send(answer.text);
}

/** What the framework refuses by itself, in our words. */
function frameworkError(code: string | undefined): TransportError {
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new TransportError('bodyTooLarge');
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new TransportError('contentTypeNotSupported');
    case 'FST_ERR_BAD_URL':
      return new TransportError('unknownPath');
    default:
      return new TransportError('malformedRequest');
  }
}

/** Codes of errors that come from the client's side of the connection or from what it sent. */
const isClientFault = (code: string | undefined): boolean =>
  code?.startsWith('FST_ERR_CTP') === true ||
  code === 'FST_ERR_BAD_URL' ||
  code === 'ECONNRESET' ||
  code === 'ERR_STREAM_PREMATURE_CLOSE';

function registerRoutes(app: FastifyInstance, gateway: Gateway, handlers: HandlersById): void {
  const handler = (request: FastifyRequest, reply: FastifyReply): void => {
    const call = request.call as Call;
    call.body = Buffer.isBuffer(request.body) ? request.body : null;
    void serveCall(call, gateway, handlers).then((answer) => send(reply, call, answer));
  };
  for (const { endpoint } of gateway.routes.plans) {
    app.route({ method: endpoint.method, url: endpoint.path, handler });
  }
}

/** Every request passes here before its body is read: transport limits, then the stages that need headers only. */
function admitRequests(app: FastifyInstance, gateway: Gateway): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = request;
    const call = receiveCall(gateway, raw);
    request.call = call;
    const refuse = (answer: Answer): void => {
      if (leavesBody(raw)) reply.header('connection', 'close');
      send(reply, call, answer);
    };
    const fault = checkTransport(raw);
    if (fault !== null) {
      reply.header('connection', 'close');
      closesAfterAnswer(raw.socket);
      refuse(refuseCall(call, gateway, fault));
      return;
    }
    const { path } = call.request;
    if (isHealthPage(path)) {
      done();
      return;
    }
    const admission = isReferencePage(path) ? admitReader(call, gateway) : admitCall(call, gateway);
    const goOn = (answer: Answer | null): void => {
      if (answer === null) done();
      else refuse(answer);
    };
    if (admission instanceof Promise) admission.then(goOn, done);
    else goOn(admission);
  });
}

function answerFrameworkError(gateway: Gateway, error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { code } = error as { readonly code?: string };
  const call = request.call ?? receiveCall(gateway, request.raw);
  send(reply, call, refuseCall(call, gateway, isClientFault(code) ? frameworkError(code) : error));
}

/** A framework that adds nothing of its own: bodies arrive raw, paths match exactly, errors come from our record. */
function createApp(gateway: Gateway): FastifyInstance {
  const app = Fastify({
    bodyLimit: limits.bodyBytes,
    exposeHeadRoutes: false,
    keepAliveTimeout: connection.keepAliveTimeoutMs,
    requestTimeout: connection.requestTimeoutMs,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: false, caseSensitive: true },
    http: {
      // Address and headers count together here; transport-check.ts measures each on its own.
      maxHeaderSize: limits.headerBytes + limits.addressBytes + 1024,
      headersTimeout: connection.headersTimeoutMs,
      connectionsCheckingInterval: 1000,
      insecureHTTPParser: false,
      requireHostHeader: false,
    },
    frameworkErrors: (error, request, reply) => answerFrameworkError(gateway, error, request, reply),
    clientErrorHandler: () => {},
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.decorateRequest('call', null);
  app.setErrorHandler((error, request, reply) => answerFrameworkError(gateway, error, request, reply));
  app.setNotFoundHandler((request, reply) => {
    const call = request.call ?? receiveCall(gateway, request.raw);
    send(reply, call, refuseCall(call, gateway, new TransportError('unknownPath')));
  });
  return app;
}

/**
 * The HTTP side of a gateway: one port with the endpoints of its surfaces, `/healthz`, `/readyz`, `/version`,
 * `/metrics`, `/openapi.json` and `/docs`.
 */
export async function createHttpServer(gateway: Gateway): Promise<HttpServer> {
  const app = createApp(gateway);
  const { server } = app;
  guardConnections(server, gateway);
  admitRequests(app, gateway);
  const handlers = createHandlers(gateway.context, gateway.directory);
  registerRoutes(app, gateway, handlers as unknown as HandlersById);
  await registerOwnPages(app, gateway);
  return {
    server,
    listen: async (host, port) => {
      await app.listen({ host, port });
      return (server.address() as AddressInfo).port;
    },
    close: () => app.close(),
  };
}
