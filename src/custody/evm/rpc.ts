import { z } from 'zod';
import { NetworkUnavailable } from '#custody/custody.ts';

/** One question to a node. */
export interface RpcCall {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** Why a node refuses a question: it understood, and says no. */
export interface RpcRefusal {
  readonly code: number;
  /** Visible ASCII, at most 200 characters. */
  readonly message: string;
}

/** A node's answer, unchecked beyond the envelope of JSON-RPC. */
export type RpcAnswer = { readonly result: unknown } | { readonly refusal: RpcRefusal };

/** Asks a node; answers come in the order of the calls. Throws `NetworkUnavailable` and nothing else. */
export type Rpc = (calls: readonly RpcCall[]) => Promise<readonly RpcAnswer[]>;

/** Calls in one HTTP request; public nodes accept at least as many. */
const batchSizeMax = 50;
/** Bytes of an answer that are read; full blocks of busy chains have a few MB. */
const answerSizeMax = 64 * 2 ** 20;
const refusalSizeMax = 200;

const answerSchema = z.union([
  z.object({ id: z.number(), error: z.object({ code: z.number(), message: z.string() }) }),
  z.object({ id: z.number(), result: z.unknown() }),
]);

/** An answer that is not what JSON-RPC promises. */
class BadAnswer extends Error {}

/** Where and how long a node is asked. */
interface Endpoint {
  readonly network: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

/**
 * JSON-RPC over HTTP. `network` stands in front of messages; the URL stands in none, because it may hold an access key.
 * `timeoutMs` bounds one HTTP request, its answer included. Throws `TypeError` for a URL that is not of HTTP.
 */
export function createRpc(options: {
  readonly network: string;
  readonly url: string;
  readonly timeoutMs: number;
}): Rpc {
  const { network, timeoutMs } = options;
  if (!URL.canParse(options.url)) throw new TypeError(`${network}: the address of the node is no URL`);
  const url = new URL(options.url);
  if (!/^https?:$/.test(url.protocol)) throw new TypeError(`${network}: the address of the node is not of HTTP`);
  const headers = { 'content-type': 'application/json', ...authorization(url) };
  // What a request may be made of has no place for them.
  url.username = url.password = '';
  return async (calls) => {
    const answers: RpcAnswer[] = [];
    for (let first = 0; first < calls.length; first += batchSizeMax) {
      const batch = calls.slice(first, first + batchSizeMax);
      answers.push(...(await askOnce({ network, url, headers, timeoutMs }, batch)));
    }
    return answers;
  };
}

function authorization({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}

async function askOnce(
  { network, url, headers, timeoutMs }: Endpoint,
  calls: readonly RpcCall[],
): Promise<readonly RpcAnswer[]> {
  const requests = calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call }));
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body: JSON.stringify(requests.length === 1 ? requests[0] : requests),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await readBounded(response);
    if (!response.ok) throw new BadAnswer(`HTTP status ${response.status}`);
    const body: unknown = JSON.parse(text);
    return inOrder(requests.length === 1 ? [body] : z.array(z.unknown()).parse(body), calls.length);
  } catch (error) {
    throw new NetworkUnavailable(`${network}: ${calls[0]!.method}: ${reasonOf(error, timeoutMs)}`);
  }
}

async function readBounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > answerSizeMax) throw new BadAnswer(`the answer has more than ${answerSizeMax} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Answers of a batch may come in any order; each call needs exactly one. */
function inOrder(bodies: readonly unknown[], count: number): readonly RpcAnswer[] {
  const answers = new Map<number, RpcAnswer>();
  for (const body of bodies) {
    const parsed = answerSchema.parse(body);
    if (answers.has(parsed.id)) throw new BadAnswer('two answers to one call');
    answers.set(parsed.id, 'error' in parsed ? { refusal: refusalOf(parsed.error) } : { result: parsed.result });
  }
  return Array.from({ length: count }, (_, id) => {
    const answer = answers.get(id);
    if (answer === undefined || bodies.length !== count) throw new BadAnswer('a call without an answer');
    return answer;
  });
}

function refusalOf({ code, message }: { readonly code: number; readonly message: string }): RpcRefusal {
  return { code, message: visibleText(message) };
}

/** What somebody else wrote, fit for a log line. */
function visibleText(text: string): string {
  return text.slice(0, refusalSizeMax).replace(/[^\x20-\x7e]/g, '?');
}

/** Messages of other errors may hold the URL, so only their code is told. */
function reasonOf(error: unknown, timeoutMs: number): string {
  if (error instanceof BadAnswer) return error.message;
  if (error instanceof z.ZodError) return 'the answer is not JSON-RPC';
  if (error instanceof SyntaxError || error instanceof RangeError) return 'the answer is not JSON';
  if (error instanceof Error && error.name === 'TimeoutError') return `no answer within ${timeoutMs} ms`;
  const cause = error instanceof Error ? error.cause : null;
  return cause instanceof Error && 'code' in cause ? `no connection (${String(cause.code)})` : 'no connection';
}
