import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { wireLimits } from '#api/limits.ts';
import { originForm } from '#api/request-target.ts';
import { securityHeaders } from '#api/security-headers.ts';
import { isWebsocketUpgrade } from '#api/websocket-upgrade.ts';
import type { Answer } from '#gateway/answer.ts';
import type { Call } from '#gateway/call.ts';
import { guardConnections } from '#gateway/connection-guard.ts';
import { endpointListener } from '#gateway/endpoint-listener.ts';
import type { Gateway } from '#gateway/gateway.ts';
import { createHandlers } from '#gateway/handlers/create-handlers.ts';
import { IncomingRequest } from '#gateway/incoming-request.ts';
import { isHealthPage, isReferencePage, type MetricsPage, registerOwnPages } from '#gateway/own-pages.ts';
import { receiveCall } from '#gateway/receive-call.ts';
import type { HandlersById } from '#gateway/serve-call.ts';
import { admitReader, refuseCall } from '#gateway/serve-call.ts';
import { checkTransport, leavesBody } from '#gateway/transport-check.ts';
import { TransportError } from '#gateway/transport-error.ts';
import { writeAnswer } from '#gateway/write-answer.ts';

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

type Listener = (raw: IncomingRequest, response: ServerResponse) => void;

/** Whether the framework answers this address: one of the exchange's own pages. */
function isPage(url: string): boolean {
  if (url.startsWith('/api/')) return false;
  const mark = url.indexOf('?');
  const path = mark < 0 ? url : url.slice(0, mark);
  return isHealthPage(path) || isReferencePage(path);
}

/** Node 24.9 and later ask a server which upgrades it takes and serve the other requests; earlier ones ignore this. */
interface UpgradeChoice {
  shouldUpgradeCallback(this: Server, request: IncomingMessage): boolean;
}
const upgradeChoice: UpgradeChoice = {
  shouldUpgradeCallback(request) {
    return this.listenerCount('upgrade') > 0 && isWebsocketUpgrade(request.headers.upgrade);
  },
};

/** Pages are answered by the framework, all else by a listener of our own, which takes half the time. */
function createNodeServer(pages: Listener, endpoints: Listener): Server {
  return createServer(
    {
      ...(upgradeChoice as ServerOptions<typeof IncomingRequest>),
      IncomingMessage: IncomingRequest,
      // Address and headers count together here; transport-check.ts measures each on its own.
      maxHeaderSize: limits.headerBytes + limits.addressBytes + 1024,
      headersTimeout: connection.headersTimeoutMs,
      requestTimeout: connection.requestTimeoutMs,
      keepAliveTimeout: connection.keepAliveTimeoutMs,
      connectionsCheckingInterval: 1000,
      insecureHTTPParser: false,
      requireHostHeader: false,
    },
    (raw, response) => {
      const { url = '' } = raw;
      // One that is too long is refused as it came.
      if (url.length <= limits.addressBytes) raw.url = originForm(url);
      if (isPage(raw.url ?? '')) pages(raw, response);
      else endpoints(raw, response);
    },
  );
}

/** Sends an answer of ours from within the framework, which leaves the response alone from then on. */
function send(reply: FastifyReply, call: Call, answer: Answer, closes: boolean): void {
  reply.hijack();
  writeAnswer(reply.raw, call, answer, closes);
}

/** Every request for a page passes here: transport limits, then who asks. */
function admitReaders(app: FastifyInstance, gateway: Gateway): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = request;
    const call = receiveCall(gateway, raw);
    request.call = call;
    reply.headers(securityHeaders);
    const { origin } = raw.headers;
    if (origin !== undefined && isReferencePage(call.request.path)) {
      const headers = gateway.crossOrigin.answerHeaders(origin, false);
      for (let at = 0; at < headers.length; at += 2) reply.header(headers[at] as string, headers[at + 1]);
    }
    const fault = checkTransport(raw);
    if (fault !== null) {
      send(reply, call, refuseCall(call, gateway, fault), true);
      return;
    }
    const refusal = isHealthPage(call.request.path) ? null : admitReader(call, gateway);
    if (refusal === null) done();
    else send(reply, call, refusal, leavesBody(raw));
  });
}

/** What the framework refuses by itself, in our words. */
function answerFrameworkError(gateway: Gateway, error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const call = request.call ?? receiveCall(gateway, request.raw);
  const { code } = error as { readonly code?: string };
  const isOurs = code?.startsWith('FST_ERR') !== true;
  const refusal = refuseCall(call, gateway, isOurs ? error : new TransportError('unknownPath'));
  send(reply, call, refusal, leavesBody(request.raw));
}

/** A framework that adds nothing of its own: paths match exactly, errors come from our record. */
async function createPages(
  gateway: Gateway,
  endpoints: Listener,
  metrics: MetricsPage | null,
): Promise<FastifyInstance> {
  const app = Fastify({
    serverFactory: (pages) => createNodeServer(pages, endpoints),
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: false, caseSensitive: true },
    frameworkErrors: (error, request, reply) => answerFrameworkError(gateway, error, request, reply),
    clientErrorHandler: () => {},
  });
  app.removeAllContentTypeParsers();
  app.decorateRequest('call', null);
  app.setErrorHandler((error, request, reply) => answerFrameworkError(gateway, error, request, reply));
  app.setNotFoundHandler((request, reply) => {
    answerFrameworkError(gateway, new TransportError('unknownPath'), request, reply);
  });
  admitReaders(app, gateway);
  await registerOwnPages(app, gateway, metrics);
  return app;
}

/**
 * The HTTP side of a gateway: one port with the endpoints of its surfaces, `/healthz`, `/readyz`, `/version`,
 * `/openapi.json`, `/docs`, and `/metrics` unless there is no page of them.
 */
export async function createHttpServer(gateway: Gateway, metrics: MetricsPage | null): Promise<HttpServer> {
  let isClosing = false;
  const handlers = createHandlers(gateway.context, gateway.directory) as unknown as HandlersById;
  const app = await createPages(
    gateway,
    endpointListener(gateway, handlers, () => isClosing),
    metrics,
  );
  app.addHook('preClose', (done) => {
    isClosing = true;
    done();
  });
  const { server } = app;
  guardConnections(server, gateway);
  return {
    server,
    listen: async (host, port) => {
      await app.listen({ host, port });
      return (server.address() as AddressInfo).port;
    },
    close: () => app.close(),
  };
}
