import type { PermissionSet } from '#model/permission.ts';
import type { Uid } from '#model/units.ts';
import { randomBytes } from 'node:crypto';

/** What a secret is for. */
export type SecretPurpose = 'API key' | 'listen key' | 'operator token' | 'webhook' | 'webhook secret';

/** Makes a secret of so many bytes that was never made before. */
export type NewSecret = (purpose: SecretPurpose, bytes: number) => Buffer;

/** Secrets by chance: in production, and in a sandbox without a seed of one's choice. */
export const randomSecret: NewSecret = (_purpose, bytes) => randomBytes(bytes);

/** Encrypts the secret of an API key, bound to the rights of the key. */
export type SealApiKey = (
  secret: string,
  rights: {
    readonly accessKey: string;
    readonly uid: Uid;
    readonly permissions: PermissionSet;
    readonly ips: readonly string[];
  },
) => string;

const day = 86_400_000;

/** How long keys live that are bound to no address. */
export interface KeySettings {
  /** In days; 0: without an end. DEC-REQ-147. */
  readonly unboundKeyDays: number;
}

/** The life of a key that is bound to no address; `null`: it has no end. */
export const unboundLifeMs = ({ unboundKeyDays }: KeySettings): number | null =>
  unboundKeyDays === 0 ? null : unboundKeyDays * day;

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const lettersOfKey = 15;
/** So many that each letter is as likely as any other. */
const bytesPerLetter = 4;
const secretBytes = 16;

/** A new access key, `mx0` and 15 letters and digits, and its secret, 32 hex characters. */
export function newApiKey(newSecret: NewSecret): { readonly accessKey: string; readonly secretKey: string } {
  const bytes = newSecret('API key', lettersOfKey * bytesPerLetter + secretBytes);
  const tail = Array.from(
    { length: lettersOfKey },
    (_, index) => letters[bytes.readUInt32LE(index * bytesPerLetter) % letters.length],
  );
  return { accessKey: `mx0${tail.join('')}`, secretKey: bytes.toString('hex', lettersOfKey * bytesPerLetter) };
}
