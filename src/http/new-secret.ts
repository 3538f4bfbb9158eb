import { randomBytes } from 'node:crypto';

/** What a secret is for. */
export type SecretPurpose = 'API key' | 'listen key' | 'operator token';

/** Makes a secret of so many bytes that was never made before. */
export type NewSecret = (purpose: SecretPurpose, bytes: number) => Buffer;

/** Secrets by chance: in production, and in a sandbox without a seed of one's choice. */
export const randomSecret: NewSecret = (_purpose, bytes) => randomBytes(bytes);
