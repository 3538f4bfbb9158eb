import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { monotonicClock } from '#base/clock.ts';
import { ApiError } from '#http/errors.ts';
import { wireLimits } from '#http/limits.ts';
import type { EndpointRequest } from '#public-api/pipeline/endpoint-request.ts';
import { AnswerDeadlines } from '#http/answer-deadlines.ts';
import { type PasswordAsker, PasswordQueue } from '#public-api/broker/password-queue.ts';

const { passwordsAtOnce, passwordsWaiting, passwordsOfAccount, passwordWaitMs } = wireLimits.broker;

/** What a new hash costs: 2^14 rounds over 16 MiB. Older hashes keep the costs that they tell of themselves. */
const cost = { N: 2 ** 14, r: 8, p: 1 } as const;
const saltBytes = 16;
const hashBytes = 32;

/** `$scrypt$ln=14,r=8,p=1$<salt>$<hash>` with unpadded base64, the usual text form of password hashes. */
const textForm = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{22})\$([A-Za-z0-9+/]{43})$/;
const base64 = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');

const derive = (password: string, salt: Buffer, costs: { N: number; r: number; p: number }): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const maxmem = 256 * costs.N * costs.r;
    scrypt(password, salt, hashBytes, { ...costs, maxmem }, (error, derived) =>
      error === null ? resolve(derived) : reject(error),
    );
  });

/** More passwords than are its share wait for an asker, or one waited too long: it is asked to come back later. */
class PasswordsBusy extends Error {}

/** After this time whoever was refused may come back. */
const busySeconds = 1;

/** Waits for a password's turn; 429 with Retry-After where it comes too late or never. */
export async function waitForPassword<Result>(request: EndpointRequest, turn: Promise<Result>): Promise<Result> {
  try {
    return await turn;
  } catch (error) {
    if (!(error instanceof PasswordsBusy)) throw error;
    request.retryAfterSeconds = busySeconds;
    throw new ApiError('tooManyRequests', { parameter: 'password', why: 'too many of yours are being checked' });
  }
}

/** One that waits for its turn. */
interface Waiting {
  readonly begin: () => void;
  readonly refuse: () => void;
}

/**
 * Hashes passwords, and checks them against hashes. Few at a time, because each takes a thread of the pool that also
 * writes the journal; others wait for their turn, which is fair by broker and by account. Too many of one account are
 * refused; with too many of all, the newest of whoever has most. DEC-SUB-56.
 */
export class PasswordHashes {
  #running = 0;
  readonly #queue = new PasswordQueue<Waiting>();
  readonly #deadlines: AnswerDeadlines;

  /** `waitMs`: how long one waits at most. */
  constructor(waitMs: number = passwordWaitMs) {
    this.#deadlines = new AnswerDeadlines(waitMs, monotonicClock.now);
  }

  /**
   * Hash of a password, with a salt of its own.
   * @throws PasswordsBusy if the asker has more than its share.
   */
  hash(password: string, asker: PasswordAsker): Promise<string> {
    return this.#inTurn(asker, async () => {
      const salt = randomBytes(saltBytes);
      const derived = await derive(password, salt, cost);
      return `$scrypt$ln=${Math.log2(cost.N)},r=${cost.r},p=${cost.p}$${base64(salt)}$${base64(derived)}`;
    });
  }

  /**
   * Whether a hash was made of this password; compares in constant time. `beforeTurn` is called when its turn has come:
   * what it throws is thrown, and nothing is hashed.
   * @throws PasswordsBusy if the asker has more than its share. @throws TypeError for a text that is no hash.
   */
  matches(password: string, hash: string, asker: PasswordAsker, beforeTurn = (): void => {}): Promise<boolean> {
    const parts = textForm.exec(hash);
    if (parts === null) throw new TypeError('the password hash of a sub-account has an unknown form');
    const [ln, r, p] = parts.slice(1, 4).map(Number) as [number, number, number];
    const [salt, expected] = parts.slice(4, 6).map((text) => Buffer.from(text, 'base64')) as [Buffer, Buffer];
    return this.#inTurn(asker, async () => {
      beforeTurn();
      return timingSafeEqual(await derive(password, salt, { N: 2 ** ln, r, p }), expected);
    });
  }

  async #inTurn<Result>(asker: PasswordAsker, work: () => Promise<Result>): Promise<Result> {
    if (this.#running >= passwordsAtOnce) await this.#turn(asker);
    else this.#running += 1;
    try {
      return await work();
    } finally {
      // The next one takes over this place.
      const next = this.#queue.shift();
      if (next === undefined) this.#running -= 1;
      else next.begin();
    }
  }

  #turn(asker: PasswordAsker): Promise<void> {
    if (this.#queue.countOf(asker) >= passwordsOfAccount) return Promise.reject(new PasswordsBusy());
    return new Promise((resolve, reject) => {
      const deadline = this.#deadlines.begin(() => {
        this.#queue.remove(asker, waiting);
        reject(new PasswordsBusy());
      });
      const waiting: Waiting = {
        begin: () => {
          this.#deadlines.end(deadline);
          resolve();
        },
        refuse: () => {
          this.#deadlines.end(deadline);
          reject(new PasswordsBusy());
        },
      };
      this.#queue.push(asker, waiting);
      if (this.#queue.count > passwordsWaiting) this.#queue.dropOfGreediest().refuse();
    });
  }
}
