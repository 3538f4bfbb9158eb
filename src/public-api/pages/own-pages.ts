import type { FastifyInstance } from 'fastify';
import { groups } from '#public-api/catalogue.ts';
import { openApi } from '#public-api/documents/openapi.ts';
import type { Gateway } from '#public-api/gateway.ts';
import { registerDemoKeys } from '#public-api/pages/demo-keys.ts';
import { indexPath, registerIndexPage } from '#public-api/pages/index-page.ts';
import { registerSigningScripts, signingPluginPath } from '#public-api/pages/signing-scripts.ts';
import { isStreamPage, registerStreamPages } from '#public-api/pages/stream-pages.ts';
import { faviconPath, registerFavicon } from '#http/favicon.ts';
import { type MetricsPage, registerHealthPages } from '#http/health-pages.ts';
import { jsonType } from '#http/json-type.ts';
import { documentCost } from '#http/page-cost.ts';
import { sendPage, SharedPage } from '#http/shared-page.ts';
import { documentPath, referencePath, registerReferencePage } from '#http/reference-page.ts';

/** Pages about the exchange itself: they need no API key. */
export const isReferencePage = (path: string): boolean =>
  path === indexPath ||
  path === faviconPath ||
  path === documentPath ||
  path === referencePath ||
  path.startsWith(`${referencePath}/`) ||
  isStreamPage(path);

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

/** Registers health, version, OpenAPI document, reference page, and metrics if shown. */
export function registerOwnPages(app: FastifyInstance, gateway: Gateway, metrics: MetricsPage | null): void {
  registerHealthPages(app, gateway.context, metrics);
  registerFavicon(app);
  registerIndexPage(app, gateway.context, metrics !== null);
  registerStreamPages(app, gateway);
  registerSigningScripts(app);
  registerDemoKeys(app, gateway);
  registerDocument(app, gateway);
  registerReferencePage(app, { title: 'API reference', pluginUrls: [signingPluginPath] });
}
