import { computed, effect } from '@preact/signals';
import { BourseClient } from '#client/client.ts';
import { session } from '#web/data/session.ts';
import { exchange } from '#web/shell/exchange-facts.ts';

/** Longest wait for limits before the refusal is shown. */
const limitWaitMs = 10_000;
/** How many ms an act is looked for when no answer came. */
const outcomeWaitMs = 8000;

/** The client of whoever is signed in, which signs in this page; `null`: nobody is. DEC-WEB-06. */
export const userClient = computed<BourseClient | null>(() => {
  const keys = session.value;
  if (keys === null) return null;
  return new BourseClient({
    baseUrl: location.origin,
    apiKey: keys.accessKey,
    secretKey: keys.secretKey,
    keyHeader: exchange.keyHeader,
    recvWindow: 10_000,
    limitWaitMs,
    outcomeWaitMs,
  });
});

// Whoever signs out takes along what is under way.
effect(() => {
  const client = userClient.value;
  return () => void client?.close();
});
