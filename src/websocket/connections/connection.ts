import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Clock, SetTimer } from '#base/clock.ts';
import type { ChannelName } from '#websocket/channel.ts';
import { wireLimits } from '#http/limits.ts';
import type { AccountId } from '#model/units.ts';
import { cutSocket } from '#base/cut-socket.ts';
import type { ClientAddress } from '#http/client-address.ts';
import type { RateLimits } from '#http/rate-limits.ts';
import { frameOf } from '#websocket/connections/frame.ts';
import type { Outbox, Sender } from '#websocket/connections/outbox.ts';
import { readRequest, replies, type StreamRequest } from '#websocket/connections/protocol.ts';
import type { Encoding, Push, Receiver } from '#websocket/pushes/push.ts';
import type { StreamInterceptor, StreamObserver } from '#websocket/connections/stream-interception.ts';
import { createTouchedSending, type TouchedSending } from '#websocket/connections/touched-sending.ts';
import { type AddressBudgets, RequestBudget } from '#websocket/connections/request-budget.ts';
import type { RequestTurns } from '#websocket/connections/request-turns.ts';

const limits = wireLimits.streams;
const kibibyte = 1024;
/** So long requests count once more for the turn that handles them. */
const bytesPerEffort = 256;
/** Reserves space for control frames: a ping, a pong and a close of at most 127 bytes each. */
const waitingBytesMax = limits.bufferedBytes - 3 * 127;

/** Why the server ends a connection: close code and reason. RFC 6455, section 7.4. DEC-STR-16. */
export const endings = {
  shutDown: { code: 1001, reason: 'server is going away' },
  lifeOver: { code: 1001, reason: 'connected for 24 hours' },
  noChannel: { code: 1008, reason: 'no subscription for 30 seconds' },
  silent: { code: 1008, reason: 'no traffic for 60 seconds' },
  flood: { code: 1008, reason: 'too many messages' },
  keyClosed: { code: 1008, reason: 'listen key is no longer valid' },
  banned: { code: 1008, reason: 'this address is banned' },
  slow: { code: 1013, reason: 'reader is too slow' },
} as const;
export type Ending = keyof typeof endings;

/** Who is connected, and how. */
export interface ConnectionIdentity {
  /** Each connection of a process has another one. */
  readonly number: number;
  readonly client: ClientAddress;
  /** The account whose private channels may be subscribed to; `null`: public channels only. */
  readonly account: AccountId | null;
  readonly keyHash: string | null;
  /** The API key that made the listen key; `null`: there is none. */
  readonly accessKey: string | null;
  readonly encoding: Encoding;
}

/** What a connection subscribes to. */
export interface Subscriptions {
  /** The channel of that name, `null` if there is none for this account. */
  find(text: string, account: AccountId | null): ChannelName | null;
  /** Resolves when the channel can be joined; `null`: it can be joined now. */
  prepare(channel: ChannelName, receiver: Receiver, account: AccountId | null): Promise<void> | null;
  join(channel: ChannelName, receiver: Receiver, account: AccountId | null): void;
  /** Also undoes `prepare` of a channel that was not joined. */
  leave(channel: ChannelName, receiver: Receiver, account: AccountId | null): void;
}

/** Metrics of streams. Numbers are changes; the implementation sums them up. */
export interface StreamMetrics {
  /** Connections opened less those closed. */
  connections(change: number): void;
  /** Channels joined less those left, over all connections. */
  subscriptions(change: number): void;
  /** Frames and bytes handed to a socket. */
  sent(frames: number, bytes: number): void;
  slowReaderClosed(): void;
}

/** What all connections share. */
export interface ConnectionParts {
  readonly clock: Clock;
  readonly monotonic: Clock;
  readonly outbox: Outbox;
  readonly subscriptions: Subscriptions;
  readonly metrics: StreamMetrics;
  readonly limits: RateLimits;
  readonly budgets: AddressBudgets;
  readonly turns: RequestTurns;
  /** False lifts the limits of messages and of their weight. */
  readonly isLimited: boolean;
  readonly setTimer: SetTimer;
  /** What a sandbox touches and sees; absent elsewhere. */
  readonly interceptor?: StreamInterceptor | undefined;
  readonly observer?: StreamObserver | undefined;
  readonly onEnd: (connection: Connection) => void;
  readonly onTrouble: (what: string, error: unknown) => void;
}

