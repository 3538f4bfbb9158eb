/** Streams that need no key, and those of an account. */
export type StreamName = 'public' | 'private';

/** Whose private channels are heard. */
export interface StreamKeys {
  readonly apiKey: string;
  readonly secretKey: string;
  readonly keyHeader: string;
  /** That of this tab, if it has one; else empty. */
  readonly listenKey: string;
}

/** What the page asks of the worker. */
export type StreamRequest =
  | { readonly kind: 'subscribe'; readonly channel: string }
  | { readonly kind: 'unsubscribe'; readonly channel: string }
  /** `decimals`: of the pair's prices and quantities. */
  | { readonly kind: 'openBook'; readonly symbol: string; readonly decimals: BookDecimals }
  | { readonly kind: 'closeBook'; readonly symbol: string }
  /** `null`: nobody is signed in any more. */
  | { readonly kind: 'listen'; readonly keys: StreamKeys | null };

/** Decimals of a pair. */
export interface BookDecimals {
  readonly price: number;
  readonly quantity: number;
}

/** A push as the page gets it. */
export interface HeardPush {
  readonly channel: string;
  /** Empty where the push is not about one pair. */
  readonly symbol: string;
  readonly content: unknown;
}

/** A book as it is: price and quantity in turn, as whole numbers of the pair's smallest steps, best first. */
export interface BookView {
  readonly symbol: string;
  readonly version: number;
  readonly bids: Float64Array;
  readonly asks: Float64Array;
}

/** What the worker tells the page. */
export type StreamEvent =
  /** From now on nothing is left out of a channel. */
  | { readonly kind: 'ready'; readonly channel: string }
  /** A channel was lost, and is asked for again. */
  | { readonly kind: 'gap'; readonly channel: string }
  /** Nothing comes of a channel any more. */
  | { readonly kind: 'refused'; readonly channel: string; readonly reason: string }
  /** A listen key was made: the tab goes on with it when the page is loaded again. */
  | { readonly kind: 'listenKey'; readonly listenKey: string }
  | { readonly kind: 'pushes'; readonly pushes: readonly HeardPush[] }
  | { readonly kind: 'book'; readonly view: BookView };

/** Which streams a channel is of. */
export const streamOf = (channel: string): StreamName => (channel.startsWith('spot@private.') ? 'private' : 'public');
