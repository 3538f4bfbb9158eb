import type { FastifyInstance } from 'fastify';
import { wireLimits } from '#http/limits.ts';
import type { GatewayContext } from '#public-api/gateway-context.ts';
import { createOverviewReader } from '#public-api/pages/market-overview.ts';
import { overviewPolicy } from '#public-api/pages/overview-assets.ts';
import { overviewPage, type SandboxFacts } from '#public-api/pages/overview-page.ts';
import { prefersHtml } from '#public-api/pages/prefers-html.ts';
import { healthPaths } from '#http/health-pages.ts';
import { jsonType } from '#http/json-type.ts';
import { keptBytes } from '#http/kept-bytes.ts';
import { pageCost } from '#http/page-cost.ts';
import { documentPath } from '#http/reference-page.ts';
import { addVary, sendPage, SharedPage } from '#http/shared-page.ts';

/** Path of the index page. */
export const indexPath = '/';

const pages = {
  docs: '/docs/',
  streams: '/docs/streams',
  openapi: documentPath,
  asyncapi: '/asyncapi.json',
  proto: '/proto/push.proto',
  health: healthPaths.health,
  ready: healthPaths.ready,
  version: healthPaths.version,
} as const;

/** What only the sandbox shows: names, never keys. DEC-REQ-64. */
function sandboxFacts({ settings, demoKeys = [], operatorUrl }: GatewayContext): SandboxFacts | null {
  if (settings.profile !== 'sandbox') return null;
  return { accounts: demoKeys.map(({ name, role }) => ({ name, role })), operatorUrl: operatorUrl?.() ?? null };
}

/**
 * Registers `/`: for programs a JSON object with the paths of the pages of this port, for browsers a page that shows
 * the market too. `hasMetrics`: whether `/metrics` is served. DEC-REQ-62, DEC-REQ-63.
 */
export function registerIndexPage(app: FastifyInstance, context: GatewayContext, hasMetrics: boolean): void {
  const { version, settings, isReady } = context;
  const shown = hasMetrics ? { ...pages, metrics: healthPaths.metrics } : pages;
  const json = new SharedPage(JSON.stringify({ ...version, pages: shown }), jsonType);
  const readMarket = createOverviewReader(context);
  const page = keptBytes(context.monotonic, wireLimits.marketPage.keptMs, async () =>
    overviewPage({
      version,
      profile: settings.profile,
      isReady: isReady(),
      market: await readMarket(),
      sandbox: sandboxFacts(context),
      pages: shown,
    }),
  );
  app.get(indexPath, { config: { cost: pageCost } }, async (request, reply) => {
    // Caches hear that the answer depends on the Accept header.
    addVary(reply, 'accept');
    if (!prefersHtml(request.headers.accept)) return sendPage(request, reply, json);
    return reply
      .type('text/html;charset=utf-8')
      .header('content-security-policy', overviewPolicy)
      .header('cache-control', 'no-cache')
      .send(await page());
  });
}
