import { BourseClient } from '#client/client.ts';
import { exchange } from '#web/shell/exchange-facts.ts';

/** Whose requests are signed. */
export interface ApiKeys {
  readonly accessKey: string;
  readonly secretKey: string;
}

/** Where pages ask: longer waits for limits than these are told to the viewer, and so are lost acts. */
const options = {
  baseUrl: globalThis.location?.origin,
  futuresBaseUrl: exchange.futuresUrl === '' ? undefined : exchange.futuresUrl,
  keyHeader: exchange.keyHeader,
  // Networks of people are slower than those of programs.
  recvWindow: 10_000,
  limitWaitMs: 10_000,
  outcomeWaitMs: 20_000,
};

/** A client that signs with these keys, in this page. DEC-WEB-06, DEC-WEB-16. */
export const clientOf = ({ accessKey, secretKey }: ApiKeys): BourseClient =>
  new BourseClient({ ...options, apiKey: accessKey, secretKey });

/** The client of all pages for what needs no key. DEC-WEB-16. */
export const publicClient: BourseClient = new BourseClient(options);

let measured: Promise<number> | null = null;

/** The exchange's time in milliseconds. */
export async function exchangeNow(): Promise<number> {
  measured ??= publicClient.measureClock().catch((error: unknown) => {
    measured = null;
    throw error;
  });
  await measured;
  return Date.now() + publicClient.clockOffsetMs;
}
