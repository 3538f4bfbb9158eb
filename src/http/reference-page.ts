import Fastify from 'fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Path of the OpenAPI document of a port. */
export const documentPath = '/openapi.json';
/** Path of the page that shows it. */
export const referencePath = '/docs';

/** Content security policy: the page loads nothing from other servers. */
const referencePolicy = "default-src 'self' 'unsafe-inline' data: blob:; object-src 'none'; base-uri 'none'";

/** What differs between the pages of several ports. */
export interface ReferencePage {
  readonly title: string;
  /** Scripts of this server that the page loads as plug-ins. */
  readonly pluginUrls: readonly string[];
  /** Security scheme of the document that the page asks for at first; default: none. */
  readonly securityScheme?: string;
}

/**
 * Registers the page that shows the document at `documentPath`; all of it is served from here. The package that makes
 * the page is loaded at the first request for it: it is a fifth of what a start loads, and few ask for it.
 */
export function registerReferencePage(app: FastifyInstance, page: ReferencePage): void {
  let pages: Promise<FastifyInstance> | null = null;
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    pages ??= createPages(page);
    const { statusCode, headers, rawPayload } = await (await pages).inject({ method: 'GET', url: request.url });
    if (statusCode === 404) {
      reply.callNotFound();
      return reply;
    }
    for (const name of passedOn) if (headers[name] !== undefined) reply.header(name, headers[name]);
    return reply.code(statusCode).header('content-security-policy', referencePolicy).send(rawPayload);
  };
  for (const path of [referencePath, `${referencePath}/*`]) app.get(path, answer);
}

/** Headers of the package that the answer keeps. */
const passedOn = ['content-type', 'cache-control', 'location'] as const;

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
