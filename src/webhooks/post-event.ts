import { createHmac } from 'node:crypto';
import { request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { faultOfUrl, guardedLookup, type HostRules } from '#webhooks/allowed-host.ts';

/** What is sent. */
export interface PostedEvent {
  readonly url: string;
  readonly secret: string;
  /** Names the event; the same in each attempt. */
  readonly id: string;
  /** Seconds since 1970 by the machine's clock. */
  readonly timestamp: number;
  readonly body: string;
}

/** Sends an event once; resolves to `null` if it was taken, else to why not. Never rejects. */
export type PostEvent = (event: PostedEvent, ended: AbortSignal) => Promise<string | null>;

/** HMAC-SHA-256 of `timestamp.body`, as 64 lower-case hex characters. DEC-OPR-239. */
export const signatureOf = ({ secret, timestamp, body }: Omit<PostedEvent, 'url' | 'id'>): string =>
  createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');

/** How long a receiver may take to answer. */
const timeoutMs = 10_000;

/**
 * Posts events by HTTP: taken is what is answered with 2xx. Redirects are not followed, and the body of an answer is
 * not read. Each has a connection of its own, whose address is checked. DEC-OPR-239, DEC-OPR-242.
 */
export const createPostEvent =
  (rules: HostRules, answerTimeoutMs: number = timeoutMs): PostEvent =>
  (event, ended) => {
    const fault = faultOfUrl(event.url, rules);
    if (fault !== null) return Promise.resolve(`the url ${fault}`);
    const url = new URL(event.url);
    const send = url.protocol === 'https:' ? secureRequest : plainRequest;
    return new Promise((resolve) => {
      const sent = send(url, {
        method: 'POST',
        agent: false,
        lookup: guardedLookup(rules),
        signal: AbortSignal.any([ended, AbortSignal.timeout(answerTimeoutMs)]),
        maxHeaderSize: 16_384,
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(event.body),
          'user-agent': 'bourse-webhooks',
          'bourse-event': event.id,
          'bourse-timestamp': String(event.timestamp),
          'bourse-signature': signatureOf(event),
        },
      });
      sent.on('response', (answer) => {
        const status = answer.statusCode ?? 0;
        answer.on('error', () => undefined);
        answer.destroy();
        resolve(status >= 200 && status < 300 ? null : `it answered ${status}`);
      });
      sent.on('error', (error) => resolve(reasonOf(error, answerTimeoutMs)));
      sent.end(event.body);
    });
  };

function reasonOf(error: Error, answerTimeoutMs: number): string {
  const { code } = error as NodeJS.ErrnoException;
  if (['TimeoutError', 'AbortError'].includes(error.name))
    return `it did not answer within ${answerTimeoutMs / 1000} s`;
  return code === undefined ? error.message.slice(0, 200) : `the connection failed: ${code}`;
}
