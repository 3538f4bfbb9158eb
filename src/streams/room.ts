import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { wireLimits } from '#api/limits.ts';
import { securityHeaderLines } from '#http/security-headers.ts';
import type { AccountId } from '#domain/units.ts';
import type { RateLimits } from '#http/rate-limits.ts';
import type { Later } from '#streams/cadence.ts';
import { Connection, type ConnectionIdentity, type ConnectionParts, type Ending } from '#streams/connection.ts';
import type { ListenKeyDoor } from '#streams/listen-key-door.ts';
import { isOriginAllowed, readUpgrade, refuseUpgrade, type UpgradeRefusal } from '#streams/upgrade.ts';
import type { StreamSettings } from '#streams/stream-settings.ts';

const limits = wireLimits.streams;

/** What the room stands on. */
export interface RoomParts {
  readonly settings: StreamSettings;
  readonly limits: RateLimits;
  readonly door: ListenKeyDoor;
  readonly later: Later;
  readonly connection: Omit<ConnectionParts, 'onEnd' | 'isLimited' | 'later'>;
}

/** Everything on which a client could lean is bounded, and nothing is left to the library's defaults. */
const webSocketOptions = {
  noServer: true,
  clientTracking: false,
  perMessageDeflate: false,
  autoPong: false,
  maxPayload: limits.messageBytes,
  maxFragments: limits.fragments,
  maxBufferedChunks: limits.chunks,
  /** Connections are cut before. */
  closeTimeout: 2 * limits.closeMs,
};

/** By then a place whose client is gone without a word is free again: its connection ends as silent. */
const retryAfterSeconds = limits.silentMs / 1000;

const refusals = {
  origin: { status: 403, text: 'Pages of this origin may not connect.' },
  invalidKey: { status: 401, text: "Parameter 'listenKey' is no valid listen key." },
  fullKey: {
    status: 429,
    text: `A listen key carries at most ${limits.connectionsPerListenKey} connections.`,
    retryAfterSeconds,
  },
  tooMany: { status: 429, text: 'Too many connections of this address.', retryAfterSeconds },
  full: { status: 503, text: 'No more connections are taken now.' },
} as const satisfies Record<string, UpgradeRefusal>;

/** The connections that are open: lets them in, looks after their timers, and shows them out. */
export class Room {
  private readonly parts: RoomParts;
  private readonly connectionParts: ConnectionParts;
  private readonly webSockets: WebSocketServer;
  private readonly connections = new Set<Connection>();
  private readonly ofKey = new Map<string, Set<Connection>>();
  private readonly ofAddress = new Map<string, number>();
  /** Places taken: connections, and those that are being let in. */
  private places = 0;
  private isClosing = false;
  private whenEmpty: (() => void) | null = null;
  private callOffCheck: (() => void) | null = null;

  constructor(parts: RoomParts) {
    this.parts = parts;
    this.webSockets = new WebSocketServer(webSocketOptions);
    this.webSockets.on('headers', (headers) => headers.push(...securityHeaderLines.trimEnd().split('\r\n')));
    this.webSockets.on('wsClientError', ({ message }, socket) => {
      refuseUpgrade(socket, { status: 400, text: `No websocket handshake: ${message}.` });
    });
    this.connectionParts = {
      ...parts.connection,
      isLimited: parts.settings.rateLimits,
      later: parts.later,
      onEnd: (connection) => this.left(connection),
    };
  }

  /** Decides about an upgrade and, if it may come, makes it a connection. DEC-STR-09. */
  async admit(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const query = readUpgrade(request);
    const refusal = 'status' in query ? query : this.refusalOf(request);
    if (refusal !== null) return refuseUpgrade(socket, refusal);
    const { listenKey, encoding } = query as Exclude<typeof query, UpgradeRefusal>;
    const client = this.parts.limits.clientOf(request);
    const { bucket: address } = client;
    if (!this.takePlace(address)) return refuseUpgrade(socket, this.isFull() ? refusals.full : refusals.tooMany);
    let account: AccountId | null = null;
    let keyHash: string | null = null;
    try {
      if (listenKey !== null) {
        const entrance = await this.parts.door.enter(listenKey);
        if (entrance.kind !== 'open') {
          this.givePlaceBack(address);
          return refuseUpgrade(socket, entrance.kind === 'full' ? refusals.fullKey : refusals.invalidKey);
        }
        ({ account, keyHash } = entrance);
      }
    } catch (error) {
      this.givePlaceBack(address);
      throw error;
    }
    this.open(request, socket, head, { client, account, keyHash, encoding });
  }

