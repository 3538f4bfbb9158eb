import type { ExchangeFacts } from '#testing/test-exchange.ts';

/** What the thread of an exchange is asked for; `restart`: milliseconds that it is down. */
export type ThreadRequest = 'close' | { readonly restart: number };

/** What it tells: first that the exchange runs, then that a request is done, or why not. */
export type ThreadReply =
  | { readonly kind: 'running'; readonly facts: ExchangeFacts }
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly name: string; readonly message: string };
