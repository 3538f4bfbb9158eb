import type { Push } from '#web/data/streams/pushes.ts';

/** The connections that a page has. */
export type StreamName = 'public' | 'private';

/** How a connection is. `lost`: it was open, and is tried again. */
export type StreamState = 'closed' | 'connecting' | 'open' | 'lost';

/** What the page asks of the worker. */
export type StreamRequest =
  | { readonly kind: 'subscribe'; readonly channel: string }
  | { readonly kind: 'unsubscribe'; readonly channel: string }
  | { readonly kind: 'openBook'; readonly symbol: string }
  | { readonly kind: 'closeBook'; readonly symbol: string }
  /** `null`: nobody is signed in any more. */
  | { readonly kind: 'listen'; readonly listenKey: string | null };

/** A book as it is: price and quantity in turn, as whole numbers of the pair's smallest steps, best first. */
export interface BookView {
  readonly symbol: string;
  readonly version: number;
  readonly bids: Float64Array;
  readonly asks: Float64Array;
}

/** What the worker tells the page. */
export type StreamEvent =
  | { readonly kind: 'state'; readonly stream: StreamName; readonly state: StreamState }
  | { readonly kind: 'pushes'; readonly pushes: readonly Push[] }
  | { readonly kind: 'book'; readonly view: BookView };
