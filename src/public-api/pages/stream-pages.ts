import type { FastifyInstance } from 'fastify';
import { pushProto } from '#websocket/documents/push-schema.ts';
import { asyncApi } from '#websocket/documents/stream-documents.ts';
import type { Gateway } from '#public-api/gateway.ts';
import { jsonType } from '#http/fixed-headers.ts';
import { documentCost, sendPage, SharedPage } from '#http/shared-page.ts';

const documentPath = '/asyncapi.json';
const protoPath = '/proto/push.proto';

/** Whether a path is a document about the websocket; these need no API key. */
export const isStreamPage = (path: string): boolean => path === documentPath || path === protoPath;

/** Registers the AsyncAPI document and the push schema for download. */
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
  const proto = new SharedPage(pushProto, 'text/plain;charset=utf-8');
  app.get(protoPath, { config }, (request, reply) =>
    sendPage(request, reply.header('content-disposition', 'attachment; filename="push.proto"'), proto),
  );
}
