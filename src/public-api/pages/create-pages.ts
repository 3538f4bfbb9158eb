import type { FastifyInstance } from 'fastify';
import type { Gateway } from '#public-api/gateway.ts';
import { isReferencePage, registerOwnPages } from '#public-api/pages/own-pages.ts';
import { isHealthPage, type MetricsPage } from '#http/health-pages.ts';
import { createHttpApp } from '#http/http-app.ts';
import type { Listener } from '#http/node-server.ts';

/** Whether a URL is one of the exchange's own pages. */
function isPage(url: string): boolean {
  if (url.startsWith('/api/')) return false;
  const mark = url.indexOf('?');
  const path = mark < 0 ? url : url.slice(0, mark);
  return isHealthPage(path) || isReferencePage(path);
}

/**
 * Creates the exchange's own pages as a Fastify application: health, version, documents, reference, and metrics unless
 * `metrics` is null. `endpoints` handles every other request of the port.
 */
export function createPages(gateway: Gateway, metrics: MetricsPage | null, endpoints: Listener): FastifyInstance {
  const app = createHttpApp({
    limits: gateway.limits,
    log: gateway.context.log,
    counts: gateway.unrouted,
    skipsAddressCheck: isHealthPage,
    crossOriginHeaders: (origin, path) =>
      isReferencePage(path) ? gateway.crossOrigin.answerHeaders(origin, false) : [],
    before: (pages) => (raw, response) => (isPage(raw.url ?? '') ? pages : endpoints)(raw, response),
  });
  // Pages accept no bodies.
  app.removeAllContentTypeParsers();
  registerOwnPages(app, gateway, metrics);
  return app;
}
