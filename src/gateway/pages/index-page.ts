import type { FastifyInstance } from 'fastify';
import { healthPaths, type ProductVersion } from '#http/health-pages.ts';
import { documentPath } from '#http/reference-page.ts';

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

/**
 * Registers `/`: a JSON object with the paths of the pages of this port. `hasMetrics`: whether `/metrics` is served.
 */
export function registerIndexPage(app: FastifyInstance, version: ProductVersion, hasMetrics: boolean): void {
  const text = JSON.stringify({ ...version, pages: hasMetrics ? { ...pages, metrics: healthPaths.metrics } : pages });
  app.get(indexPath, (_request, reply) => reply.type('application/json;charset=utf-8').send(text));
}
