import Fastify from 'fastify';
import type { FastifyInstance } from 'fastify';
import { pageCost, type PageCost, scriptCost, sendPage, SharedPage } from '#http/shared-page.ts';
import { type SiteHeader, withSiteHeader } from '#http/site-header.ts';

/** Path of the OpenAPI document of a port. */
export const documentPath = '/openapi.json';
/** Path of the page that shows it. */
export const referencePath = '/docs';

/** Content security policy: the page loads nothing from other servers. */
const referencePolicy =
  "default-src 'self' 'unsafe-inline' data: blob:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'";

/** What differs between the pages of several ports. */
export interface ReferencePage {
  readonly title: string;
  /** The head of all pages of the port. */
  readonly header: SiteHeader;
  /** Scripts of this server that the page loads as plug-ins. */
  readonly pluginUrls: readonly string[];
  /** Security scheme of the document that the page asks for at first; default: none. */
  readonly securityScheme?: string;
}

/** What is served of the package, and what it costs. */
const served = {
  [referencePath]: pageCost,
  [`${referencePath}/`]: pageCost,
  [`${referencePath}/js/scalar.js`]: scriptCost,
} as const satisfies Record<string, PageCost>;

/** What the package answers at a path: a page, or another path. */
type ReferenceAnswer = SharedPage | { readonly location: string };

/**
 * Registers the page that shows the document at `documentPath`; all of it is served from here. The package that makes
 * the page is loaded at the first request for it: it is a fifth of what a start loads, and few ask for it.
 */
export function registerReferencePage(app: FastifyInstance, page: ReferencePage): void {
  let answers: Promise<ReadonlyMap<string, ReferenceAnswer>> | null = null;
  for (const [path, cost] of Object.entries(served)) {
    app.get(path, { config: { cost } }, async (request, reply) => {
      answers ??= answersOf(page);
      const answer = (await answers).get(path) as ReferenceAnswer;
      reply.header('content-security-policy', referencePolicy);
      return 'location' in answer ? reply.redirect(answer.location, 301) : sendPage(request, reply, answer);
    });
  }
}

/** Asks the package once for all that is served of it. */
async function answersOf(page: ReferencePage): Promise<ReadonlyMap<string, ReferenceAnswer>> {
  const pages = await createPages(page);
  const answers = new Map<string, ReferenceAnswer>();
  for (const path of Object.keys(served)) {
    const { headers, rawPayload } = await pages.inject({ method: 'GET', url: path });
    const { location, 'content-type': type } = headers;
    if (location !== undefined) answers.set(path, { location });
    else if (!String(type).startsWith('text/html')) answers.set(path, new SharedPage(rawPayload, String(type)));
    else answers.set(path, new SharedPage(await withSiteHeader(rawPayload.toString(), page.header), String(type)));
  }
  await pages.close();
  return answers;
}

/** What answers requests for the page, without a port of its own. */
async function createPages(page: ReferencePage): Promise<FastifyInstance> {
  const { default: reference } = await import('@scalar/fastify-api-reference');
  const pages = Fastify();
  await pages.register(reference, {
    routePrefix: referencePath,
    configuration: {
      url: documentPath,
      pluginUrls: [...page.pluginUrls],
      pageTitle: page.title,
      ...(page.securityScheme === undefined
        ? {}
        : { authentication: { preferredSecurityScheme: page.securityScheme } }),
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      showDeveloperTools: 'never',
      agent: { disabled: true },
      mcp: { disabled: true },
    },
  });
  return pages;
}
