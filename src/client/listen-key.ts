import { BourseError } from '#client/bourse-error.ts';
import { isLimit, isNotTakenUp } from '#client/read-answer.ts';
import type { Rest } from '#client/rest.ts';

/** A listen key ends after an hour. */
const renewEveryMs = 30 * 60_000;
/** Longest wait for a key to be ended, when a client is closed. */
const farewellMs = 1000;

/** The listen key of an account: made when it is needed, renewed while it is in use. DEC-KIT-88. */
export class ListenKey {
  readonly #rest: Rest;
  readonly #onGone: () => void;
  #key: string | null;
  /** It may have ended. */
  #isDoubtful: boolean;
  #stopRenewing: (() => void) | null = null;

  /** `onGone`: a renewal was refused, because the key has ended. */
  constructor(rest: Rest, onGone: () => void) {
    this.#rest = rest;
    this.#onGone = onGone;
    const { listenKey } = rest.options;
    this.#key = listenKey === '' ? null : listenKey;
    this.#isDoubtful = this.#key !== null;
  }

  /** A key that is valid. @throws BourseError where none can be had */
  async get(): Promise<string> {
    const isOld = this.#key !== null && !this.#isDoubtful;
    if (this.#key !== null && this.#isDoubtful) await this.#renew();
    if (this.#key === null) {
      const { listenKey } = (await this.#rest.call('createListenKey')) as { listenKey: string };
      this.#key = listenKey;
      this.#rest.options.onListenKey(listenKey);
    }
    if (!isOld) this.#renewLater();
    this.#isDoubtful = false;
    return this.#key;
  }

  /** A connection with it was refused, or ended because of it: it is looked at before it is used again. */
  doubt(): void {
    this.#isDoubtful = true;
  }

  /** Ends it at the exchange: an account has at most 60. */
  async close(): Promise<void> {
    this.#stopRenewing?.();
    const listenKey = this.#key;
    this.#key = null;
    if (listenKey === null) return;
    // It ends by itself in an hour, so nobody has to hear that it did not now.
    const ended = this.#rest.call('deleteListenKey', { listenKey }).catch(() => {});
    await Promise.race([ended, this.#rest.pauses.wait(farewellMs)]);
  }

  #renewLater(): void {
    this.#stopRenewing?.();
    this.#stopRenewing = this.#rest.pauses.after(renewEveryMs, () => {
      if (this.#key === null || this.#rest.pauses.isOver) return;
      this.#renew().then(
        () => {
          if (this.#key === null) this.#onGone();
          else this.#renewLater();
        },
        // It was not told whether it was renewed: the next time is early enough.
        () => this.#renewLater(),
      );
    });
  }

  /** Renews it, or forgets it where it has ended. @throws BourseError where the exchange does not tell */
  async #renew(): Promise<void> {
    try {
      await this.#rest.call('renewListenKey', { listenKey: this.#key });
    } catch (error) {
      const isTold = error instanceof BourseError && !error.isLost && !isLimit(error) && !isNotTakenUp(error);
      if (!isTold || error.status === 0) throw error;
      this.#key = null;
    }
  }
}
