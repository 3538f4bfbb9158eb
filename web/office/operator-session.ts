import { signal } from '@preact/signals';
import { exchange } from '#web/shell/exchange-facts.ts';

/** Who acts, and what he may do. */
export interface Operator {
  readonly actor: string;
  readonly scopes: readonly string[];
  /** When the token ends; `null`: never. */
  readonly expiresAt: string | number | null;
}

/** A part of a request that is at fault. */
export interface FaultyPart {
  readonly detail: string;
  /** Member of the body, as a JSON pointer. */
  readonly pointer?: string;
  /** Parameter of path or query. */
  readonly parameter?: string;
}

/** A refusal of the operator API, or no answer (`status` 0). */
export class OperatorRefusal extends Error {
  readonly status: number;
  /** Stable word of the problem; empty without an answer of the exchange. */
  readonly code: string;
  readonly errors: readonly FaultyPart[];

  constructor(status: number, message: string, code = '', errors: readonly FaultyPart[] = []) {
    super(message);
    this.status = status;
    this.code = code;
    this.errors = errors;
  }
}

const storeName = 'bourse-operator-token';

/** The token of this tab. It is in the header of requests to this server alone. DEC-WEB-08. */
let token: string | null = null;

/** Who is signed in; `null`: nobody. */
export const operator = signal<Operator | null>(null);

/** Whether the token opens what needs this scope; `null`: every token does. */
export const mayDo = (scope: string | null): boolean =>
  scope === null || (operator.value?.scopes.includes(scope) ?? false);

/** What the operator API is asked with. */
export interface OperatorRequest {
  readonly method?: string;
  readonly body?: object;
  /** Name of the act, so that a repetition does nothing again. */
  readonly idempotencyKey?: string;
  /** Tag of what is edited as it was read. */
  readonly ifMatch?: string;
}

/** An answer of the operator API. */
export interface OperatorAnswer<Answer> {
  readonly status: number;
  readonly answer: Answer;
  /** Tag of the thing that is shown, for `ifMatch`. */
  readonly tag: string | null;
}

async function fetched(path: string, asked: OperatorRequest): Promise<Response> {
  const { method = 'GET', body, idempotencyKey, ifMatch } = asked;
  const headers: Record<string, string> = { authorization: `Bearer ${token ?? ''}` };
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey;
  if (ifMatch !== undefined) headers['if-match'] = ifMatch;
  try {
    return await fetch(path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  } catch {
    throw new OperatorRefusal(0, 'The exchange does not answer.');
  }
}

/** The token of this tab, for the reference: it goes into its requests and the code that is copied. `null`: none. */
export const operatorToken = (): string | null => token;

/**
 * Asks the operator API with the token of this tab, and answers the text as it came.
 * @throws OperatorRefusal
 */
export async function askOfficeText(path: string, asked: OperatorRequest = {}): Promise<OperatorAnswer<string>> {
  const response = await fetched(path, asked);
  const { status, headers } = response;
  const text = await response.text();
  if (response.ok) return { status, answer: text, tag: headers.get('etag') };
  if (status === 401) signOutOperator();
  throw refusalOf(text, status);
}

/**
 * Asks the operator API with the token of this tab.
 * @throws OperatorRefusal
 */
export async function askOffice<Answer>(path: string, asked: OperatorRequest = {}): Promise<OperatorAnswer<Answer>> {
  const { answer, ...rest } = await askOfficeText(path, asked);
  return { ...rest, answer: (answer === '' ? undefined : JSON.parse(answer)) as Answer };
}

function refusalOf(text: string, status: number): OperatorRefusal {
  try {
    const problem = JSON.parse(text) as Partial<Record<'detail' | 'title' | 'code', string>> & {
      readonly errors?: readonly FaultyPart[];
    };
    const { detail, title, code, errors } = problem;
    return new OperatorRefusal(status, detail ?? title ?? `Refused: ${status}.`, code, errors);
  } catch {
    return new OperatorRefusal(status, `Refused: ${status}.`);
  }
}

/**
 * Signs in with a token, once the exchange says whose it is. `isKept`: through a reload of this tab.
 * @throws OperatorRefusal
 */
export async function signInOperator(given: string, isKept: boolean): Promise<void> {
  token = given;
  try {
    operator.value = (await askOffice<Operator>('/v1/token')).answer;
  } catch (error) {
    token = null;
    throw error;
  }
  try {
    if (isKept) sessionStorage.setItem(storeName, given);
    else sessionStorage.removeItem(storeName);
  } catch {
    // Storage is refused: the token lives as long as the page.
  }
}

/**
 * The token of a sandbox that is looked at from its own machine; `null`: there is none to be had. The back office of
 * production does not ask. DEC-WEB-53.
 */
export async function sandboxToken(): Promise<string | null> {
  if (exchange.profile !== 'sandbox') return null;
  try {
    const answer = await fetch('/sandbox-token.json');
    const { token: given } = (await answer.json()) as { readonly token: unknown };
    return typeof given === 'string' ? given : null;
  } catch {
    // Without an answer there is the form for tokens.
    return null;
  }
}

/** Forgets the token. */
export function signOutOperator(): void {
  token = null;
  operator.value = null;
  try {
    sessionStorage.removeItem(storeName);
  } catch {
    // There is nothing to forget then.
  }
}

/** Signs in with the token that this tab kept, if it did. */
export async function resumeOperator(): Promise<void> {
  let kept: string | null = null;
  try {
    kept = sessionStorage.getItem(storeName);
  } catch {
    // Storage is refused: there is nothing to resume.
  }
  if (kept !== null) await signInOperator(kept, true).catch(signOutOperator);
}
