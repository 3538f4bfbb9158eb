import { CommandFailed, exitCodes, usedWrongly } from '#operator-commands/exit-codes.ts';
import { operatorLimits } from '#operator-api/declaration/limits.ts';

/** The operator API of one exchange, and what opens it. */
export interface ExchangeAddress {
  /** Without a slash at its end. */
  readonly url: string;
  readonly token: string;
  /** What people call it: its name, or its address. */
  readonly name: string;
}

/** A request. */
export interface OperatorRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** JSON text; `null`: none. */
  readonly body: string | null;
  /** Of a write: by which a repetition does nothing again. `null`: it is no write. */
  readonly idempotencyKey: string | null;
  /** Tag of the thing that the write is for; `null`: any. */
  readonly ifMatch: string | null;
}

/** An answer of the exchange: of JSON the text, of anything else what is still to come. */
export interface Answer {
  readonly status: number;
  readonly entityTag: string | null;
  /** Text of a JSON answer; `null`: the answer is of another kind, and is read from `response`. */
  readonly text: string | null;
  readonly response: Response;
  /** Whether it was asked for twice, because the first answer was lost. */
  readonly isRepeated: boolean;
}

/** The longest wait for the head of an answer, and for all of one that is JSON. */
const answerTimeoutMs = 60_000;

/** Faults of a connection after which the exchange cannot have seen the request. */
const unsentCodes: ReadonlySet<string> = new Set([
  ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'ENETDOWN'],
  ...['UND_ERR_CONNECT_TIMEOUT', 'CERT_HAS_EXPIRED', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN'],
  ...['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'ERR_TLS_CERT_ALTNAME_INVALID'],
]);

/** Shape of what can be sent as a token. */
const tokenPattern = new RegExp(`^[\\x21-\\x7e]{${operatorLimits.tokenLengthMin},${operatorLimits.tokenLengthMax}}$`);

/** A token as it can be sent; where it came from is named, it itself never. @throws CommandFailed */
export function checkedToken(text: string, origin: string): string {
  const token = text.trim();
  if (tokenPattern.test(token)) return token;
  const { tokenLengthMin, tokenLengthMax } = operatorLimits;
  throw usedWrongly(`${origin} holds no token: it must be ${tokenLengthMin} to ${tokenLengthMax} visible characters`);
}

interface Lost {
  readonly reason: string;
  /** The exchange cannot have seen the request. */
  readonly isUnsent: boolean;
}

function lostBy(error: unknown): Lost {
  const { message, cause } = error as Error;
  const inner = cause as (Error & { readonly code?: string; readonly errors?: readonly Error[] }) | undefined;
  const first = (inner?.errors?.[0] ?? inner) as (Error & { readonly code?: string }) | undefined;
  return { reason: first?.message || message, isUnsent: unsentCodes.has(first?.code ?? '') };
}

async function sendOnce({ url, token }: ExchangeAddress, request: OperatorRequest): Promise<Answer | Lost> {
  const { method, target, body, idempotencyKey, ifMatch } = request;
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body === null ? {} : { 'content-type': 'application/json' }),
    ...(idempotencyKey === null ? {} : { 'idempotency-key': idempotencyKey }),
    ...(ifMatch === null ? {} : { 'if-match': ifMatch }),
  };
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(new Error('it takes too long')), answerTimeoutMs);
  try {
    const { signal } = stop;
    const response = await fetch(url + target, { method, headers, body, redirect: 'manual', signal });
    const isJson = /^application\/(?:[\w.-]+\+)?json\b/.test(response.headers.get('content-type') ?? '');
    const text = isJson || !response.ok ? await response.text() : null;
    return { status: response.status, entityTag: response.headers.get('etag'), text, response, isRepeated: false };
  } catch (error) {
    return lostBy(error);
  } finally {
    clearTimeout(timer);
  }
}

/** A gateway's answer, or the exchange's that it does not know: the act may have happened. */
const isUncertain = ({ status, text }: Answer): boolean =>
  status === 504 || status === 502 || (status >= 500 && problemOf(text) === null);

/** A refusal in the form of RFC 9457. */
export interface AnsweredProblem {
  readonly code: string;
  readonly detail: string;
  readonly errors: readonly {
    readonly detail: string;
    readonly pointer?: string;
    readonly parameter?: string;
    readonly header?: string;
  }[];
}

/** The refusal that an answer holds; `null`: it holds none. */
export function problemOf(text: string | null): AnsweredProblem | null {
  let value: Partial<AnsweredProblem> | null;
  try {
    value = JSON.parse(text ?? 'null') as Partial<AnsweredProblem> | null;
  } catch {
    return null;
  }
  if (typeof value?.code !== 'string' || typeof value.detail !== 'string') return null;
  return { code: value.code, detail: value.detail, errors: Array.isArray(value.errors) ? value.errors : [] };
}

/** Asks for a page about the exchange once, whatever its status. @throws CommandFailed where it was not reached */
export async function askPage(address: ExchangeAddress, target: string): Promise<Answer> {
  const answer = await sendOnce(address, { method: 'GET', target, body: null, idempotencyKey: null, ifMatch: null });
  if (!('reason' in answer)) return answer;
  throw new CommandFailed(exitCodes.notReached, `${address.url} does not answer: ${answer.reason}`);
}

/**
 * Asks the exchange. What was lost on the way is asked once more: a write with the same key, which does nothing again.
 * DEC-OPR-264.
 * @throws CommandFailed where it was not reached, or the outcome of a write is unknown.
 */
export async function ask(address: ExchangeAddress, request: OperatorRequest): Promise<Answer> {
  let answer = await sendOnce(address, request);
  const mayRepeat = 'reason' in answer ? !answer.isUnsent : isUncertain(answer);
  if (mayRepeat) answer = await sendOnce(address, request);
  // A second try that was not sent says nothing of the first.
  const isUnknown = mayRepeat && ('reason' in answer || isUncertain(answer));
  if (!('reason' in answer) && !isUnknown) return { ...answer, isRepeated: mayRepeat };
  const said = 'reason' in answer ? answer.reason : `it answers ${answer.status}`;
  if (request.idempotencyKey === null || !isUnknown)
    throw new CommandFailed(exitCodes.notReached, `${address.url} does not answer: ${said}`);
  throw new CommandFailed(
    exitCodes.outcomeUnknown,
    `the answer of ${address.url} was lost (${said}): the outcome is unknown. ` +
      `Look, or repeat the command with --idempotency-key ${request.idempotencyKey}: what was done is not done again.`,
  );
}
