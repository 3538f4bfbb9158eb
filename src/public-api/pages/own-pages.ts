import type { FastifyInstance } from 'fastify';
import { groups } from '#public-api/catalogue.ts';
import { openApi } from '#public-api/documents/openapi.ts';
import type { Gateway } from '#public-api/gateway.ts';
import { registerDemoKeys } from '#public-api/pages/demo-keys.ts';
import { registerIndexPage } from '#public-api/pages/index-page.ts';
import { isShellPage, marketsPath, referencePath, registerShellPages } from '#public-api/pages/shell-pages.ts';
import { isStreamPage, registerStreamPages } from '#public-api/pages/stream-pages.ts';
import { faviconPath, registerFavicon } from '#http/favicon.ts';
import { type MetricsPage, registerHealthPages, isHealthPage } from '#http/health-pages.ts';
import { jsonType } from '#http/fixed-headers.ts';
import { documentCost, documentPath, sendPage, SharedPage } from '#http/shared-page.ts';
import { createHttpApp } from '#http/http-app.ts';
import type { Listener } from '#http/node-server.ts';

/** Pages about the exchange itself: they need no API key. */
export const isReferencePage = (path: string): boolean =>
  path === marketsPath ||
  path === faviconPath ||
  path === documentPath ||
  path === referencePath ||
  path.startsWith(`${referencePath}/`) ||
  isStreamPage(path) ||
  isShellPage(path);

const relative = { spot: '/', futures: '/' } as const;

/** The document is generated once per set of base URLs, because that reads the whole catalogue. */
function registerDocument(app: FastifyInstance, { context }: Gateway): void {
  let cached: { readonly key: string; readonly page: SharedPage } | null = null;
  app.get(documentPath, { config: { cost: documentCost } }, (request, reply) => {
    const { spot, futures } = context.baseUrls?.() ?? relative;
    const key = `${spot} ${futures}`;
    if (cached?.key !== key) {
      const document = openApi(groups, {
        version: context.version.version,
        spotServer: spot,
        futuresServer: futures,
        keyHeader: context.settings.keyHeader,
      });
      cached = { key, page: new SharedPage(JSON.stringify(document), jsonType) };
    }
    return sendPage(request, reply, cached.page);
  });
}

/** Registers health, version, documents, the pages that are built, and metrics if shown. */
export function registerOwnPages(app: FastifyInstance, gateway: Gateway, metrics: MetricsPage | null): void {
  registerHealthPages(app, gateway.context, metrics);
  registerFavicon(app);
  registerIndexPage(app, gateway.context, metrics !== null);
  registerShellPages(app, gateway.context);
  registerStreamPages(app, gateway);
  registerDemoKeys(app, gateway);
  registerDocument(app, gateway);
}

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
