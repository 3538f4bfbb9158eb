import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { builtPages, PagesNotBuilt, type PagesOf } from '#http/built-pages.ts';
import { TransportError } from '#http/errors.ts';
import { pageCost, sendPage, SharedPage } from '#http/shared-page.ts';

/** Path below which the files of the pages stand. */
export const filesPath = '/assets/';

/** A name holds a hash of its content, so that caches need not ask again. */
const forever = 'public, max-age=31536000, immutable';
const htmlType = 'text/html;charset=utf-8';

/**
 * Policy of the pages: scripts and styles of this server and none within a page, connections to this server and the
 * named ones, no frame around them, and no text that becomes markup or script. DEC-WEB-03.
 */
export function shellPolicy(connections: readonly string[] = []): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src ${["'self'", ...connections].join(' ')}`,
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types bourse',
  ].join('; ');
}

/** What a document of the shell is sent with. */
export interface ShellDocument {
  readonly title: string;
  /** Name of the page in `web/pages`; `null`: none in particular. */
  readonly page: string | null;
  /** What its scripts need to know. */
  readonly exchange: object;
  /** Other servers that it may connect to. */
  readonly connections?: readonly string[];
}

/** Documents as they were sent last: there is one for each page and state of the exchange. */
const documents = new Map<string, SharedPage>();
const documentsMax = 64;

function documentPage(text: string): SharedPage {
  const known = documents.get(text);
  if (known !== undefined) return known;
  if (documents.size >= documentsMax) documents.clear();
  const made = new SharedPage(text, htmlType);
  documents.set(text, made);
  return made;
}

/** Answers with a document of the shell: the same for everybody, asked for anew each time. DEC-WEB-02, DEC-WEB-03. */
export async function sendShell(
  request: FastifyRequest,
  reply: FastifyReply,
  of: PagesOf,
  { connections, ...facts }: ShellDocument,
): Promise<FastifyReply> {
  try {
    const pages = await builtPages(of);
    reply
      .header('content-security-policy', shellPolicy(connections))
      .header('cross-origin-opener-policy', 'same-origin');
    return await sendPage(request, reply, documentPage(pages.document(facts)));
  } catch (error) {
    if (!(error instanceof PagesNotBuilt)) throw error;
    return reply.code(503).header('cache-control', 'no-store').type('text/plain;charset=utf-8').send(error.message);
  }
}

/** Registers the files of the pages of a port. DEC-WEB-02. */
export function registerPageFiles(app: FastifyInstance, of: PagesOf): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: `${filesPath}*`,
    config: { cost: pageCost },
    handler: async (request, reply) => {
      const { '*': name } = request.params as { readonly '*': string };
      const file = await (await builtPages(of)).file(filesPath.slice(1) + name);
      if (file === null) throw new TransportError('unknownPath');
      return sendPage(request, reply, file, forever);
    },
  });
}
