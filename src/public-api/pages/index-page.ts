import type { FastifyInstance } from 'fastify';
import type { GatewayContext } from '#public-api/gateway-context.ts';
import { marketsPath, sendMarketsPage } from '#public-api/pages/shell-pages.ts';
import { healthPaths } from '#http/health-pages.ts';
import { jsonType } from '#http/fixed-headers.ts';
import { addVary, documentPath, pageCost, sendPage, SharedPage } from '#http/shared-page.ts';

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

/**
 * Registers `/`: for programs a JSON object with the paths of the pages of this port, for browsers the page of the
 * markets. `hasMetrics`: whether `/metrics` is served. DEC-REQ-62, DEC-WEB-01.
 */
export function registerIndexPage(app: FastifyInstance, context: GatewayContext, hasMetrics: boolean): void {
  const shown = hasMetrics ? { ...pages, metrics: healthPaths.metrics } : pages;
  const json = new SharedPage(JSON.stringify({ ...context.version, pages: shown }), jsonType);
  const sendPageOfMarkets = sendMarketsPage(context);
  app.route({
    method: ['GET', 'HEAD'],
    url: marketsPath,
    config: { cost: pageCost },
    handler: (request, reply) => {
      // Caches hear that the answer depends on the Accept header.
      addVary(reply, 'accept');
      return prefersHtml(request.headers.accept) ? sendPageOfMarkets(request, reply) : sendPage(request, reply, json);
    },
  });
}
