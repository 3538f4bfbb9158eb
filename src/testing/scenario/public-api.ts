import { createHmac } from 'node:crypto';
import type { StepAnswer } from '#testing/scenario/step-answer.ts';
import type { TestAccount } from '#testing/test-exchange.ts';

/** A request of the public API. */
export interface PublicRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** Who signs it; absent: nobody does. */
  readonly account?: TestAccount | undefined;
}

/** Longer than the longest delay of a fault. */
const answerTimeoutMs = 90_000;
const window = { least: 5000, spread: 50_000 };

const parametersOf = (members: Readonly<Record<string, unknown>>): [string, string][] =>
  Object.entries(members).flatMap(([name, value]) =>
    value === undefined || value === null
      ? []
      : [[name, typeof value === 'object' ? JSON.stringify(value) : String(value)]],
  );

/** The public API of an exchange, signed with the time of its clock. */
export class PublicApi {
  readonly #baseUrl: string;
  readonly #now: () => Promise<number>;
  #sent = 0;

  constructor(baseUrl: string, now: () => Promise<number>) {
    this.#baseUrl = baseUrl;
    this.#now = now;
  }

  /** Asks once; parameters that are given win over the timestamp and the window that are added. */
  async request({ method, path, parameters = {}, account }: PublicRequest): Promise<StepAnswer> {
    const headers = account === undefined ? {} : { 'X-SVC-APIKEY': account.apiKey };
    const query = account === undefined ? plain(parameters) : await this.#signed(parameters, account);
    const url = `${this.#baseUrl}${path}${query === '' ? '' : `?${query}`}`;
    try {
      const answer = await fetch(url, { method, headers, signal: AbortSignal.timeout(answerTimeoutMs) });
      const body: unknown = JSON.parse(await answer.text());
      return { status: answer.status, code: answer.ok ? null : codeOf(body), body };
    } catch {
      // Cut, cut within the body, or no JSON: a client knows as little of either.
      return { status: null, code: null, body: null };
    }
  }

  async #signed(parameters: Readonly<Record<string, unknown>>, { secretKey }: TestAccount): Promise<string> {
    this.#sent += 1;
    // While the clock stands, equal requests differ by it: an exchange takes no signature twice.
    const recvWindow = window.least + (this.#sent % window.spread);
    const query = plain({ recvWindow, timestamp: await this.#now(), ...parameters });
    return `${query}&signature=${createHmac('sha256', secretKey).update(query).digest('hex')}`;
  }
}

const plain = (parameters: Readonly<Record<string, unknown>>): string =>
  new URLSearchParams(parametersOf(parameters)).toString();

function codeOf(body: unknown): number | string | null {
  const code = typeof body === 'object' && body !== null ? (body as { readonly code?: unknown }).code : null;
  return typeof code === 'number' || typeof code === 'string' ? code : null;
}
