/** An address that is well formed, or why it is not: the end of a sentence that begins with "the address". */
export type AddressReading =
  | {
      /** The one way to write this address; equal addresses have equal canonical forms. */
      readonly canonical: string;
      /** What the address stands for: the hash of a key or of a script, or a key. */
      readonly payload: Uint8Array;
    }
  | { readonly fault: string };

/** How extended public keys begin; the prefix says which addresses a wallet shows for the key (SLIP-132). */
export const keyPrefixes = ['xpub', 'ypub', 'zpub'] as const;
export type KeyPrefix = (typeof keyPrefixes)[number];

/** How the addresses of a chain are written. */
export interface AddressFormat {
  /** Reads an address of the main network. Answers for every text and never throws. */
  readonly read: (text: string) => AddressReading;
  /** Address of a compressed public key, by the prefix of the extended key; without an entry it is not derived. */
  readonly derive: Readonly<Partial<Record<KeyPrefix, (publicKey: Uint8Array) => string>>>;
}

/** The value of a decoder that throws at what it cannot read; null where it threw. */
export function decoded<T>(decode: () => T): T | null {
  try {
    return decode();
  } catch {
    // Decoders throw at any bad character, length or checksum; callers only need to know that they did.
    return null;
  }
}
