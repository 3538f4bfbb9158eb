import { BourseError } from '#client/bourse-error.ts';
import type { PushHead } from '#client/push-types.ts';

/** What a subscriber may want to know beside pushes. DEC-KIT-88. */
export interface StreamEvents {
  /** The channel is subscribed to, for the first time or again: from now on nothing is left out until `onGap`. */
  readonly onReady?: (() => void) | undefined;
  /** The connection was lost, and is made again: what is pushed meanwhile never comes. `why` says how it was lost. */
  readonly onGap?: ((why: string) => void) | undefined;
  /** The exchange refused the channel: nothing comes any more. */
  readonly onRefused?: ((error: BourseError) => void) | undefined;
}

/** A channel that somebody listens to. */
export interface StreamSubscription {
  readonly channel: string;
  /** Resolves once the channel is subscribed to, or it was closed. Rejects with a BourseError where it is refused. */
  readonly ready: Promise<void>;
  /** Listens no more. */
  close(): void;
}

/** Takes what a channel pushes. */
export type PushHandler<Content> = (content: Content, head: PushHead) => void;

/** One listener of a channel. */
export class Listener {
  readonly channel: string;
  readonly ready: Promise<void>;
  readonly #handler: PushHandler<never>;
  readonly #events: StreamEvents;
  readonly #onError: (error: unknown) => void;
  #isClosed = false;
  #resolve!: () => void;
  #reject!: (error: BourseError) => void;

  constructor(channel: string, handler: PushHandler<never>, events: StreamEvents, onError: (error: unknown) => void) {
    this.channel = channel;
    this.#handler = handler;
    this.#events = events;
    this.#onError = onError;
    this.ready = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // Who does not wait for it hears of a refusal by `onRefused`.
    this.ready.catch(() => {});
  }

  opened(): void {
    this.#resolve();
    this.#run(() => this.#events.onReady?.());
  }

  push(content: unknown, head: PushHead): void {
    this.#run(() => this.#handler(content as never, head));
  }

  lost(why: string): void {
    this.#run(() => this.#events.onGap?.(why));
  }

  refused(why: string, cause?: unknown): void {
    const error =
      cause instanceof BourseError
        ? cause
        : new BourseError({ endpoint: this.channel, status: 0, code: 0, detail: why, cause });
    this.#reject(error);
    this.#run(() => this.#events.onRefused?.(error));
  }

  /** Nothing is handed on any more. */
  closed(): void {
    this.#isClosed = true;
    this.#resolve();
  }

  /** What a handler throws is its own fault: the stream goes on. */
  #run(work: () => void): void {
    if (this.#isClosed) return;
    try {
      work();
    } catch (error) {
      this.#onError(error);
    }
  }
}
