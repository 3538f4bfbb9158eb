import type { KeyObject } from 'node:crypto';
import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync, randomBytes } from 'node:crypto';

/**
 * Seals secrets so that they can live in the journal: AES-256-GCM under a master key that lives elsewhere, bound to
 * what they belong to. Sealed form, base64: format 1 (1 byte), key id (4), nonce (12), tag (16), ciphertext.
 * Reasons: docs/decisions/0005-synthetic-nonces.md.
 */

const format = 1;
const keyIdSize = 4;
const nonceSize = 12;
const tagSize = 16;
const headSize = 1 + keyIdSize + nonceSize + tagSize;
/** Longest text that can be sealed, in bytes. */
const plaintextSizeMax = 4096;

/** Size of a master key in bytes. */
export const masterKeySize = 32;

/** Keys in use: the first seals, all of them unseal, so that a key can be replaced while old seals exist. */
export interface SealKeys {
  readonly keys: readonly Uint8Array[];
  /**
   * `random` in production. `synthetic` nonces are a keyed hash of what is sealed: the same seed and script then give
   * a byte-identical journal, and no counter has to survive a restart.
   */
  readonly nonces: 'random' | 'synthetic';
}

/** Seals and unseals text. */
export interface SecretSeal {
  /** Sealed form, base64; at most 4096 bytes of text. */
  seal(plaintext: string, associatedData: Uint8Array): string;
  /** @throws SealBroken when the text was altered, belongs to something else or was sealed under a foreign key. */
  unseal(sealed: string, associatedData: Uint8Array): string;
  /** Whether the active key sealed it, and not one that was replaced. */
  isCurrent(sealed: string): boolean;
}

/** What was sealed cannot be opened with these keys for this owner. */
export class SealBroken extends Error {
  override name = 'SealBroken';
}

interface DerivedKey {
  readonly id: Buffer;
  readonly cipher: KeyObject;
  readonly nonce: KeyObject;
}

function derive(master: Uint8Array): DerivedKey {
  if (master.length !== masterKeySize) throw new SealBroken(`a master key has ${masterKeySize} bytes`);
  const part = (purpose: string, size: number): Buffer =>
    Buffer.from(hkdfSync('sha256', master, Buffer.alloc(0), `bourse seal 1 ${purpose}`, size));
  return {
    id: part('key id', keyIdSize),
    cipher: createSecretKey(part('cipher', 32)),
    nonce: createSecretKey(part('nonce', 32)),
  };
}

/** A seal under these keys. @throws SealBroken when there are none or a key has the wrong size. */
export function createSecretSeal({ keys, nonces }: SealKeys): SecretSeal {
  const ring = keys.map(derive);
  const [active] = ring;
  if (active === undefined) throw new SealBroken('the key ring is empty');
  return {
    seal: (plaintext, associatedData) => {
      const text = Buffer.from(plaintext, 'utf8');
      if (text.length > plaintextSizeMax) throw new SealBroken(`at most ${plaintextSizeMax} bytes can be sealed`);
      const nonce = nonces === 'random' ? randomBytes(nonceSize) : syntheticNonce(active, text, associatedData);
      const head = Buffer.concat([Buffer.of(format), active.id, nonce]);
      const cipher = createCipheriv('aes-256-gcm', active.cipher, nonce, { authTagLength: tagSize });
      cipher.setAAD(framed([head, associatedData]));
      const body = Buffer.concat([cipher.update(text), cipher.final()]);
      return Buffer.concat([head, cipher.getAuthTag(), body]).toString('base64');
    },
    unseal: (sealed, associatedData) => {
      const bytes = Buffer.from(sealed, 'base64');
      if (bytes.length < headSize || bytes[0] !== format) throw new SealBroken('not a sealed secret');
      const key = ring.find(({ id }) => id.equals(bytes.subarray(1, 1 + keyIdSize)));
      if (key === undefined) throw new SealBroken('sealed under a master key that is not in the key ring');
      const head = bytes.subarray(0, 1 + keyIdSize + nonceSize);
      return open(key, head, bytes.subarray(head.length), associatedData);
    },
    isCurrent: (sealed) => active.id.equals(Buffer.from(sealed, 'base64').subarray(1, 1 + keyIdSize)),
  };
}

function open(key: DerivedKey, head: Buffer, rest: Buffer, associatedData: Uint8Array): string {
  const nonce = head.subarray(1 + keyIdSize);
  const decipher = createDecipheriv('aes-256-gcm', key.cipher, nonce, { authTagLength: tagSize });
  decipher.setAAD(framed([head, associatedData]));
  decipher.setAuthTag(rest.subarray(0, tagSize));
  try {
    return Buffer.concat([decipher.update(rest.subarray(tagSize)), decipher.final()]).toString('utf8');
  } catch (cause) {
    throw new SealBroken('the seal is broken or belongs to something else', { cause });
  }
}

/** The same text for the same owner gives the same nonce; others repeat one only if a 96-bit keyed hash collides. */
function syntheticNonce(key: DerivedKey, text: Uint8Array, associatedData: Uint8Array): Buffer {
  return createHmac('sha256', key.nonce)
    .update(framed([associatedData, text]))
    .digest()
    .subarray(0, nonceSize);
}

/** Parts behind their lengths, so that bytes cannot slide from one part into the next. */
function framed(parts: readonly Uint8Array[]): Buffer {
  return Buffer.concat(
    parts.flatMap((part) => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(part.length);
      return [length, part];
    }),
  );
}

/** What the secret of an API key is bound to; whoever edits stored rights breaks the seal. */
export interface ApiKeyOwnership {
  readonly accessKey: string;
  readonly uid: number;
  /** Bit set as in `domain/permission.ts`. */
  readonly permissions: number;
  /** In the order in which they are stored. */
  readonly ips: readonly string[];
  /** Counts the changes of a key; 1 for a key that was never changed. */
  readonly keyVersion: number;
}

/** What a listen key is bound to as associated data: the number of its account. */
export const listenKeyAssociatedData = (uid: number): Uint8Array =>
  framed(['listen key', String(uid)].map((text) => Buffer.from(text, 'utf8')));

/** What the secret of a webhook is bound to as associated data: its id. */
export const webhookAssociatedData = (webhook: string): Uint8Array =>
  framed(['webhook secret', webhook].map((text) => Buffer.from(text, 'utf8')));

/** What the key of wallet ids is bound to as associated data. */
export const idKeyAssociatedData: Uint8Array = framed([Buffer.from('wallet id key', 'utf8')]);

/** What the seed of a hot wallet is bound to as associated data: its network. */
export const walletSeedAssociatedData = (network: string): Uint8Array =>
  framed(['wallet seed', network].map((text) => Buffer.from(text, 'utf8')));

/** The one canonical form of an API key's rights as associated data. */
export function apiKeyAssociatedData({ accessKey, uid, permissions, ips, keyVersion }: ApiKeyOwnership): Uint8Array {
  const texts = ['api key', accessKey, String(uid), String(permissions), String(keyVersion), ...ips];
  return framed(texts.map((text) => Buffer.from(text, 'utf8')));
}
