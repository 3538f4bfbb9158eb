import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import type { AccountId } from '#domain/units.ts';
import { ApiError } from '#api/errors.ts';
import { wireLimits } from '#api/limits.ts';

const { passwordsAtOnce, passwordsWaiting, passwordsOfAccount } = wireLimits.broker;

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

/**
 * Hashes passwords, and checks them against hashes. Few at a time, because each takes a thread of the pool that also
 * writes the journal; others wait, and with too many waiting, or too many of one account, one is refused. DEC-SUB-56.
 */
export class PasswordHashes {
  #running = 0;
  readonly #waiting: (() => void)[] = [];
  /** Passwords that run or wait, by the account that asked. */
  readonly #ofAccount = new Map<AccountId, number>();

  /**
   * Hash of a password, with a salt of its own, for an account that asks.
   * @throws ApiError 503 if too many wait.
   */
  hash(password: string, asker: AccountId): Promise<string> {
    return this.#inTurn(asker, async () => {
      const salt = randomBytes(saltBytes);
      const derived = await derive(password, salt, cost);
      return `$scrypt$ln=${Math.log2(cost.N)},r=${cost.r},p=${cost.p}$${base64(salt)}$${base64(derived)}`;
    });
  }

  /**
   * Whether a hash was made of this password; compares in constant time.
   * @throws ApiError 503 if too many wait. @throws TypeError for a text that is no hash.
   */
  matches(password: string, hash: string, asker: AccountId): Promise<boolean> {
    const parts = textForm.exec(hash);
    if (parts === null) throw new TypeError('the password hash of a sub-account has an unknown form');
    const [ln, r, p] = parts.slice(1, 4).map(Number) as [number, number, number];
    const [salt, expected] = parts.slice(4, 6).map((text) => Buffer.from(text, 'base64')) as [Buffer, Buffer];
    return this.#inTurn(asker, async () =>
      timingSafeEqual(await derive(password, salt, { N: 2 ** ln, r, p }), expected),
    );
  }

  async #inTurn<Result>(asker: AccountId, work: () => Promise<Result>): Promise<Result> {
    const own = this.#ofAccount.get(asker) ?? 0;
    if (own >= passwordsOfAccount || this.#waiting.length >= passwordsWaiting) {
      throw new ApiError('serviceUnavailable', { why: 'too many passwords are being checked' });
    }
    this.#ofAccount.set(asker, own + 1);
    try {
      if (this.#running >= passwordsAtOnce) await new Promise<void>((resolve) => this.#waiting.push(resolve));
      else this.#running += 1;
      try {
        return await work();
      } finally {
        // The next one takes over this place.
        const next = this.#waiting.shift();
        if (next === undefined) this.#running -= 1;
        else next();
      }
    } finally {
      const left = (this.#ofAccount.get(asker) as number) - 1;
      if (left === 0) this.#ofAccount.delete(asker);
      else this.#ofAccount.set(asker, left);
    }
  }
}
