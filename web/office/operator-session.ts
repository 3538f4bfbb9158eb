import { signal } from '@preact/signals';

/** Who acts, and what he may do. */
export interface Operator {
  readonly actor: string;
  readonly scopes: readonly string[];
  /** When the token ends; `null`: never. */
  readonly expiresAt: string | number | null;
}

/** A refusal of the operator API, or no answer (`status` 0). */
export class OperatorRefusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const storeName = 'bourse-operator-token';

/** The token of this tab. It is in the header of requests to this server alone. DEC-WEB-08. */
let token: string | null = null;

/** Who is signed in; `null`: nobody. */
export const operator = signal<Operator | null>(null);

/** What the operator API is asked with. */
export interface OperatorRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly body?: object;
  /** Name of the act, so that a repetition does nothing again. */
  readonly idempotencyKey?: string;
}

/**
 * Asks the operator API with the token of this tab.
 * @throws OperatorRefusal
 */
export async function askOffice<Answer>(path: string, asked: OperatorRequest = {}): Promise<Answer> {
  const { method = 'GET', body, idempotencyKey } = asked;
  const headers: Record<string, string> = { authorization: `Bearer ${token ?? ''}` };
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey;
  let response: Response;
  try {
    response = await fetch(path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  } catch {
    throw new OperatorRefusal(0, 'The exchange does not answer.');
  }
  const text = await response.text();
  if (response.ok) return (text === '' ? undefined : JSON.parse(text)) as Answer;
  if (response.status === 401) signOutOperator();
  throw new OperatorRefusal(response.status, messageOf(text, response.status));
}

function messageOf(text: string, status: number): string {
  try {
    const { detail, title } = JSON.parse(text) as { readonly detail?: string; readonly title?: string };
    return detail ?? title ?? `Refused: ${status}.`;
  } catch {
    return `Refused: ${status}.`;
  }
}

/**
 * Signs in with a token, once the exchange says whose it is. `isKept`: through a reload of this tab.
 * @throws OperatorRefusal
 */
export async function signInOperator(given: string, isKept: boolean): Promise<void> {
  token = given;
  try {
    operator.value = await askOffice<Operator>('/v1/token');
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
