import { monotonicClock } from '#base/clock.ts';
import { BourseError } from '#client/bourse-error.ts';
import type { StreamSocket, StreamSocketClass } from '#client/client-options.ts';
import type { Pauses } from '#client/pauses.ts';
import { isLimit, isNotTakenUp, jsonOf } from '#client/read-answer.ts';
import { readJsonPush, readProtobufPush } from '#client/read-push.ts';
import { jittered } from '#client/sign-text.ts';
import type { Listener } from '#client/subscription.ts';

const pingEveryMs = 15_000;
/** Three pings without an answer: the connection is dead, even if nobody says so. */
const silentMs = 45_000;
/** An opening, or a reply, takes no longer. */
const replyMs = 10_000;
const firstPauseMs = 250;
const longestPauseMs = 10_000;
/** Channels of one connection, at most. */
export const channelsMax = 30;

/** A channel, and who listens to it. */
interface Topic {
  readonly listeners: Set<Listener>;
  /** It was asked for on this connection, and was it confirmed. */
  isAsked: boolean;
  isOpen: boolean;
}

/** What was asked for and has no reply yet. */
interface Asked {
  readonly channels: readonly string[];
  readonly at: number;
}

/** What a connection needs. */
export interface ConnectionParts {
  readonly pauses: Pauses;
  socketClass(): Promise<StreamSocketClass>;
  /** The address of the next connection. */
  url(): Promise<string>;
  /** A connection ended. */
  onLost?(why: { readonly wasOpen: boolean; readonly code: number }): void;
}

/**
 * A websocket that connects again whenever it is lost, and subscribes again to its channels. It has a connection only
 * while somebody listens. DEC-KIT-88.
 */
export class StreamConnection {
  readonly #parts: ConnectionParts;
  readonly #topics = new Map<string, Topic>();
  readonly #asked = new Map<number, Asked>();
  #socket: StreamSocket | null = null;
  #isConnecting = false;
  #isOpen = false;
  #isSyncing = false;
  #lastId = 0;
  #failures = 0;
  #heardAt = 0;
  #endPause: (() => void) | null = null;
  #endWatch: (() => void) | null = null;

  constructor(parts: ConnectionParts) {
    this.#parts = parts;
  }

  /** Whether one more channel may be added, or it is there. */
  hasRoomFor(channel: string): boolean {
    return this.#topics.has(channel) || this.#topics.size < channelsMax;
  }

  has(channel: string): boolean {
    return this.#topics.has(channel);
  }

  add(listener: Listener): void {
    const topic = this.#topics.get(listener.channel) ?? { listeners: new Set(), isAsked: false, isOpen: false };
    this.#topics.set(listener.channel, topic);
    topic.listeners.add(listener);
    // Whoever subscribes has the subscription by then.
    if (topic.isOpen) queueMicrotask(() => listener.opened());
    this.#syncSoon();
  }

  remove(listener: Listener): void {
    const topic = this.#topics.get(listener.channel);
    if (topic?.listeners.delete(listener) !== true) return;
    listener.closed();
    this.#syncSoon();
  }

  /** Cuts the connection: it is made again. */
  cut(why: string): void {
    if (this.#socket !== null) this.#lost(this.#socket, why, 0);
  }

  close(): void {
    for (const { listeners } of this.#topics.values()) for (const listener of listeners) listener.closed();
    this.#topics.clear();
    this.#drop();
  }

  /** What changed in one turn is asked for at once. */
  #syncSoon(): void {
    if (this.#isSyncing) return;
    this.#isSyncing = true;
    queueMicrotask(() => {
      this.#isSyncing = false;
      this.#sync();
    });
  }

  #sync(): void {
    const gone = [...this.#topics].filter(([, { listeners }]) => listeners.size === 0);
    for (const [channel] of gone) this.#topics.delete(channel);
    if (this.#topics.size === 0) {
      this.#drop();
      return;
    }
    if (!this.#isOpen) {
      void this.#connect();
      return;
    }
    this.#ask(
      'UNSUBSCRIPTION',
      gone.filter(([, { isAsked }]) => isAsked).map(([channel]) => channel),
    );
    const added = [...this.#topics].filter(([, { isAsked }]) => !isAsked);
    for (const [, topic] of added) topic.isAsked = true;
    this.#ask(
      'SUBSCRIPTION',
      added.map(([channel]) => channel),
    );
  }

  #ask(method: string, channels: readonly string[]): void {
    if (channels.length === 0) return;
    this.#lastId += 1;
    if (method === 'SUBSCRIPTION') this.#asked.set(this.#lastId, { channels, at: monotonicClock.now() });
    this.#socket?.send(JSON.stringify({ id: this.#lastId, method, params: channels }));
  }

