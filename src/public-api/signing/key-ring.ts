import { createSecretKey, type KeyObject } from 'node:crypto';
import { BoundedCache } from '#base/bounded-cache.ts';
import type { ApiKeyView } from '#model/account.ts';
import type { Uid } from '#model/units.ts';
import { wireLimits } from '#http/limits.ts';
import type { AddressRanges, ClientAddress } from '#http/client-address.ts';
import { addressRanges, isAddressRange } from '#http/client-address.ts';

/** Decrypts the secret of a key. Throws if the ciphertext is damaged: the key cannot be used. */
export type Unseal = (key: ApiKeyView, uid: Uid) => string;

interface OpenedKey {
  readonly sealedSecret: string;
  readonly secret: KeyObject;
}

const keyPattern = /^[A-Za-z0-9]{10,64}$/;

/** Whether a text has the form of an access key: 10 to 64 letters and digits. */
export const isAccessKey = (text: string): boolean => keyPattern.test(text);

/** Parsed address ranges, for as long as their keys exist. */
const rangesOfKeys = new WeakMap<ApiKeyView, AddressRanges>();

/** Ranges that a key is bound to; a malformed one matches no address. */
function rangesOf(key: ApiKeyView): AddressRanges {
  const known = rangesOfKeys.get(key) ?? addressRanges(key.ips.filter(isAddressRange));
  rangesOfKeys.set(key, known);
  return known;
}

/** Whether a key may be used from this address; a key without ranges may be used from any. Otherwise 700006. */
export const isBoundTo = (key: ApiKeyView, client: ClientAddress): boolean =>
  key.ips.length === 0 || rangesOf(key).includes(client.parsed);

/** Decrypted secrets of the keys in use, as objects that cannot be printed; bounded, the oldest are evicted. */
export class KeyRing {
  readonly #unseal: Unseal;
  readonly #opened = new BoundedCache<string, OpenedKey>({ entriesKept: wireLimits.signing.unsealedSecrets / 2 });

  constructor(unseal: Unseal) {
    this.#unseal = unseal;
  }

  get size(): number {
    return this.#opened.size;
  }

  /** Throws what `unseal` throws. */
  secretOf(key: ApiKeyView, uid: Uid): KeyObject {
    const known = this.#opened.get(key.accessKey);
    if (known !== undefined && known.sealedSecret === key.sealedSecret) return known.secret;
    const secret = createSecretKey(this.#unseal(key, uid), 'utf8');
    this.#opened.set(key.accessKey, { sealedSecret: key.sealedSecret, secret });
    return secret;
  }
}
