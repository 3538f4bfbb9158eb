import type { FastifyInstance, FastifyReply } from 'fastify';
import type { CurrentReads } from '#http/current-reads.ts';
import { jsonType } from '#http/fixed-headers.ts';
import { healthCost, metricsCost } from '#http/shared-page.ts';

/** Name and version of what runs, for GET /version. */
export interface ProductVersion {
  readonly name: string;
  readonly version: string;
}

/** What the health pages tell. */
export interface Health {
  readonly version: ProductVersion;
  /** Whether the journal is replayed and commands are taken: GET /readyz. */
  readonly isReady: () => boolean;
  /** Why it is not ready, where more is known than that; absent or `null`: it starts, or stops. */
  readonly whyNotReady?: () => string | null;
  /** Of a node of a cluster; absent: it is by itself. */
  readonly reads?: CurrentReads | undefined;
}

/** Metrics of the whole process in the text format of Prometheus; all who ask in a while get the same bytes. */
export type MetricsPage = () => Promise<Buffer>;

/** Paths of health, readiness, version and metrics. */
export const healthPaths = {
  health: '/healthz',
  ready: '/readyz',
  version: '/version',
  metrics: '/metrics',
} as const;

const healthPages: ReadonlySet<string> = new Set(Object.values(healthPaths));

/** Pages that every address may request, even banned ones. DEC-LIM-03. */
export const isHealthPage = (path: string): boolean => healthPages.has(path);

const metricsType = 'text/plain; version=0.0.4; charset=utf-8';

function sendJson(reply: FastifyReply, status: number, body: object): FastifyReply {
  return reply.code(status).header('cache-control', 'no-store').type(jsonType).send(JSON.stringify(body));
}

/** Registers health, readiness and version, and metrics unless `metrics` is null. */
export function registerHealthPages(app: FastifyInstance, health: Health, metrics: MetricsPage | null): void {
  const config = { cost: healthCost };
  app.get(healthPaths.health, { config }, (_request, reply) => sendJson(reply, 200, { status: 'ok' }));
  app.get(healthPaths.ready, { config }, (_request, reply) => {
    if (health.isReady()) return sendJson(reply, 200, { status: 'ready' });
    const why = health.whyNotReady?.() ?? null;
    return sendJson(reply, 503, why === null ? { status: 'starting' } : { status: 'standsAside', why });
  });
  app.get(healthPaths.version, { config }, (_request, reply) => sendJson(reply, 200, health.version));
  if (metrics === null) return;
  app.get(healthPaths.metrics, { config: { cost: metricsCost } }, async (_request, reply) =>
    reply
      .type(metricsType)
      .header('cache-control', 'no-store')
      .send(await metrics()),
  );
}
