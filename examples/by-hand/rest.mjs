import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * The exchange refused the request: nothing happened. `code` is the exchange's, `status` that of HTTP. With
 * `isAfterUnknown` an earlier try got no answer, and what became of that one is still unknown.
 */
export class Refusal extends Error {
  isAfterUnknown = false;

  constructor(status, { code, msg }) {
    super(`HTTP ${status}, code ${code}: ${msg}`);
    Object.assign(this, { status, code });
  }
}

/** A 5XX, or no answer at all: the request may have been carried out, now or a moment later. */
export class UnknownOutcome extends Error {}

/** The HMAC-SHA256 of a text, in hex: of the query string, exactly as it is sent. */
export const sign = (text, secretKey) => createHmac('sha256', secretKey).update(text).digest('hex');

const answerTimeoutMs = 12_000; // The exchange answers within 10 s, with 504 if need be.
const patienceMs = 60_000; // Whoever is told to wait longer is banned: that is for a person to look at.
const repeatMs = 40_000; // The exchange remembers an order's name for 60 s at least; no repeat may come later.

/** Asks the exchange, for one account or for none. `fetch`, `now` and `wait` are there for tests. */
export class Rest {
  clockOffsetMs = 0;
  #blockedUntil = 0;

  constructor({ base, apiKey = '', secretKey = '', recvWindow = 5000, ...more }) {
    const { fetch = globalThis.fetch, now = Date.now, wait = sleep } = more;
    Object.assign(this, { base, apiKey, secretKey, recvWindow, fetch, now, wait });
  }

  /** How far the exchange's clock is ahead of ours, taking both ways to last equally long. */
  async syncClock() {
    const sentAt = this.now();
    const { serverTime } = await this.get('/api/v3/time');
    this.clockOffsetMs = Math.round(serverTime - (sentAt + this.now()) / 2);
  }

  /** Public data. */
  get(path, parameters = {}) {
    const query = new URLSearchParams(parameters).toString();
    return this.#repeat(true, () => this.#send('GET', query === '' ? path : `${path}?${query}`));
  }

  /** A signed request. `isRepeatable`: sending it twice does what sending it once does. */
  signed(method, path, parameters = {}, { isRepeatable = method === 'GET' } = {}) {
    return this.#repeat(isRepeatable, () => {
      // Every try has a time of its own, and so another signature.
      const timestamp = Math.round(this.now() + this.clockOffsetMs);
      const query = new URLSearchParams({ ...parameters, recvWindow: this.recvWindow, timestamp }).toString();
      return this.#send(method, `${path}?${query}&signature=${sign(query, this.secretKey)}`);
    });
  }

  /** At most three tries, the last one `repeatMs` after the first at the latest. */
  async #repeat(isRepeatable, send) {
    let latest = performance.now() + patienceMs;
    let isUnknown = false;
    for (let tries = 1; ; tries += 1) {
      try {
        await this.#waitUntilAllowed(latest);
        if (tries === 1) latest = performance.now() + repeatMs;
        return await send();
      } catch (error) {
        if (error instanceof UnknownOutcome) isUnknown = true;
        else if (error instanceof Refusal) error.isAfterUnknown = isUnknown;
        const isLimit = error.status === 429 || error.status === 418;
        const isClock = error.code === 700003;
        const mayRepeat = isLimit || isClock || (isRepeatable && error instanceof UnknownOutcome);
        if (!mayRepeat || tries === 3 || performance.now() > latest) throw error;
        if (isClock) await this.syncClock();
        if (!isLimit && !isClock) await this.wait(250 * 2 ** tries);
      }
    }
  }

  async #send(method, target) {
    let response;
    let body;
    try {
      const signal = AbortSignal.timeout(answerTimeoutMs);
      response = await this.fetch(this.base + target, { method, headers: { 'X-SVC-APIKEY': this.apiKey }, signal });
      body = await response.json();
    } catch (error) {
      throw new UnknownOutcome(`${method} ${target.split('?')[0]}: no answer`, { cause: error });
    }
    if (response.ok) return body;
    if (response.status >= 500) throw new UnknownOutcome(`${method} ${target.split('?')[0]}: HTTP ${response.status}`);
    const retryAfterMs = Number(response.headers.get('retry-after') ?? 0) * 1000;
    if (retryAfterMs > 0) this.#blockedUntil = Math.max(this.#blockedUntil, performance.now() + retryAfterMs);
    throw new Refusal(response.status, body);
  }

  /** Whoever is told to wait sends nothing at all until then: requests sent meanwhile lead to a ban. */
  async #waitUntilAllowed(latest) {
    // Another request may be told to wait still longer meanwhile.
    for (let until = 0; until < this.#blockedUntil; ) {
      until = this.#blockedUntil;
      const ms = until - performance.now();
      if (until > latest) throw new Refusal(429, { code: 429, msg: `told to wait for ${Math.ceil(ms / 1000)} s` });
      if (ms > 0) await this.wait(ms);
    }
  }
}
