import type { FastifyInstance } from 'fastify';
import { pushProto } from '#websocket/documents/push-schema.ts';
import { asyncApi, asyncApiPage } from '#websocket/documents/stream-documents.ts';
import type { Gateway } from '#public-api/gateway.ts';
import { jsonType } from '#http/fixed-headers.ts';
import { documentCost, sendPage, SharedPage } from '#http/shared-page.ts';
import { withSiteHeader } from '#http/site-header.ts';
import { publicLinks } from '#http/site-links.ts';

const documentPath = '/asyncapi.json';
const protoPath = '/proto/push.proto';
const pagePath = '/docs/streams';
const htmlType = 'text/html;charset=utf-8';

/** Whether a path is a page about the websocket; these need no API key. */
export const isStreamPage = (path: string): boolean => path === documentPath || path === protoPath || path === pagePath;

/** Content security policy: the page contains its style and script, and connects to this server only. */
const pagePolicy =
  "default-src 'none'; style-src 'self' 'unsafe-inline'; script-src 'unsafe-inline'; " +
  "connect-src 'self' ws: wss:; img-src data:; frame-ancestors 'none'";

/** Registers the AsyncAPI document, its page, and the push schema for download. */
export function registerStreamPages(app: FastifyInstance, { context }: Gateway): void {
  const { version } = context.version;
  const config = { cost: documentCost };
  let document: { readonly base: string; readonly page: SharedPage } | null = null;
  app.get(documentPath, { config }, (request, reply) => {
    const base = context.baseUrls?.()?.spot ?? '';
    if (document?.base !== base) {
      const host = base.replace(/^https?:\/\//, '').replace(/\/$/, '') || 'localhost';
      const made = asyncApi({ version, host, protocol: base.startsWith('https:') ? 'wss' : 'ws' });
      document = { base, page: new SharedPage(JSON.stringify(made), jsonType) };
    }
    return sendPage(request, reply, document.page);
  });
  const header = { of: 'public', name: context.version.name, links: publicLinks, current: pagePath } as const;
  let page: SharedPage | undefined;
  app.get(pagePath, { config }, async (request, reply) => {
    page ??= new SharedPage(await withSiteHeader(asyncApiPage(version), header), htmlType);
    return sendPage(request, reply.header('content-security-policy', pagePolicy), page);
  });
  const proto = new SharedPage(pushProto, 'text/plain;charset=utf-8');
  app.get(protoPath, { config }, (request, reply) =>
    sendPage(request, reply.header('content-disposition', 'attachment; filename="push.proto"'), proto),
  );
}
