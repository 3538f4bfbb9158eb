import fresh from 'fresh';
import parseRange from 'range-parser';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { negotiate } from '@fastify/accept-negotiator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { wireLimits } from '#http/limits.ts';

/** Path of the OpenAPI document of a port. */
export const documentPath = '/openapi.json';

/** Weight of a page in a budget of its address, which all pages share; health pages have one of their own. */
export interface PageCost {
  readonly budget: 'pages' | 'health' | 'metrics';
  readonly weight: number;
}

const { pageWeight, documentWeight, metricsWeight } = wireLimits.pages;

/** What pages cost. DEC-LIM-101. */
export const pageCost: PageCost = { budget: 'pages', weight: pageWeight };
export const documentCost: PageCost = { budget: 'pages', weight: documentWeight };
export const healthCost: PageCost = { budget: 'health', weight: pageWeight };
export const metricsCost: PageCost = { budget: 'metrics', weight: metricsWeight };

/** Codings that a page can be sent in, the best first. */
const codings = ['br', 'gzip'] as const;
type Coding = (typeof codings)[number];

/** A page as it is sent: plain, or in a coding. */
interface PageForm {
  readonly bytes: Buffer;
  readonly etag: string;
  readonly coding: Coding | null;
}

/** Smaller pages are not worth a coding. */
const codedFromBytes = 1024;

const gzipped = promisify(gzip);
const brotlied = promisify(brotliCompress);
const coders: Readonly<Record<Coding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) => brotlied(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (bytes) => gzipped(bytes, { level: 9 }),
};

/** Bytes of a page in codings that were made before. */
export type MadeCodings = Readonly<Record<Coding, Buffer>>;

/** A page that is the same for everybody. All answers share one copy in memory, in each coding that was asked for. */
export class SharedPage {
  readonly type: string;
  readonly #plain: PageForm;
  readonly #hash: string;
  readonly #coded = new Map<Coding, Promise<PageForm>>();

  /** `made`: its codings, where they are at hand; else they are made when they are asked for. */
  constructor(content: string | Buffer, type: string, made?: MadeCodings) {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    this.type = type;
    this.#hash = createHash('sha256').update(bytes).digest('base64url');
    this.#plain = { bytes, etag: `"${this.#hash}"`, coding: null };
    for (const coding of made === undefined ? [] : codings) {
      const form = { bytes: (made as MadeCodings)[coding], etag: `"${this.#hash}-${coding}"`, coding };
      this.#coded.set(coding, Promise.resolve(form));
    }
  }

  get plain(): PageForm {
    return this.#plain;
  }

  /** Compressed outside of the event loop, when it is first asked for. */
  coded(coding: Coding): Promise<PageForm> {
    const known = this.#coded.get(coding);
    if (known !== undefined) return known;
    const made = coders[coding](this.#plain.bytes).then((bytes) => ({
      bytes,
      etag: `"${this.#hash}-${coding}"`,
      coding,
    }));
    this.#coded.set(coding, made);
    return made;
  }

  /** The form that a request accepts; parts are of the plain one. */
  formFor({ headers }: FastifyRequest): PageForm | Promise<PageForm> {
    const { range, 'accept-encoding': accepted } = headers;
    if (range !== undefined || this.#plain.bytes.length < codedFromBytes) return this.#plain;
    const coding = negotiate(String(accepted ?? ''), [...codings, 'identity']) as Coding | 'identity' | null;
    return coding === null || coding === 'identity' ? this.#plain : this.coded(coding);
  }
}

/** Adds a name to the Vary header of an answer. */
export function addVary(reply: FastifyReply, name: string): FastifyReply {
  const vary = reply.getHeader('vary');
  return reply.header('vary', vary === undefined ? name : `${String(vary)}, ${name}`);
}

/** First and last index of the part that a Range header asks for; `null`: the whole; `none`: there is no such part. */
function partOf(
  { headers }: FastifyRequest,
  { bytes, etag }: PageForm,
): { start: number; end: number } | null | 'none' {
  const { range, 'if-range': condition } = headers;
  if (range === undefined || (condition !== undefined && condition !== etag)) return null;
  const parts = parseRange(bytes.length, range, { combine: true });
  if (parts === -1) return 'none';
  const [part, ...others] = parts === -2 || parts.type !== 'bytes' ? [] : parts;
  return part === undefined || others.length > 0 ? null : part;
}

/**
 * Answers with a page: 304 to whoever has it, 206 with the part that is asked for, 416 if there is no such part.
 * `caching`: for how long caches may answer without asking; default: not at all. DEC-REQ-102.
 */
export async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  page: SharedPage,
  caching = 'no-cache',
): Promise<FastifyReply> {
  const form = await page.formFor(request);
  const { bytes, etag, coding } = form;
  addVary(reply, 'accept-encoding').header('etag', etag).header('cache-control', caching);
  if (fresh(request.headers, { etag })) return reply.code(304).send();
  reply.type(page.type).header('accept-ranges', 'bytes');
  if (coding !== null) reply.header('content-encoding', coding);
  const part = partOf(request, form);
  if (part === null) return reply.send(bytes);
  if (part === 'none') return reply.code(416).header('content-range', `bytes */${bytes.length}`).send();
  const { start, end } = part;
  return reply
    .code(206)
    .header('content-range', `bytes ${start}-${end}/${bytes.length}`)
    .send(bytes.subarray(start, end + 1));
}