const noFrames: Buffer[] = [];
const noRequests: string[] = [];

/** One client: its requests, channels and frames. Everything that the client can make grow is bounded. */
export class Connection implements Receiver, Sender {
  readonly identity: ConnectionIdentity;
  private readonly socket: Duplex;
  private readonly webSocket: WebSocket;
  private readonly parts: ConnectionParts;
  private readonly budget: RequestBudget;
  private readonly channels = new Map<string, ChannelName>();
  private frames: Buffer[] = noFrames;
  /** Bytes of `frames`, plus bytes in the socket's buffer when the first of them was queued. */
  private waitingBytes = 0;
  /** Requests queued behind one that is being handled; `null`: none is being handled. */
  private requests: string[] | null = null;
  /** Of a sandbox; `null` elsewhere. */
  private readonly touched: TouchedSending | null;
  private isEnding = false;
  /** Cancels the cut of the socket that follows a close frame unless the peer answers it. */
  private cancelCut: (() => void) | null = null;
  private readonly openedAt: number;
  private lastMessageAt: number;
  private lastTrafficAt: number;
  private pingedAt: number;
  /** When the last channel was left; meaningless while there is a channel. */
  private emptySince: number;
  private messageWindowEnd = 0;
  private messagesInWindow = 0;

  constructor(webSocket: WebSocket, socket: Duplex, identity: ConnectionIdentity, parts: ConnectionParts) {
    this.webSocket = webSocket;
    this.socket = socket;
    this.identity = identity;
    this.parts = parts;
    this.budget = new RequestBudget(parts.budgets, identity.client.bucket);
    this.openedAt = parts.clock.now();
    const now = parts.monotonic.now();
    this.lastMessageAt = now;
    this.lastTrafficAt = now;
    this.pingedAt = now;
    this.emptySince = now;
    this.touched = createTouchedSending(parts, identity, {
      heldBytesMax: waitingBytesMax,
      enqueue: (frame) => this.enqueue(frame),
      endWith: (code, text) => (code === null ? cutSocket(socket) : this.endWith(code, text)),
      endSlow: () => this.end('slow'),
    });
    // JSON text in either kind of frame, DEC-STR-12: some clients send binary ones only.
    webSocket.on('message', (data) => this.message(data as Buffer));
    webSocket.on('ping', (data) => this.pinged(data));
    webSocket.on('pong', () => this.countMessage(1));
    webSocket.on('error', () => this.stop());
    webSocket.on('close', (code, reason) => this.closed(code, String(reason)));
  }

  get channelCount(): number {
    return this.channels.size;
  }

  push(push: Push): void {
    if (this.touched === null) this.enqueue(push.frame(this.identity.encoding));
    else if (!this.isEnding) this.touched.push(push);
  }

  sendWaiting(join: (frames: readonly Buffer[]) => Buffer): void {
    const { frames } = this;
    if (frames.length === 0 || this.isEnding) return;
    this.frames = noFrames;
    this.lastTrafficAt = this.parts.monotonic.now();
    const bytes = frames.length === 1 ? (frames[0] as Buffer) : join(frames);
    this.socket.write(bytes);
    this.parts.metrics.sent(frames.length, bytes.length);
  }

  /** Ends the connection if a time limit has passed; pings a quiet client. SPEC-STR-07. Called about once a second. */
  check(now: number, exchangeNow: number): void {
    if (this.isEnding) return;
    if (exchangeNow - this.openedAt >= limits.lifeMs) this.end('lifeOver');
    else if (this.channels.size === 0 && now - this.emptySince >= limits.idleMs) this.end('noChannel');
    else if (now - this.lastTrafficAt >= limits.silentMs) this.end('silent');
    else if (now - Math.max(this.lastMessageAt, this.pingedAt) >= limits.pingMs) {
      this.pingedAt = now;
      this.webSocket.ping();
    }
  }

