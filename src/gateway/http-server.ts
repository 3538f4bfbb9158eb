import { endpointListener } from '#gateway/endpoint-listener.ts';
import type { Gateway } from '#gateway/gateway.ts';
import { createHandlers } from '#gateway/handlers/create-handlers.ts';
import { isHealthPage, isReferencePage, type MetricsPage, registerOwnPages } from '#gateway/pages/own-pages.ts';
import type { HandlersById } from '#gateway/pipeline/serve-request.ts';
import { createHttpApp, type HttpServer, httpServerOf } from '#http/http-app.ts';

/** Whether an address is one of the exchange's own pages. */
function isPage(url: string): boolean {
  if (url.startsWith('/api/')) return false;
  const mark = url.indexOf('?');
  const path = mark < 0 ? url : url.slice(0, mark);
  return isHealthPage(path) || isReferencePage(path);
}

/**
 * The HTTP side of a gateway: one port with the endpoints of its surfaces, `/healthz`, `/readyz`, `/version`,
 * `/openapi.json`, `/docs`, and `/metrics` unless there is no page of them. Pages are a Fastify application; endpoints
 * have a listener before it, docs/decisions/0009.
 */
export async function createHttpServer(gateway: Gateway, metrics: MetricsPage | null): Promise<HttpServer> {
  let isClosing = false;
  const handlers = createHandlers(gateway.context, gateway.directory) as unknown as HandlersById;
  const endpoints = endpointListener(gateway, handlers, () => isClosing);
  const app = createHttpApp({
    limits: gateway.limits,
    log: gateway.context.log,
    counts: gateway.unrouted,
    isForEveryone: isHealthPage,
    crossOriginHeaders: (origin, path) =>
      isReferencePage(path) ? gateway.crossOrigin.answerHeaders(origin, false) : [],
    before: (pages) => (raw, response) => (isPage(raw.url ?? '') ? pages : endpoints)(raw, response),
  });
  // Pages take no bodies.
  app.removeAllContentTypeParsers();
  app.addHook('preClose', (done) => {
    isClosing = true;
    done();
  });
  await registerOwnPages(app, gateway, metrics);
  return httpServerOf(app);
}
