import type { FastifyInstance, FastifyReply } from 'fastify';
import { catalogue } from '#api/catalogue.ts';
import { openApi } from '#api/derive/openapi.ts';
import type { Gateway } from '#gateway/gateway.ts';
import { registerDemoKeys } from '#gateway/pages/demo-keys.ts';
import { indexPath, registerIndexPage } from '#gateway/pages/index-page.ts';
import { registerSigningScripts, signingPluginPath } from '#gateway/pages/signing-scripts.ts';
import { isStreamPage, registerStreamPages } from '#gateway/pages/stream-pages.ts';

const healthPages: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/version', '/metrics']);
const documentPath = '/openapi.json';
const referencePath = '/docs';

/** Pages that every address may request, even banned ones. DEC-LIM-03. */
export const isHealthPage = (path: string): boolean => healthPages.has(path);

/** Pages about the exchange itself: they need no API key and cost no weight. */
export const isReferencePage = (path: string): boolean =>
  path === indexPath ||
  path === documentPath ||
  path === referencePath ||
  path.startsWith(`${referencePath}/`) ||
  isStreamPage(path);

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

/** Metrics of the whole process in the text format of Prometheus. */
export type MetricsPage = () => Promise<string>;

const metricsType = 'text/plain; version=0.0.4; charset=utf-8';

function registerMetrics(app: FastifyInstance, metrics: MetricsPage): void {
  app.get('/metrics', async (_request, reply) => reply.type(metricsType).send(await metrics()));
}

const relative = { spot: '/', futures: '/' } as const;

/** The document is generated once per set of base URLs, because that reads the whole catalogue. */
function registerDocument(app: FastifyInstance, { context }: Gateway): void {
  let cached = { key: '', text: '' };
  app.get(documentPath, (_request, reply) => {
    const { spot, futures } = context.baseUrls?.() ?? relative;
    const key = `${spot} ${futures}`;
    if (cached.key !== key) {
      const document = openApi(catalogue, {
        version: context.version.version,
        spotServer: spot,
        futuresServer: futures,
        keyHeader: context.settings.keyHeader,
      });
      cached = { key, text: JSON.stringify(document) };
    }
    return reply.type(jsonType).send(cached.text);
  });
}

/** Content security policy: the page loads nothing from other servers. */
const referencePolicy = "default-src 'self' 'unsafe-inline' data: blob:; object-src 'none'; base-uri 'none'";

/** Registers the reference page; its script is served from here, nothing from elsewhere. */
async function registerReference(app: FastifyInstance, gateway: Gateway): Promise<void> {
  registerDocument(app, gateway);
  const { default: reference } = await import('@scalar/fastify-api-reference');
  await app.register(reference, {
    routePrefix: referencePath,
    hooks: {
      onRequest: (_request, reply, done) => {
        reply.header('content-security-policy', referencePolicy);
        done();
      },
    },
    configuration: {
      url: documentPath,
      pluginUrls: [signingPluginPath],
      pageTitle: 'API reference',
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      showDeveloperTools: 'never',
      agent: { disabled: true },
      mcp: { disabled: true },
    },
  });
}

/** Registers health, version, OpenAPI document, reference page, and metrics if shown. */
export async function registerOwnPages(
  app: FastifyInstance,
  gateway: Gateway,
  metrics: MetricsPage | null,
): Promise<void> {
  registerHealth(app, gateway);
  if (metrics !== null) registerMetrics(app, metrics);
  registerIndexPage(app, gateway.context.version, metrics !== null);
  registerStreamPages(app, gateway);
  registerSigningScripts(app);
  registerDemoKeys(app, gateway);
  await registerReference(app, gateway);
}