  /** Sends a close frame with the reason and stops pushing. Cuts the socket if the peer does not answer in time. */
  end(why: Ending): void {
    if (this.isEnding) return;
    const { code, reason } = endings[why];
    this.endWith(code, reason);
    if (why === 'slow') this.parts.metrics.slowReaderClosed();
  }

  /** As `end`, with a code and a reason of choice. */
  private endWith(code: number, reason: string): void {
    if (this.isEnding) return;
    this.writeLast();
    this.stop();
    this.webSocket.close(code, reason);
    this.cancelCut = this.parts.setTimer(limits.closeMs, () => cutSocket(this.socket));
  }

  /** Writes the queued frames before the close frame. */
  private writeLast(): void {
    if (this.frames.length > 0 && this.waitingBytes <= waitingBytesMax) this.socket.write(Buffer.concat(this.frames));
    this.frames = noFrames;
  }

  /** Leaves every channel; nothing is sent or handled any more. */
  private stop(): void {
    if (this.isEnding) return;
    this.isEnding = true;
    this.touched?.stop();
    this.frames = noFrames;
    this.requests = null;
    const { subscriptions, metrics } = this.parts;
    for (const channel of this.channels.values()) subscriptions.leave(channel, this, this.identity.account);
    metrics.subscriptions(-this.channels.size);
    this.channels.clear();
  }

  private closed(code: number, reason: string): void {
    this.touched?.saw({ kind: 'closed', code, reason });
    this.stop();
    this.cancelCut?.();
    this.cancelCut = null;
    this.parts.onEnd(this);
  }

  private enqueue(frame: Buffer): void {
    if (this.isEnding) return;
    if (this.frames.length === 0) {
      this.frames = [];
      this.waitingBytes = this.socket.writableLength;
      this.parts.outbox.add(this);
    }
    this.waitingBytes += frame.length;
    if (this.waitingBytes > waitingBytesMax) this.end('slow');
    else this.frames.push(frame);
  }

  /**
   * Counts a received message or control frame, and charges its bytes. False: a limit is exceeded and the connection
   * ends. DEC-STR-17, DEC-STR-100.
   */
  private countMessage(bytes: number): boolean {
    if (this.isEnding) return false;
    const now = this.parts.monotonic.now();
    this.lastMessageAt = now;
    this.lastTrafficAt = now;
    if (now >= this.messageWindowEnd) {
      this.messageWindowEnd = now + 1000;
      this.messagesInWindow = 0;
    }
    this.messagesInWindow += 1;
    if (!this.parts.isLimited) return true;
    const isWithin = this.messagesInWindow <= limits.messagesPerSecond;
    if (isWithin && (this.budget.spend(Math.ceil(bytes / kibibyte) || 1, now) || this.budget.mayGoOn())) return true;
    this.end('flood');
    // Whoever floods again and again climbs the ban ladder, as if told to wait.
    const { limits: addressLimits } = this.parts;
    addressLimits.recordRetryAfter(this.identity.client, limits.floodWaitMs, addressLimits.windows.now());
    return false;
  }

  /** Charges a subscription. False: it is refused, because the connection or its address spent what it may. */
  private affords({ channel }: ChannelName): boolean {
    return !this.parts.isLimited || this.budget.spend(channel.weight, this.parts.monotonic.now());
  }

  private pinged(data: Buffer): void {
    if (!this.countMessage(data.length)) return;
    if (this.socket.writableLength > waitingBytesMax) this.end('slow');
    else if (this.touched?.ignoresPing() !== true) this.webSocket.pong(data);
  }

  private message(data: Buffer): void {
    if (!this.countMessage(data.length)) return;
    const text = data.toString('utf8');
    this.touched?.saw({ kind: 'message', text });
    if (this.requests === null) this.work(text);
    else if (this.requests.length >= limits.requestsWaiting) this.end('flood');
    else if (this.requests === noRequests) this.requests = [text];
    else this.requests.push(text);
  }

