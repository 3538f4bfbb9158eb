import type { FastifyInstance, FastifyReply } from 'fastify';
import { wireLimits } from '#api/limits.ts';
import type { GatewayContext } from '#gateway/gateway-context.ts';
import { createOverviewReader } from '#gateway/pages/market-overview.ts';
import { overviewPolicy } from '#gateway/pages/overview-assets.ts';
import { overviewPage, type SandboxFacts } from '#gateway/pages/overview-page.ts';
import { prefersHtml } from '#gateway/pages/prefers-html.ts';
import { healthPaths } from '#http/health-pages.ts';
import { jsonType } from '#http/json-type.ts';
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

/** What only the sandbox shows: names, never keys. DEC-REQ-64. */
function sandboxFacts({ settings, demoKeys = [], operatorUrl }: GatewayContext): SandboxFacts | null {
  if (settings.profile !== 'sandbox') return null;
  return { accounts: demoKeys.map(({ name, role }) => ({ name, role })), operatorUrl: operatorUrl?.() ?? null };
}

/** A text that is being made, or was made at `madeAt` on the monotonic clock. */
interface KeptText {
  readonly text: Promise<string>;
  madeAt: number | null;
}

/** Makes a text at most once in a while and one at a time, however often and by however many it is asked for. */
function keptText({ monotonic }: GatewayContext, make: () => Promise<string>): () => Promise<string> {
  let kept: KeptText | null = null;
  const isFresh = ({ madeAt }: KeptText): boolean =>
    madeAt === null || monotonic.now() - madeAt < wireLimits.marketPage.keptMs;
  return () => {
    if (kept !== null && isFresh(kept)) return kept.text;
    const making: KeptText = { text: make(), madeAt: null };
    kept = making;
    making.text.then(
      () => {
        making.madeAt = monotonic.now();
      },
      () => {
        // The next request tries again.
        kept = null;
      },
    );
    return making.text;
  };
}

/** Tells caches that the answer depends on the Accept header. */
function varyByAccept(reply: FastifyReply): FastifyReply {
  const vary = reply.getHeader('vary');
  return reply.header('vary', vary === undefined ? 'accept' : `${vary}, accept`);
}

/**
 * Registers `/`: for programs a JSON object with the paths of the pages of this port, for browsers a page that shows
 * the market too. `hasMetrics`: whether `/metrics` is served. DEC-REQ-62, DEC-REQ-63.
 */
export function registerIndexPage(app: FastifyInstance, context: GatewayContext, hasMetrics: boolean): void {
  const { version, settings, isReady } = context;
  const shown = hasMetrics ? { ...pages, metrics: healthPaths.metrics } : pages;
  const json = JSON.stringify({ ...version, pages: shown });
  const readMarket = createOverviewReader(context);
  const page = keptText(context, async () =>
    overviewPage({
      version,
      profile: settings.profile,
      isReady: isReady(),
      market: await readMarket(),
      sandbox: sandboxFacts(context),
      pages: shown,
    }),
  );
  app.get(indexPath, async ({ headers }, reply) => {
    varyByAccept(reply);
    if (!prefersHtml(headers.accept)) return reply.type(jsonType).send(json);
    const text = await page();
    return reply
      .type('text/html;charset=utf-8')
      .header('content-security-policy', overviewPolicy)
      .header('cache-control', 'no-cache')
      .send(text);
  });
}
