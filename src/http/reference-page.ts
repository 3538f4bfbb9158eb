import type { FastifyInstance } from 'fastify';

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

/** Registers the page that shows the document at `documentPath`; all of it is served from here. */
export async function registerReferencePage(app: FastifyInstance, page: ReferencePage): Promise<void> {
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
}
