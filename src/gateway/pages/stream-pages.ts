import type { FastifyInstance } from 'fastify';
import { asyncApiPage } from '#api/derive/asyncapi-page.ts';
import { asyncApi } from '#api/derive/asyncapi.ts';
import type { StreamExamples } from '#api/derive/stream-examples.ts';
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
  // Made when they are first asked for: that runs an engine of their own.
  let examples: Promise<StreamExamples> | undefined;
  const documentFor = async (host: string, isSecure: boolean): Promise<object> => {
    examples ??= context.streamExamples();
    return asyncApi({
      version: context.version.version,
      host,
      protocol: isSecure ? 'wss' : 'ws',
      proto: pushProto,
      examples: await examples,
    });
  };
  let document = { base: '', text: '' };
  app.get(documentPath, async (_request, reply) => {
    const base = context.baseUrls?.().spot ?? '';
    if (document.text === '' || document.base !== base) {
      const host = base.replace(/^https?:\/\//, '').replace(/\/$/, '');
      const made = await documentFor(host === '' ? 'localhost' : host, base.startsWith('https:'));
      document = { base, text: JSON.stringify(made) };
    }
    return reply.type('application/json;charset=utf-8').send(document.text);
  });
  let page: string | undefined;
  app.get(pagePath, async (_request, reply) => {
    page ??= asyncApiPage(await documentFor('localhost', false));
    return reply.type('text/html;charset=utf-8').header('content-security-policy', pagePolicy).send(page);
  });
  app.get(protoPath, (_request, reply) =>
    reply
      .type('text/plain;charset=utf-8')
      .header('content-disposition', 'attachment; filename="push.proto"')
      .send(pushProto),
  );
}