  async #connect(): Promise<void> {
    if (this.#isConnecting || this.#socket !== null || this.#endPause !== null || this.#parts.pauses.isOver) return;
    this.#isConnecting = true;
    try {
      const Socket = await this.#parts.socketClass();
      const url = await this.#parts.url();
      if (this.#topics.size > 0 && !this.#parts.pauses.isOver) this.#listen(new Socket(url));
    } catch (error) {
      this.#failed(error);
    } finally {
      this.#isConnecting = false;
    }
  }

  /** There was no address to connect to. */
  #failed(error: unknown): void {
    const mayPass = error instanceof BourseError && (error.isLost || isLimit(error) || isNotTakenUp(error));
    if (mayPass) {
      this.#pause();
      return;
    }
    // Such as a key that may not make listen keys: trying again would be refused again.
    for (const { listeners } of this.#topics.values())
      for (const listener of listeners) listener.refused('it cannot be connected to', error);
    this.#topics.clear();
  }

  #listen(socket: StreamSocket): void {
    const isCurrent = (): boolean => socket === this.#socket;
    this.#socket = socket;
    this.#heardAt = monotonicClock.now();
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => {
      if (!isCurrent()) return;
      this.#isOpen = true;
      this.#heardAt = monotonicClock.now();
      this.#watch(socket);
      this.#sync();
    };
    socket.onmessage = ({ data }: { data: unknown }) => {
      if (isCurrent()) this.#hear(socket, data);
    };
    // What went wrong is told to nobody but the network's own console; the end follows.
    socket.onerror = () => {};
    socket.onclose = ({ code, reason }: { code: number; reason: string }) =>
      this.#lost(socket, `closed with ${code}${reason === '' ? '' : `: ${reason}`}`, code);
    this.#watch(socket);
  }

  /** Asks for a sign of life again and again, and ends a connection that gives none. */
  #watch(socket: StreamSocket): void {
    this.#endWatch?.();
    this.#endWatch = this.#parts.pauses.after(this.#isOpen ? pingEveryMs : replyMs, () => {
      if (this.#parts.pauses.isOver) return;
      const now = monotonicClock.now();
      if (!this.#isOpen) this.#lost(socket, 'it was not opened in time', 0);
      else if (now - this.#heardAt > silentMs) this.#lost(socket, 'nothing was heard', 0);
      else if ([...this.#asked.values()].some(({ at }) => now - at > replyMs)) this.#lost(socket, 'no reply came', 0);
      else {
        socket.send(JSON.stringify({ method: 'PING' }));
        this.#watch(socket);
      }
    });
  }

  #hear(socket: StreamSocket, data: unknown): void {
    this.#heardAt = monotonicClock.now();
    const message = typeof data === 'string' ? jsonOf(data) : null;
    if (typeof data === 'string' && (typeof message !== 'object' || message === null)) {
      this.#lost(socket, 'a push could not be read', 0);
      return;
    }
    if (message !== null && !Object.hasOwn(message as object, 'channel')) {
      this.#takeReply(message as { id?: unknown; code?: unknown; msg?: unknown });
      return;
    }
    let push: ReturnType<typeof readJsonPush>;
    try {
      push = message === null ? readProtobufPush(new Uint8Array(data as ArrayBuffer)) : readJsonPush(message as object);
    } catch {
      // It may have been anything: what is missing from now on is not known.
      this.#lost(socket, 'a push could not be read', 0);
      return;
    }
    const listeners = this.#topics.get(push.head.channel)?.listeners ?? [];
    for (const listener of [...listeners]) listener.push(push.content, push.head);
  }

  /** A reply names the channels that were refused, if any was; then all others are subscribed to. */
  #takeReply({ id, code, msg }: { id?: unknown; code?: unknown; msg?: unknown }): void {
    const asked = this.#asked.get(Number(id));
    if (asked === undefined) return;
    this.#asked.delete(Number(id));
    const text = String(msg);
    const named = /^Not Subscribed[^[]*\[(.*?)\]/.exec(text)?.[1]?.split(',') ?? [];
    for (const channel of asked.channels) {
      const topic = this.#topics.get(channel);
      if (topic === undefined) continue;
      if (code !== 0 || named.includes(channel)) {
        this.#topics.delete(channel);
        for (const listener of [...topic.listeners])
          listener.refused(code === 0 ? 'the exchange has no such channel' : text);
        continue;
      }
      this.#failures = 0;
      topic.isOpen = true;
      for (const listener of [...topic.listeners]) listener.opened();
    }
    this.#syncSoon();
  }

  #lost(socket: StreamSocket, why: string, code: number): void {
    if (socket !== this.#socket) return;
    const wasOpen = this.#isOpen;
    this.#drop({ isDead: true });
    this.#parts.onLost?.({ wasOpen, code });
    if (this.#parts.pauses.isOver || this.#topics.size === 0) return;
    this.#pause();
    for (const topic of [...this.#topics.values()]) {
      const { isOpen } = topic;
      topic.isOpen = false;
      if (isOpen) for (const listener of [...topic.listeners]) listener.lost(why);
    }
  }

  /** Connects again after a while, longer with each failure. */
  #pause(): void {
    const ms = jittered(Math.min(longestPauseMs, firstPauseMs * 2 ** this.#failures));
    this.#failures = Math.min(this.#failures + 1, 10);
    this.#endPause?.();
    this.#endPause = this.#parts.pauses.after(ms, () => {
      this.#endPause = null;
      if (this.#topics.size > 0) void this.#connect();
    });
  }

  /** Ends the socket, and what belongs to it. */
  #drop({ isDead }: { readonly isDead: boolean } = { isDead: false }): void {
    const socket = this.#socket;
    this.#socket = null;
    this.#isOpen = false;
    this.#asked.clear();
    this.#endWatch?.();
    this.#endPause?.();
    this.#endPause = null;
    for (const topic of this.#topics.values()) topic.isAsked = false;
    if (socket === null) return;
    // One that no longer answers would not be closed, but be waited for; browsers leave us no other way.
    const { terminate } = socket as StreamSocket & { terminate?: () => void };
    if (isDead && terminate !== undefined) terminate.call(socket);
    else socket.close();
  }
}
