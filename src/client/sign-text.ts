/** Makes the signature of a text: HMAC SHA256 in lower-case hex. */
export type SignText = (text: string) => Promise<string>;

const hexOf = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/**
 * Signs with a secret key by WebCrypto, which Node, browsers and workers have.
 * @throws TypeError at the first signature in a page that may not use it: one that came neither by https nor from this
 * machine
 */
export function signerOf(secretKey: string): SignText {
  const encoder = new TextEncoder();
  let key: ReturnType<typeof importKey> | null = null;
  return async (text) => {
    const { subtle } = globalThis.crypto;
    if (subtle === undefined) throw new TypeError('signing needs WebCrypto: open the page by https or from localhost');
    key ??= importKey(encoder.encode(secretKey));
    return hexOf(new Uint8Array(await subtle.sign('HMAC', await key, encoder.encode(text))));
  };
}

const importKey = (secret: Uint8Array<ArrayBuffer>) =>
  globalThis.crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);

const letters = '0123456789abcdefghijklmnopqrstuvwxyz';

/** Letters and digits by chance, from the source that keys are made of: two never agree. */
export const randomLetters = (count: number): string =>
  Array.from(globalThis.crypto.getRandomValues(new Uint8Array(count)), (byte) => letters[byte % letters.length]).join(
    '',
  );

/** A part of `ms` by chance, from a half to the whole: not all clients of an exchange are to come at once. */
export const jittered = (ms: number): number =>
  Math.round(ms * (0.5 + (globalThis.crypto.getRandomValues(new Uint8Array(1))[0] as number) / 512));
