import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Gateway } from '#gateway/gateway.ts';
import { gatewayMetrics } from '#gateway/metrics.ts';

/** Pages about the exchange itself. They need no key, cost no weight and are answered to banned addresses too. */
const pages: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/version', '/metrics', '/openapi.json']);
const referencePath = '/docs';

/** Whether a path is one of the pages of this file, which no limit applies to. */
export const isOwnPage = (path: string): boolean =>
  pages.has(path) || path === referencePath || path.startsWith(`${referencePath}/`);

const jsonType = 'application/json;charset=utf-8';

function sendJson(reply: FastifyReply, status: number, body: object): FastifyReply {
  return reply.code(status).header('cache-control', 'no-store').type(jsonType).send(JSON.stringify(body));
}

function registerHealth(app: FastifyInstance, gateway: Gateway): void {
  const { context } = gateway;
  app.get('/healthz', (_request, reply) => sendJson(reply, 200, { status: 'ok' }));
  app.get('/readyz', (_request, reply) => {
    const isReady = context.isReady();
    return sendJson(reply, isReady ? 200 : 503, { status: isReady ? 'ready' : 'starting' });
  });
  app.get('/version', (_request, reply) => sendJson(reply, 200, context.version));
}

function registerMetrics(app: FastifyInstance, gateway: Gateway): void {
  const registry = gatewayMetrics(gateway);
  app.get('/metrics', async (_request, reply) => {
    const others = await gateway.context.otherMetrics?.();
    const text = await registry.metrics();
    return reply.type(registry.contentType).send(others === undefined ? text : `${text}\n${others}`);
  });
}

/** Registers health, version, metrics, the OpenAPI document and the reference page made of it. */
export async function registerOwnPages(app: FastifyInstance, gateway: Gateway): Promise<void> {
  registerHealth(app, gateway);
  registerMetrics(app, gateway);
}