  /** Ends every connection of a listen key. */
  closeKey(keyHash: string): void {
    for (const connection of this.ofKey.get(keyHash) ?? []) connection.end('keyClosed');
  }

  counts(): { readonly connections: number; readonly addresses: number; readonly listenKeys: number } {
    return { connections: this.connections.size, addresses: this.ofAddress.size, listenKeys: this.parts.door.size };
  }

  /** Asks all to go and resolves when they are gone. */
  async close(): Promise<void> {
    this.isClosing = true;
    this.callOffCheck?.();
    this.callOffCheck = null;
    if (this.connections.size === 0) return;
    const empty = new Promise<void>((resolve) => {
      this.whenEmpty = resolve;
    });
    this.endAll('shutDown');
    await empty;
  }

  private refusalOf(request: IncomingMessage): UpgradeRefusal | null {
    const { limits: addressLimits, settings, connection } = this.parts;
    if (this.isClosing) return refusals.full;
    const refusal = addressLimits.refusalOf(addressLimits.clientOf(request), connection.monotonic.now());
    if (refusal !== null) {
      const { retryAfterSeconds } = refusal;
      return refusal.why === 'banned'
        ? { status: 418, text: 'This address is banned.', retryAfterSeconds }
        : { status: 403, text: 'Access denied.', retryAfterSeconds };
    }
    return isOriginAllowed(request, settings.allowedOrigins) ? null : refusals.origin;
  }

  private isFull(): boolean {
    return this.places >= this.parts.settings.connectionsMax;
  }

  private takePlace(address: string): boolean {
    const { rateLimits, connectionsPerAddressMax } = this.parts.settings;
    const taken = this.ofAddress.get(address) ?? 0;
    if (rateLimits && (this.isFull() || taken >= connectionsPerAddressMax)) return false;
    this.ofAddress.set(address, taken + 1);
    this.places += 1;
    return true;
  }

  private givePlaceBack(address: string): void {
    const taken = (this.ofAddress.get(address) ?? 1) - 1;
    if (taken === 0) this.ofAddress.delete(address);
    else this.ofAddress.set(address, taken);
    this.places -= 1;
  }

  private open(request: IncomingMessage, socket: Duplex, head: Buffer, identity: ConnectionIdentity): void {
    const {
      client: { bucket: address },
      keyHash,
    } = identity;
    const turnAway = (): void => {
      this.givePlaceBack(address);
      if (keyHash !== null) this.parts.door.leave(keyHash);
    };
    if (socket.destroyed) {
      turnAway();
      return;
    }
    // Whatever the websocket finds wrong with the handshake, it answers itself and then closes the socket.
    socket.once('close', turnAway);
    this.webSockets.handleUpgrade(request, socket, head, (webSocket) => {
      socket.removeListener('close', turnAway);
      const connection = new Connection(webSocket, socket, identity, this.connectionParts);
      this.connections.add(connection);
      if (keyHash !== null) this.keep(keyHash, connection);
      this.parts.connection.metrics.connections(1);
      if (this.isClosing) connection.end('shutDown');
      else this.callOffCheck ??= this.checkLater();
    });
  }

  private keep(keyHash: string, connection: Connection): void {
    const others = this.ofKey.get(keyHash);
    if (others === undefined) this.ofKey.set(keyHash, new Set([connection]));
    else others.add(connection);
  }

  private left(connection: Connection): void {
    if (!this.connections.delete(connection)) return;
    const {
      client: { bucket: address },
      keyHash,
    } = connection.identity;
    this.givePlaceBack(address);
    this.parts.connection.metrics.connections(-1);
    if (keyHash !== null) {
      this.parts.door.leave(keyHash);
      const others = this.ofKey.get(keyHash);
      others?.delete(connection);
      if (others?.size === 0) this.ofKey.delete(keyHash);
    }
    if (this.connections.size === 0) this.whenEmpty?.();
  }

  private endAll(why: Ending): void {
    for (const connection of this.connections) connection.end(why);
  }

  /** Looks at every timer once a second, as long as there is anybody. */
  private checkLater(): () => void {
    return this.parts.later(limits.checkMs, () => {
      const { clock, monotonic } = this.parts.connection;
      this.parts.door.check();
      const now = monotonic.now();
      const exchangeNow = clock.now();
      for (const connection of this.connections) connection.check(now, exchangeNow);
      this.callOffCheck = this.connections.size > 0 ? this.checkLater() : null;
    });
  }
}
