import type { FetchedAnswer } from '#client/client-options.ts';
import { BourseError } from '#client/bourse-error.ts';
import type { KnownEndpoint } from '#client/request-target.ts';

/** The exchange's own word that it took nothing up, where a server in front of it would say something else. */
const notTakenUp = 503;
/** The same of the side of contracts, where refusals come with status 200; and that it does not know. */
const futuresNotTakenUp = 501;
const futuresUnknown = 500;

/**
 * What an answer says, out of its envelope.
 * @throws BourseError where it refuses, or does not tell what became of the request: `isLost`
 */
export async function readAnswer(endpoint: KnownEndpoint, answer: FetchedAnswer): Promise<unknown> {
  const { status } = answer;
  const text = await answer.text();
  const body = jsonOf(text);
  if (status < 200 || status > 299 || isRefusal(endpoint, body)) throw refusalOf(endpoint, answer, body);
  if (body === undefined)
    throw new BourseError({ endpoint: endpoint.id, status, code: 0, detail: 'the answer is no JSON', isLost: true });
  return endpoint.isWrapped ? (body as { data: unknown }).data : body;
}

/** The value of a JSON text; `undefined`: it is none. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A server in front of the exchange, or an answer that was cut short.
    return undefined;
  }
}

const memberOf = (body: unknown, name: string): unknown =>
  typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : undefined;

const isRefusal = ({ isWrapped }: KnownEndpoint, body: unknown): boolean =>
  isWrapped && (memberOf(body, 'success') === false || (body !== undefined && memberOf(body, 'data') === undefined));

function refusalOf({ id, isFutures }: KnownEndpoint, { status, headers }: FetchedAnswer, body: unknown): BourseError {
  const given = Number(memberOf(body, 'code') ?? Number.NaN);
  const code = Number.isSafeInteger(given) ? given : status;
  const detail = memberOf(body, 'msg') ?? memberOf(body, 'message');
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return new BourseError({
    endpoint: id,
    status,
    code,
    detail: `${typeof detail === 'string' && detail !== '' ? detail : 'no reason was given'} (${code})`,
    isLost: (status >= 500 && given !== notTakenUp) || (isFutures && status === 200 && code === futuresUnknown),
    retryAfterMs: Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : null,
  });
}

/** Whether the exchange takes nothing up for now: nothing happened, and the same may be sent again. */
export const isNotTakenUp = ({ status, code, isLost }: BourseError): boolean =>
  !isLost && ((status === notTakenUp && code === notTakenUp) || (status === 200 && code === futuresNotTakenUp));

/** Whether a limit refused it. */
export const isLimit = ({ status }: BourseError): boolean => status === 429 || status === 418;

/** The time of the request is not within its window; -1021 is what others of this API family call it. */
export const isClockRefusal = ({ code }: BourseError): boolean => code === 700003 || code === -1021;
