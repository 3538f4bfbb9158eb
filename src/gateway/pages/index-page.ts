import type { FastifyInstance } from 'fastify';
import type { GatewayVersion } from '#gateway/gateway-context.ts';

/** Path of the index page. */
export const indexPath = '/';

const pages = {
  docs: '/docs/',
  streams: '/docs/streams',
  openapi: '/openapi.json',
  asyncapi: '/asyncapi.json',
  proto: '/proto/push.proto',
  health: '/healthz',
  ready: '/readyz',
  version: '/version',
} as const;

/**
 * Registers `/`: a JSON object with the paths of the pages of this port. `hasMetrics`: whether `/metrics` is served.
 */
export function registerIndexPage(app: FastifyInstance, version: GatewayVersion, hasMetrics: boolean): void {
  const text = JSON.stringify({ ...version, pages: hasMetrics ? { ...pages, metrics: '/metrics' } : pages });
  app.get(indexPath, (_request, reply) => reply.type('application/json;charset=utf-8').send(text));
}
