import { BourseError, UnknownOutcome } from '#client/bourse-error.ts';
import type { ClientOptions } from '#client/client-options.ts';
import { completeOptions } from '#client/complete-options.ts';
import type { EndpointCalls } from '#client/endpoint-calls.ts';
import { FindOutcome } from '#client/find-outcome.ts';
import { type CallMembers, endpoints, type EndpointId } from '#client/request-target.ts';
import { type BookOptions, LocalBook } from '#client/local-book.ts';
import type { PushOf } from '#client/push-types.ts';
import { Rest } from '#client/rest.ts';
import { Streams } from '#client/streams.ts';
import type { PushHandler, StreamEvents, StreamSubscription } from '#client/subscription.ts';

/** What a client has beside a method for every endpoint. */
export interface ClientMembers {
  /** Calls the endpoint of that id, as the method of its name does. */
  call<Id extends EndpointId>(id: Id, ...members: Parameters<EndpointCalls[Id]>): ReturnType<EndpointCalls[Id]>;
  /** How many ms the exchange's clock is ahead, as it was measured last; 0 before the first signed call. */
  readonly clockOffsetMs: number;
  /** Measures that anew, and answers it. */
  measureClock(): Promise<number>;
  /**
   * Hands pushes of a channel to `handler`, for good: lost connections are made again. `channels` makes names. Whoever
   * subscribes to a channel again shares it, and gets no first state of his own. DEC-KIT-88.
   * @throws TypeError where the channel is private and the client has no key
   */
  subscribe<Name extends string>(
    channel: Name,
    handler: PushHandler<PushOf<Name>>,
    events?: StreamEvents,
  ): StreamSubscription;
  /** Keeps the order book of a pair. DEC-KIT-89. @throws TypeError for an option that cannot be used */
  book(symbol: string, options?: BookOptions): LocalBook;
  /** Ends waits, streams and books. Requests without an answer fail, those that change something as UnknownOutcome. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

class Client implements ClientMembers {
  readonly #rest: Rest;
  readonly #outcomes: FindOutcome;
  readonly #streams: Streams;
  readonly #books = new Set<LocalBook>();

  constructor(options: ClientOptions = {}) {
    this.#rest = new Rest(completeOptions(options));
    this.#outcomes = new FindOutcome(this.#rest);
    this.#streams = new Streams(this.#rest);
  }

  get clockOffsetMs(): number {
    return this.#rest.time.offsetMs;
  }

  measureClock(): Promise<number> {
    return this.#rest.time.measure();
  }

  call<Id extends EndpointId>(id: Id, ...[members]: Parameters<EndpointCalls[Id]>): ReturnType<EndpointCalls[Id]> {
    return this.#call(id, members) as ReturnType<EndpointCalls[Id]>;
  }

  subscribe<Name extends string>(
    channel: Name,
    handler: PushHandler<PushOf<Name>>,
    events: StreamEvents = {},
  ): StreamSubscription {
    return this.#streams.subscribe(channel, handler as PushHandler<never>, events);
  }

  book(symbol: string, options: BookOptions = {}): LocalBook {
    const onClosed = (): void => void this.#books.delete(book);
    const book = new LocalBook({ rest: this.#rest, streams: this.#streams, onClosed }, symbol, options);
    this.#books.add(book);
    return book;
  }

  async close(): Promise<void> {
    for (const book of [...this.#books]) book.close();
    await this.#streams.close();
    this.#rest.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #call(id: EndpointId, members: CallMembers = {}): Promise<unknown> {
    if (typeof members !== 'object' || members === null) throw new TypeError(`${id}: its members must be an object`);
    const found = this.#outcomes as unknown as Record<string, (asked: CallMembers) => Promise<unknown>>;
    if (carefulCalls.has(id)) return (found[id] as (asked: CallMembers) => Promise<unknown>).call(found, members);
    try {
      return await this.#rest.call(id, members);
    } catch (error) {
      if (!(error instanceof BourseError && error.isLost) || endpoints.get(id)?.isRepeatable !== false) throw error;
      const { endpoint, status, code } = error;
      throw new UnknownOutcome(
        { endpoint, status, code, detail: 'no answer tells what became of it', cause: error },
        null,
      );
    }
  }
}

/** Calls whose outcome is looked for. */
const carefulCalls: ReadonlySet<EndpointId> = new Set(['placeOrder', 'placeOrders', 'cancelOrder', 'withdraw']);

for (const id of endpoints.keys()) {
  Object.defineProperty(Client.prototype, id, {
    value(this: Client, members?: never) {
      return this.call(id as EndpointId, ...([members] as never));
    },
    enumerable: true,
  });
}

/** A client of an exchange, for one account or for none. */
export type BourseClient = ClientMembers & EndpointCalls;

/**
 * Makes a client: every endpoint is a method of its name in the reference, which takes its parameters as an object and
 * answers what the endpoint does, out of its envelope. DEC-KIT-84.
 * @throws TypeError by the name of an option that cannot be used
 */
export const BourseClient: new (options?: ClientOptions) => BourseClient = Client as unknown as new (
  options?: ClientOptions,
) => BourseClient;
