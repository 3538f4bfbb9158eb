import type { FastifyInstance } from 'fastify';
import { asyncApiPage } from '#api/derive/asyncapi-page.ts';
import { asyncApi } from '#api/derive/asyncapi.ts';
import { pushProto } from '#api/wire/push-proto.ts';
import type { Gateway } from '#gateway/gateway.ts';

const documentPath = '/asyncapi.json';
const protoPath = '/proto/push.proto';
const pagePath = '/docs/streams';

/** Whether a path is a page about the websocket; these need no API key and cost no weight. */
export const isStreamPage = (path: string): boolean => path === documentPath || path === protoPath || path === pagePath;

/** Content security policy: the page contains its style and script, and connects to this server only. */
const pagePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; " +
  "connect-src 'self' ws: wss:; img-src data:";

/** Registers the AsyncAPI document, its page, and the push schema for download. */
export function registerStreamPages(app: FastifyInstance, { context }: Gateway): void {
  const documentFor = (host: string, isSecure: boolean): object =>
    asyncApi({ version: context.version.version, host, protocol: isSecure ? 'wss' : 'ws', proto: pushProto });
  let cached = { key: '', text: '' };
  app.get(documentPath, (_request, reply) => {
    const base = context.baseUrls?.().spot ?? '';
    if (cached.text === '' || cached.key !== base) {
      const host = base.replace(/^https?:\/\//, '').replace(/\/$/, '');
      cached = {
        key: base,
        text: JSON.stringify(documentFor(host === '' ? 'localhost' : host, base.startsWith('https:'))),
      };
    }
    return reply.type('application/json;charset=utf-8').send(cached.text);
  });
  const page = asyncApiPage(documentFor('localhost', false));
  app.get(pagePath, (_request, reply) =>
    reply.type('text/html;charset=utf-8').header('content-security-policy', pagePolicy).send(page),
  );
  app.get(protoPath, (_request, reply) =>
    reply
      .type('text/plain;charset=utf-8')
      .header('content-disposition', 'attachment; filename="push.proto"')
      .send(pushProto),
  );
}
