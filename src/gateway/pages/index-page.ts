import type { FastifyInstance } from 'fastify';
import type { GatewayVersion } from '#gateway/gateway-context.ts';

/** Address of the page that names the others. */
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

/** Registers `/`: a JSON object that names the pages of this port. `hasMetrics`: whether it shows `/metrics`. */
export function registerIndexPage(app: FastifyInstance, version: GatewayVersion, hasMetrics: boolean): void {
  const text = JSON.stringify({ ...version, pages: hasMetrics ? { ...pages, metrics: '/metrics' } : pages });
  app.get(indexPath, (_request, reply) => reply.type('application/json;charset=utf-8').send(text));
}
