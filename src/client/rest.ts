import { monotonicClock } from '#base/clock.ts';
import { BourseError } from '#client/bourse-error.ts';
import type { CompleteOptions, FetchedAnswer } from '#client/client-options.ts';
import { ExchangeTime } from '#client/exchange-time.ts';
import { LimitGate } from '#client/limit-gate.ts';
import { Pauses } from '#client/pauses.ts';
import { isClockRefusal, isLimit, isNotTakenUp, readAnswer } from '#client/read-answer.ts';
import {
  type CallMembers,
  endpoints,
  type EndpointId,
  type KnownEndpoint,
  pairsText,
  type RequestTarget,
  targetOf,
} from '#client/request-target.ts';
import { jittered, signerOf, type SignText } from '#client/sign-text.ts';

const firstPauseMs = 250;
const longestPauseMs = 5000;
/** Of a refusal by a limit that does not say for how long. */
const unsaidWaitMs = 1000;
/** How often the clock is measured anew for one request. */
const clockTriesMax = 2;
/** Longer queries of requests that change something go into the body. */
const queryLengthMax = 2000;

/** What was tried for one call. */
interface Tries {
  lost: number;
  clock: number;
  /** When waiting for limits has to be over, by the monotonic clock. */
  readonly latest: number;
}

/** Makes requests: signs them, waits for limits, and sends again what does no harm twice. DEC-KIT-85, DEC-KIT-86. */
export class Rest {
  readonly options: CompleteOptions;
  readonly time: ExchangeTime;
  readonly pauses: Pauses = new Pauses();
  readonly #gate = new LimitGate(this.pauses);
  readonly #sign: SignText;
  readonly #aborts = new Set<AbortController>();

  constructor(options: CompleteOptions) {
    this.options = options;
    this.#sign = signerOf(options.secretKey);
    this.time = new ExchangeTime(options.now, async () => {
      const { serverTime } = (await this.call('serverTime')) as { serverTime: number };
      return serverTime;
    });
  }

  /** @throws BourseError, with `isLost` where it may have been carried out; TypeError for its members */
  async call(id: EndpointId, members: CallMembers = {}): Promise<unknown> {
    const endpoint = endpoints.get(id);
    if (endpoint === undefined) throw new TypeError(`there is no endpoint ${String(id)}`);
    const target = targetOf(endpoint, members);
    if (endpoint.isSigned && this.options.apiKey === '')
      throw new TypeError(`${id}: it needs an apiKey and a secretKey`);
    const tries: Tries = { lost: 0, clock: 0, latest: monotonicClock.now() + this.options.limitWaitMs };
    for (;;) {
      await this.#pass(endpoint, tries);
      try {
        return await this.#send(endpoint, target);
      } catch (error) {
        if (!(error instanceof BourseError)) throw error;
        await this.#prepareRepeat(endpoint, error, tries);
      }
    }
  }

  /** Ends what is under way: what has no answer yet is lost. */
  close(): void {
    this.pauses.close();
    for (const abort of this.#aborts) abort.abort();
  }

  /** Waits until requests may be sent. @throws BourseError 429 where that takes too long */
  async #pass(endpoint: KnownEndpoint, { latest }: Tries): Promise<void> {
    if (this.options.waitsForLimits) {
      const leftMs = await this.#gate.open(latest);
      if (leftMs > 0) {
        const detail = `the exchange said to wait for ${Math.ceil(leftMs / 1000)} s`;
        throw new BourseError({ endpoint: endpoint.id, status: 429, code: 429, detail, retryAfterMs: leftMs });
      }
    }
    if (this.pauses.isOver)
      throw new BourseError({ endpoint: endpoint.id, status: 0, code: 0, detail: 'the client is closed' });
  }

  /** Waits until a call may be tried again. @throws the error where it may not */
  async #prepareRepeat(endpoint: KnownEndpoint, error: BourseError, tries: Tries): Promise<void> {
    const { retries, waitsForLimits } = this.options;
    if (isLimit(error)) {
      if (!waitsForLimits) throw error;
      this.#gate.close(error.retryAfterMs ?? unsaidWaitMs);
      // A refusal without a wait would be asked for again at once, and again.
      if (this.#gate.closedMs === 0) this.#gate.close(unsaidWaitMs);
      if (monotonicClock.now() + this.#gate.closedMs > tries.latest) throw error;
      return;
    }
    if (isClockRefusal(error) && endpoint.isSigned && tries.clock < clockTriesMax) {
      tries.clock += 1;
      await this.time.measure();
      return;
    }
    const mayRepeat = endpoint.isRepeatable && (error.isLost || isNotTakenUp(error));
    if (!mayRepeat || tries.lost >= retries) throw error;
    tries.lost += 1;
    await this.pauses.wait(jittered(Math.min(longestPauseMs, firstPauseMs * 2 ** (tries.lost - 1))));
  }

  async #send(endpoint: KnownEndpoint, { path, query }: RequestTarget): Promise<unknown> {
    const { options } = this;
    const base = endpoint.isFutures ? options.futuresBaseUrl : options.baseUrl;
    const text = endpoint.isSigned ? await this.#signed(query) : query;
    const isInBody = endpoint.method === 'POST' && text.length > queryLengthMax;
    const url = `${base}${path}${text === '' || isInBody ? '' : `?${text}`}`;
    const headers: Record<string, string> = endpoint.isSigned ? { [options.keyHeader]: options.apiKey } : {};
    if (isInBody) headers['Content-Type'] = 'application/x-www-form-urlencoded';
    const body = isInBody ? { body: text } : {};
    return this.#fetch(endpoint, url, { method: endpoint.method, headers, ...body });
  }

  /** The parameters with those of signing. Each try has a time of its own, and so another signature. */
  async #signed(query: string): Promise<string> {
    await this.time.ready();
    const { recvWindow } = this.options;
    const own = pairsText([
      ['recvWindow', String(recvWindow)],
      ['timestamp', String(this.time.now())],
    ]);
    const text = query === '' ? own : `${query}&${own}`;
    return `${text}&signature=${await this.#sign(text)}`;
  }

  async #fetch(
    endpoint: KnownEndpoint,
    url: string,
    request: { readonly method: string; readonly headers: Record<string, string>; readonly body?: string },
  ): Promise<unknown> {
    const abort = new AbortController();
    this.#aborts.add(abort);
    const cancel = this.pauses.after(this.options.answerTimeoutMs, () => abort.abort());
    try {
      // What follows a redirection would be signed for somebody else.
      const init = { ...request, redirect: 'error', signal: abort.signal } as const;
      const answer: FetchedAnswer = await this.options.fetch(url, init);
      return await readAnswer(endpoint, answer);
    } catch (error) {
      if (error instanceof BourseError) throw error;
      const detail = abort.signal.aborted ? 'no answer in time' : 'no answer';
      throw new BourseError({ endpoint: endpoint.id, status: 0, code: 0, detail, isLost: true, cause: error });
    } finally {
      cancel();
      this.#aborts.delete(abort);
    }
  }
}
