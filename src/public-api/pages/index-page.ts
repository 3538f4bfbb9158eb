import type { FastifyInstance } from 'fastify';
import { wireLimits } from '#http/limits.ts';
import type { GatewayContext } from '#public-api/gateway-context.ts';
import { createOverviewReader } from '#public-api/pages/market-overview.ts';
import { overviewPolicy } from '#public-api/pages/overview-assets.ts';
import { overviewPage, type SandboxFacts } from '#public-api/pages/overview-page.ts';
import { healthPaths } from '#http/health-pages.ts';
import { jsonType } from '#http/fixed-headers.ts';
import { keptBytes } from '#http/kept-bytes.ts';
import { pageCost, addVary, sendPage, SharedPage } from '#http/shared-page.ts';
import { documentPath } from '#http/reference-page.ts';

/** Weight of a media range in an Accept header: 1 unless it has a weight, 0 if that is no number. */
function weightOf(parameters: readonly string[]): number {
  const weight = parameters.map((text) => text.trim().toLowerCase()).find((text) => text.startsWith('q='));
  if (weight === undefined) return 1;
  return Number(weight.slice(2)) || 0;
}

/**
 * Whether the Accept header of a request names `text/html`, with more weight than JSON. Browsers do; programs say
 * `application/json`, any type, or nothing, and are not to be surprised by a page. DEC-REQ-62.
 */
export function prefersHtml(accept: string | undefined): boolean {
  const weights = { 'text/html': 0, 'application/json': 0 };
  for (const range of accept?.split(',') ?? []) {
    const [type = '', ...parameters] = range.split(';');
    const name = type.trim().toLowerCase();
    if (name === 'text/html' || name === 'application/json') {
      weights[name] = Math.max(weights[name], weightOf(parameters));
    }
  }
  return weights['text/html'] > weights['application/json'];
}

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
