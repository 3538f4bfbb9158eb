import type { StreamSocketClass } from '#client/client-options.ts';
import { ListenKey } from '#client/listen-key.ts';
import type { Rest } from '#client/rest.ts';
import { StreamConnection } from '#client/stream-connection.ts';
import { Listener, type PushHandler, type StreamEvents, type StreamSubscription } from '#client/subscription.ts';

/** Closed because a listen key ended. */
const keyEnded = 1008;

/**
 * Subscriptions of a client: public channels share connections, private ones have another one, with a listen key.
 * DEC-KIT-88.
 */
export class Streams {
  readonly #rest: Rest;
  readonly #public: StreamConnection[] = [];
  readonly #key: ListenKey;
  readonly #private: StreamConnection;

  constructor(rest: Rest) {
    this.#rest = rest;
    this.#key = new ListenKey(rest, () => this.#private.cut('the listen key ended'));
    this.#private = new StreamConnection({
      pauses: rest.pauses,
      socketClass: () => this.#socketClass(),
      url: async () => `${this.#address}&listenKey=${await this.#key.get()}`,
      // Browsers do not say why a connection was refused.
      onLost: ({ wasOpen, code }) => {
        if (!wasOpen || code === keyEnded) this.#key.doubt();
      },
    });
  }

  /** @throws TypeError where the channel is private and there is no key */
  subscribe(channel: string, handler: PushHandler<never>, events: StreamEvents): StreamSubscription {
    if (typeof channel !== 'string' || !/^[\w@.+:-]{1,128}$/.test(channel))
      throw new TypeError('subscribe: the channel must be a name such as those that channels makes');
    if (typeof handler !== 'function') throw new TypeError('subscribe: the handler must be a function');
    if (this.#rest.pauses.isOver) throw new TypeError('subscribe: the client is closed');
    const isPrivate = channel.startsWith('spot@private.');
    if (isPrivate && this.#rest.options.apiKey === '')
      throw new TypeError(`${channel}: it needs an apiKey and a secretKey`);
    const connection = isPrivate ? this.#private : this.#publicFor(channel);
    const listener = new Listener(channel, handler, events, this.#rest.options.onError);
    connection.add(listener);
    return { channel, ready: listener.ready, close: () => connection.remove(listener) };
  }

  /** Ends all connections, and the listen key. */
  async close(): Promise<void> {
    for (const connection of [...this.#public, this.#private]) connection.close();
    await this.#key.close();
  }

  get #address(): string {
    const { wsUrl, encoding } = this.#rest.options;
    return `${wsUrl}?encoding=${encoding}`;
  }

  #publicFor(channel: string): StreamConnection {
    const found =
      this.#public.find((connection) => connection.has(channel)) ??
      this.#public.find((connection) => connection.hasRoomFor(channel));
    if (found !== undefined) return found;
    const connection = new StreamConnection({
      pauses: this.#rest.pauses,
      socketClass: () => this.#socketClass(),
      url: async () => this.#address,
    });
    this.#public.push(connection);
    return connection;
  }

  /** The class that was given, the machine's own, or in Node 20, which has none, that of the package `ws`. */
  async #socketClass(): Promise<StreamSocketClass> {
    const own = (globalThis as { WebSocket?: unknown }).WebSocket as StreamSocketClass | undefined;
    return this.#rest.options.WebSocket ?? own ?? ((await import('ws')).WebSocket as unknown as StreamSocketClass);
  }
}
