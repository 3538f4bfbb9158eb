import { constants } from 'node:crypto';
import { connect, createServer, type Server, type TLSSocket } from 'node:tls';
import { assert } from '#base/assert.ts';

const identity = 'bourse';
const keySize = 32;

/**
 * Both sides prove by the handshake that they have the key, and each connection gets keys of its own by ECDHE: who
 * learns the key later cannot read what was recorded before. There are no certificates, and no other suite is offered.
 */
const secured = {
  ciphers: 'ECDHE-PSK-CHACHA20-POLY1305',
  minVersion: 'TLSv1.2',
  maxVersion: 'TLSv1.2',
  secureOptions: constants.SSL_OP_NO_TICKET | constants.SSL_OP_NO_RENEGOTIATION,
} as const;

/** A server of TLS for sockets that are given to it as `connection`. */
export function createSecureServer(key: Uint8Array): Server {
  const psk = requireKey(key);
  return createServer({ ...secured, pskCallback: (_socket, name) => (name === identity ? psk : null) });
}

/** Connects; `secureConnect` tells that the other side has the key. */
export function connectSecurely(key: Uint8Array, { host, port }: { host: string; port: number }): TLSSocket {
  const psk = requireKey(key);
  return connect({
    ...secured,
    host,
    port,
    pskCallback: () => ({ psk, identity }),
    // There is no certificate with a name in it: the key is the proof.
    checkServerIdentity: () => undefined,
  });
}

/** What OpenSSL says, on either side, where the keys of both differ. */
const wrongKeyCodes = new Set([
  'ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC',
  'ERR_SSL_SSLV3_ALERT_BAD_RECORD_MAC',
  'ERR_SSL_PSK_IDENTITY_NOT_FOUND',
  'ERR_SSL_TLSV1_ALERT_UNKNOWN_PSK_IDENTITY',
  'ERR_SSL_TLSV1_ALERT_DECRYPT_ERROR',
  'ERR_SSL_DIGEST_CHECK_FAILED',
]);

/** Whether a handshake failed because the other side has another key. */
export const isWrongKey = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && wrongKeyCodes.has(String(error.code));

function requireKey(key: Uint8Array): Buffer {
  assert(key.length === keySize, 'the key of the link has 32 bytes');
  return Buffer.from(key);
}
