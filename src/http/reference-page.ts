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
}

/** Registers the page that shows the document at `documentPath`; its script is served from here, nothing from elsewhere. */
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
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      showDeveloperTools: 'never',
      agent: { disabled: true },
      mcp: { disabled: true },
    },
  });
}
