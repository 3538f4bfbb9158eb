import { readPush } from '#web/data/streams/push-reader.ts';
import type { Push } from '#web/data/streams/pushes.ts';
import type { StreamState } from '#web/data/streams/stream-messages.ts';

const pingMs = 20_000;
const firstWaitMs = 500;
const longestWaitMs = 8000;
/** Without a sign of life for so long the connection is taken to be dead. */
const silenceMs = 45_000;

interface StreamSocketParts {
  readonly url: string;
  readonly onPush: (push: Push) => void;
  readonly onState: (state: StreamState) => void;
  /** The connection stands, and its channels are subscribed to. */
  readonly onOpen: () => void;
}

/** A websocket that subscribes to its channels, and to all of them again after it was lost. */
export class StreamSocket {
  private readonly parts: StreamSocketParts;
  private readonly channels = new Set<string>();
  private socket: WebSocket | null = null;
  private waitMs = firstWaitMs;
  private timer: ReturnType<typeof setTimeout> | null = null;
  private pings: ReturnType<typeof setInterval> | null = null;
  private heardAt = 0;
  private wasOpen = false;
  private isClosed = false;

  constructor(parts: StreamSocketParts) {
    this.parts = parts;
  }

  /** Adds a channel; the connection is made with the first one. */
  subscribe(channel: string): void {
    if (this.channels.has(channel)) return;
    this.channels.add(channel);
    if (this.socket === null && this.timer === null) this.connect();
    else this.send('SUBSCRIPTION', [channel]);
  }

  /** Takes a channel away; the connection ends with the last one. */
  unsubscribe(channel: string): void {
    if (!this.channels.delete(channel)) return;
    if (this.channels.size === 0) this.drop();
    else this.send('UNSUBSCRIPTION', [channel]);
  }

  /** Ends it for good. */
  close(): void {
    this.isClosed = true;
    this.channels.clear();
    this.drop();
  }

  private drop(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    const { socket } = this;
    this.socket = null;
    this.stopPings();
    socket?.close();
    this.wasOpen = false;
    this.parts.onState('closed');
  }

  private send(method: string, params: readonly string[]): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({ method, params }));
  }

  private connect(): void {
    this.timer = null;
    if (!this.wasOpen) this.parts.onState('connecting');
    const socket = new WebSocket(this.parts.url);
    socket.binaryType = 'arraybuffer';
    this.socket = socket;
    socket.onopen = () => {
      this.waitMs = firstWaitMs;
      this.wasOpen = true;
      this.heardAt = Date.now();
      this.send('SUBSCRIPTION', [...this.channels]);
      this.pings = setInterval(() => this.ping(socket), pingMs);
      this.parts.onState('open');
      this.parts.onOpen();
    };
    socket.onmessage = ({ data }: MessageEvent<ArrayBuffer | string>) => {
      this.heardAt = Date.now();
      if (typeof data !== 'string') this.parts.onPush(readPush(new Uint8Array(data)) as unknown as Push);
    };
    socket.onclose = () => {
      if (this.socket !== socket) return;
      this.socket = null;
      this.stopPings();
      if (this.isClosed) return;
      this.parts.onState(this.wasOpen ? 'lost' : 'connecting');
      this.timer = setTimeout(() => this.connect(), this.waitMs);
      this.waitMs = Math.min(this.waitMs * 2, longestWaitMs);
    };
  }

  private ping(socket: WebSocket): void {
    if (Date.now() - this.heardAt > silenceMs) socket.close();
    else this.send('PING', []);
  }

  private stopPings(): void {
    if (this.pings !== null) clearInterval(this.pings);
    this.pings = null;
  }
}
