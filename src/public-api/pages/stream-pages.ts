import type { FastifyInstance } from 'fastify';
import { asyncApiPage } from '#websocket/documents/asyncapi-page.ts';
import { asyncApi } from '#websocket/documents/asyncapi.ts';
import type { StreamExamples } from '#websocket/documents/stream-examples.ts';
import { pushProto } from '#websocket/documents/push-schema.ts';
import type { Gateway } from '#public-api/gateway.ts';
import { jsonType } from '#http/json-type.ts';
import { documentCost } from '#http/page-cost.ts';
import { sendPage, SharedPage } from '#http/shared-page.ts';

const documentPath = '/asyncapi.json';
const protoPath = '/proto/push.proto';
const pagePath = '/docs/streams';
const htmlType = 'text/html;charset=utf-8';

/** Whether a path is a page about the websocket; these need no API key. */
export const isStreamPage = (path: string): boolean => path === documentPath || path === protoPath || path === pagePath;

/** Content security policy: the page contains its style and script, and connects to this server only. */
const pagePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; " +
  "connect-src 'self' ws: wss:; img-src data:";

/** Registers the AsyncAPI document, its page, and the push schema for download. */
export function registerStreamPages(app: FastifyInstance, { context }: Gateway): void {
  // Made when they are first asked for: that runs an engine of their own.
  let examples: Promise<StreamExamples> | undefined;
  const documentFor = async (host: string, isSecure: boolean): Promise<object> => {
    examples ??= context.streamExamples();
    return asyncApi({
      version: context.version.version,
      host,
      protocol: isSecure ? 'wss' : 'ws',
      examples: await examples,
    });
  };
  const config = { cost: documentCost };
  let document: { readonly base: string; readonly page: Promise<SharedPage> } | null = null;
  app.get(documentPath, { config }, async (request, reply) => {
    const base = context.baseUrls?.().spot ?? '';
    if (document?.base !== base) {
      const host = base.replace(/^https?:\/\//, '').replace(/\/$/, '');
      const made = documentFor(host === '' ? 'localhost' : host, base.startsWith('https:'));
      document = { base, page: made.then((value) => new SharedPage(JSON.stringify(value), jsonType)) };
    }
    return sendPage(request, reply, await document.page);
  });
  let page: Promise<SharedPage> | undefined;
  app.get(pagePath, { config }, async (request, reply) => {
    page ??= documentFor('localhost', false).then((value) => new SharedPage(asyncApiPage(value), htmlType));
    return sendPage(request, reply.header('content-security-policy', pagePolicy), await page);
  });
  const proto = new SharedPage(pushProto, 'text/plain;charset=utf-8');
  app.get(protoPath, { config }, (request, reply) =>
    sendPage(request, reply.header('content-disposition', 'attachment; filename="push.proto"'), proto),
  );
}