  /** Handles a request. If it has to wait, handles the requests that arrived meanwhile after it. */
  private work(text: string): void {
    const turn = this.parts.turns.enter(this.identity.client.bucket, Math.ceil((text.length + 1) / bytesPerEffort));
    const waiting = turn === null ? this.answer(text) : turn.then(() => this.answer(text));
    if (waiting === null) return;
    this.requests = noRequests;
    void waiting.then(() => {
      const waited = this.requests ?? noRequests;
      this.requests = null;
      for (const [index, next] of waited.entries()) {
        if (this.isEnding) return;
        this.work(next);
        if (this.requests === null) continue;
        this.requests = waited.slice(index + 1);
        return;
      }
    });
  }

  private answer(text: string): Promise<void> | null {
    if (this.isEnding) return null;
    const request = readRequest(text);
    if (request.method === null) this.reply(replies.malformed(request));
    else if (request.method === 'PING') this.answerPing(request.id);
    else if (request.method === 'UNSUBSCRIPTION') this.unsubscribe(request);
    else return this.subscribe(request);
    return null;
  }

  private answerPing(id: number): void {
    if (this.touched?.ignoresPing() !== true) this.reply(replies.pong(id));
  }

  private reply(text: string): void {
    const frame = frameOf('text', Buffer.from(text, 'utf8'));
    if (this.touched === null) this.enqueue(frame);
    else this.touched.reply(text, frame);
  }

  /** The acknowledgement is sent before the first push of the channels that it acknowledges. DEC-STR-05, DEC-STR-15. */
  private subscribe(request: StreamRequest): Promise<void> | null {
    const { subscriptions } = this.parts;
    const { account } = this.identity;
    const wanted: ChannelName[] = [];
    const refused: string[] = [];
    for (const text of request.channels) {
      if (this.channels.has(text)) continue;
      const channel = subscriptions.find(text, account);
      const isRoom = this.channels.size + wanted.length < limits.channels;
      if (channel !== null && isRoom && this.affords(channel)) wanted.push(channel);
      else refused.push(text);
    }
    const preparations = wanted
      .map((channel) => ({ channel, ready: subscriptions.prepare(channel, this, account) }))
      .filter(({ ready }) => ready !== null);
    if (preparations.length === 0) {
      this.join(request, wanted, refused);
      return null;
    }
    return this.joinPrepared(request, wanted, refused, preparations);
  }

  private async joinPrepared(
    request: StreamRequest,
    wanted: readonly ChannelName[],
    refused: string[],
    preparations: readonly { readonly channel: ChannelName; readonly ready: Promise<void> | null }[],
  ): Promise<void> {
    const failed: ChannelName[] = [];
    for (const { channel, ready } of preparations) {
      try {
        await ready;
      } catch (error) {
        this.parts.onTrouble('preparing a channel', error);
        failed.push(channel);
      }
    }
    const { subscriptions } = this.parts;
    const { account } = this.identity;
    const takenBack = this.isEnding ? preparations.map(({ channel }) => channel) : failed;
    for (const channel of takenBack) subscriptions.leave(channel, this, account);
    if (this.isEnding) return;
    refused.push(...failed.map(({ text }) => text));
    this.join(
      request,
      wanted.filter((channel) => !failed.includes(channel)),
      refused,
    );
  }

  private join(request: StreamRequest, accepted: readonly ChannelName[], refused: readonly string[]): void {
    this.reply(replies.subscribed(request.id, request.channels, refused));
    if (this.isEnding) return;
    for (const channel of accepted) {
      this.channels.set(channel.text, channel);
      this.parts.metrics.subscriptions(1);
      this.parts.subscriptions.join(channel, this, this.identity.account);
      if (this.isEnding) return;
    }
  }

  private unsubscribe(request: StreamRequest): void {
    for (const text of request.channels) {
      const channel = this.channels.get(text);
      if (channel === undefined) continue;
      this.parts.subscriptions.leave(channel, this, this.identity.account);
      this.channels.delete(text);
      this.parts.metrics.subscriptions(-1);
      if (this.channels.size === 0) this.emptySince = this.parts.monotonic.now();
    }
    this.reply(replies.unsubscribed(request.id, request.channels));
  }
}
