import { signal } from '@preact/signals';
import { BourseClient, type StreamSocketClass, type StreamSubscription } from '#client/client.ts';
import type { ApiKeys } from '#web/data/clients.ts';
import { reasonOf } from '#web/data/refusal.ts';
import { Feed } from '#web/pages/docs/feed.ts';
import { exchange } from '#web/shell/exchange-facts.ts';

/** Whose private channels are heard. */
export interface ListeningAs extends ApiKeys {
  readonly name: string;
}

/** A channel that is listened to. */
export interface Heard {
  readonly channel: string;
  /** `null`: a public channel. */
  readonly as: ListeningAs | null;
  /** `asked`: not confirmed yet; `lost`: the connection is made again. */
  readonly state: 'asked' | 'open' | 'lost';
}

/** How pushes are encoded. */
export type Encoding = 'protobuf' | 'json';

/** Channels that the page listens to at a time: as many as a connection may have. */
export const heardMax = 30;

type Frame = string | Uint8Array;

/** A websocket that shows its frames before the client reads them. */
const tapped = (onFrame: (frame: Frame) => void): StreamSocketClass =>
  class extends WebSocket {
    constructor(url: string) {
      super(url);
      this.addEventListener('message', ({ data }: MessageEvent<string | ArrayBuffer>) =>
        onFrame(typeof data === 'string' ? data : new Uint8Array(data)),
      );
    }
  } as unknown as StreamSocketClass;

/** A client for public channels, or for those of an account. */
interface Ear {
  readonly client: BourseClient;
  frame: Frame;
  readonly subscriptions: Map<string, StreamSubscription>;
}

const keyOf = (channel: string, as: ListeningAs | null): string => `${as?.accessKey ?? ''} ${channel}`;

/** Channels that a page listens to, by the client that programs use. DEC-WEB-74. */
export class Listening {
  readonly feed = new Feed();
  readonly heard = signal<ReadonlyMap<string, Heard>>(new Map());
  readonly encoding = signal<Encoding>('protobuf');
  /** Why a channel was not subscribed to. */
  readonly fault = signal<string | null>(null);
  readonly #ears = new Map<string, Ear>();

  /** Whether it listens to a channel. */
  hears(channel: string, as: ListeningAs | null): boolean {
    return this.heard.value.has(keyOf(channel, as));
  }

  /** Begins to listen. */
  add(channel: string, as: ListeningAs | null): void {
    this.fault.value = null;
    if (this.hears(channel, as)) return;
    if (this.heard.value.size >= heardMax) {
      this.fault.value = `At most ${heardMax} channels at a time.`;
      return;
    }
    const ear = this.#earOf(as);
    const { name: who } = as ?? { name: '' };
    const { feed } = this;
    try {
      const subscription = ear.client.subscribe(
        channel,
        (content: unknown) => feed.add({ who, channel, content, raw: ear.frame }),
        {
          onReady: () => this.#mark({ channel, as, state: 'open' }),
          onGap: () => this.#mark({ channel, as, state: 'lost' }),
          onRefused: (error) => {
            this.#forget(channel, as);
            this.fault.value = `${channel}: ${reasonOf(error)}`;
          },
        },
      );
      ear.subscriptions.set(channel, subscription);
      this.heard.value = new Map(this.heard.value).set(keyOf(channel, as), { channel, as, state: 'asked' });
    } catch (error) {
      // A name that cannot be one: the error says so.
      this.#forget(channel, as);
      this.fault.value = (error as Error).message;
    }
  }

  /** Listens no more. */
  remove(channel: string, as: ListeningAs | null): void {
    this.#forget(channel, as);
  }

  /** Hears the same channels in another encoding. */
  encode(encoding: Encoding): void {
    if (encoding === this.encoding.value) return;
    const before = [...this.heard.value.values()];
    this.#closeEars();
    this.encoding.value = encoding;
    this.feed.clear();
    for (const { channel, as } of before) this.add(channel, as);
  }

  /** Ends all of it. */
  close(): void {
    this.#closeEars();
    this.feed.close();
  }

  #earOf(as: ListeningAs | null): Ear {
    const id = as?.accessKey ?? '';
    const known = this.#ears.get(id);
    if (known !== undefined) return known;
    const ear: Ear = {
      client: new BourseClient({
        baseUrl: location.origin,
        keyHeader: exchange.keyHeader,
        encoding: this.encoding.value,
        WebSocket: tapped((frame) => {
          ear.frame = frame;
        }),
        ...(as === null ? {} : { apiKey: as.accessKey, secretKey: as.secretKey }),
      }),
      frame: '',
      subscriptions: new Map(),
    };
    this.#ears.set(id, ear);
    return ear;
  }

  #mark(heard: Heard): void {
    const key = keyOf(heard.channel, heard.as);
    if (this.heard.value.has(key)) this.heard.value = new Map(this.heard.value).set(key, heard);
  }

  #forget(channel: string, as: ListeningAs | null): void {
    const id = as?.accessKey ?? '';
    const ear = this.#ears.get(id);
    ear?.subscriptions.get(channel)?.close();
    ear?.subscriptions.delete(channel);
    const left = new Map(this.heard.value);
    left.delete(keyOf(channel, as));
    this.heard.value = left;
    if (ear === undefined || ear.subscriptions.size > 0) return;
    // Its listen key ends with it.
    this.#ears.delete(id);
    void ear.client.close();
  }

  #closeEars(): void {
    for (const { client } of this.#ears.values()) void client.close();
    this.#ears.clear();
    this.heard.value = new Map();
  }
}
