import { endpointListener } from '#public-api/pipeline/endpoint-listener.ts';
import type { Gateway } from '#public-api/gateway.ts';
import { createHandlers } from '#public-api/create-handlers.ts';
import { createPages } from '#public-api/pages/own-pages.ts';
import type { HandlersById } from '#public-api/pipeline/serve-request.ts';
import type { MetricsPage } from '#http/health-pages.ts';
import { type HttpServer, httpServerOf } from '#http/http-app.ts';

/**
 * Creates the HTTP server of a gateway: one port with the endpoints of its surfaces and the pages; `/metrics` is served
 * unless `metrics` is null. Endpoints do not use the framework: docs/decisions/0009.
 */
export function createHttpServer(gateway: Gateway, metrics: MetricsPage | null): HttpServer {
  let isClosing = false;
  const handlers = createHandlers(
    gateway.context,
    gateway.directory,
    gateway.endpointLimits.access,
  ) as unknown as HandlersById;
  const pages = createPages(
    gateway,
    metrics,
    endpointListener(gateway, handlers, () => isClosing),
  );
  pages.addHook('preClose', (done) => {
    isClosing = true;
    done();
  });
  return httpServerOf(pages);
}
