import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { SetTimer } from '#base/clock.ts';
import { wireLimits } from '#api/limits.ts';
import { securityHeaderLines } from '#http/security-headers.ts';
import type { AccountId } from '#domain/units.ts';
import type { RateLimits } from '#http/rate-limits.ts';
import { Connection, type ConnectionIdentity, type ConnectionParts, type Ending } from '#streams/connection.ts';
import type { ListenKeyRegistry } from '#streams/listen-key-registry.ts';
import { isOriginAllowed, readUpgrade, refuseUpgrade, type UpgradeRefusal } from '#streams/upgrade.ts';
import type { StreamSettings } from '#streams/stream-settings.ts';

const limits = wireLimits.streams;

/** What the registry needs. */
export interface ConnectionRegistryParts {
  readonly settings: StreamSettings;
  readonly limits: RateLimits;
  readonly listenKeys: ListenKeyRegistry;
  readonly setTimer: SetTimer;
  readonly connection: Omit<ConnectionParts, 'onEnd' | 'isLimited' | 'setTimer'>;
}

/** Everything that a client could grow is bounded; nothing is left to the library's defaults. */
const webSocketOptions = {
  noServer: true,
  clientTracking: false,
  perMessageDeflate: false,
  autoPong: false,
  maxPayload: limits.messageBytes,
  maxFragments: limits.fragments,
  maxBufferedChunks: limits.chunks,
  /** Never reached: connections are cut earlier. */
  closeTimeout: 2 * limits.closeMs,
};

/** After this time the connection of a client that vanished has ended as silent, and its slot is free. */
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

/** The open connections: admits them within the limits, runs their timers, and ends them at shutdown. */
export class ConnectionRegistry {
  private readonly parts: ConnectionRegistryParts;
  private readonly connectionParts: ConnectionParts;
  private readonly webSockets: WebSocketServer;
  private readonly connections = new Set<Connection>();
  private readonly byKeyHash = new Map<string, Set<Connection>>();
  private readonly slotsByAddress = new Map<string, number>();
  /** Reserved slots: open connections and pending handshakes. */
  private reserved = 0;
  private isClosing = false;
  private onEmpty: (() => void) | null = null;
  private cancelCheck: (() => void) | null = null;

  constructor(parts: ConnectionRegistryParts) {
    this.parts = parts;
    this.webSockets = new WebSocketServer(webSocketOptions);
    this.webSockets.on('headers', (headers) => headers.push(...securityHeaderLines.trimEnd().split('\r\n')));
    this.webSockets.on('wsClientError', ({ message }, socket) => {
      refuseUpgrade(socket, { status: 400, text: `No websocket handshake: ${message}.` });
    });
    this.connectionParts = {
      ...parts.connection,
      isLimited: parts.settings.rateLimits,
      setTimer: parts.setTimer,
      onEnd: (connection) => this.remove(connection),
    };
  }

  /** Refuses an upgrade, or makes it a connection. DEC-STR-09. */
  async admit(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const query = readUpgrade(request);
    const refusal = 'status' in query ? query : this.refusalOf(request);
    if (refusal !== null) return refuseUpgrade(socket, refusal);
    const { listenKey, encoding } = query as Exclude<typeof query, UpgradeRefusal>;
    const client = this.parts.limits.clientOf(request);
    const { bucket: address } = client;
    if (!this.reserveSlot(address)) return refuseUpgrade(socket, this.isFull() ? refusals.full : refusals.tooMany);
    let account: AccountId | null = null;
    let keyHash: string | null = null;
    try {
      if (listenKey !== null) {
        const grant = await this.parts.listenKeys.acquire(listenKey);
        if (grant.kind !== 'open') {
          this.releaseSlot(address);
          return refuseUpgrade(socket, grant.kind === 'full' ? refusals.fullKey : refusals.invalidKey);
        }
        ({ account, keyHash } = grant);
      }
    } catch (error) {
      this.releaseSlot(address);
      throw error;
    }
    this.open(request, socket, head, { client, account, keyHash, encoding });
  }

  /** Ends every connection of a listen key. */
  closeKey(keyHash: string): void {
    for (const connection of this.byKeyHash.get(keyHash) ?? []) connection.end('keyClosed');
  }

  counts(): { readonly connections: number; readonly addresses: number; readonly listenKeys: number } {
    return {
      connections: this.connections.size,
      addresses: this.slotsByAddress.size,
      listenKeys: this.parts.listenKeys.size,
    };
  }

  /** Closes every connection and resolves when all have ended. */
  async close(): Promise<void> {
    this.isClosing = true;
    this.cancelCheck?.();
    this.cancelCheck = null;
    if (this.connections.size === 0) return;
    const empty = new Promise<void>((resolve) => {
      this.onEmpty = resolve;
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
    return this.reserved >= this.parts.settings.connectionsMax;
  }

  private reserveSlot(address: string): boolean {
    const { rateLimits, connectionsPerAddressMax } = this.parts.settings;
    const taken = this.slotsByAddress.get(address) ?? 0;
    if (rateLimits && (this.isFull() || taken >= connectionsPerAddressMax)) return false;
    this.slotsByAddress.set(address, taken + 1);
    this.reserved += 1;
    return true;
  }

  private releaseSlot(address: string): void {
    const taken = (this.slotsByAddress.get(address) ?? 1) - 1;
    if (taken === 0) this.slotsByAddress.delete(address);
    else this.slotsByAddress.set(address, taken);
    this.reserved -= 1;
  }

  private open(request: IncomingMessage, socket: Duplex, head: Buffer, identity: ConnectionIdentity): void {
    const {
      client: { bucket: address },
      keyHash,
    } = identity;
    const release = (): void => {
      this.releaseSlot(address);
      if (keyHash !== null) this.parts.listenKeys.release(keyHash);
    };
    if (socket.destroyed) {
      release();
      return;
    }
    // The websocket library itself answers a faulty handshake, and then closes the socket.
    socket.once('close', release);
    this.webSockets.handleUpgrade(request, socket, head, (webSocket) => {
      socket.removeListener('close', release);
      const connection = new Connection(webSocket, socket, identity, this.connectionParts);
      this.connections.add(connection);
      if (keyHash !== null) this.addToKey(keyHash, connection);
      this.parts.connection.metrics.connections(1);
      if (this.isClosing) connection.end('shutDown');
      else this.cancelCheck ??= this.scheduleCheck();
    });
  }

  private addToKey(keyHash: string, connection: Connection): void {
    const others = this.byKeyHash.get(keyHash);
    if (others === undefined) this.byKeyHash.set(keyHash, new Set([connection]));
    else others.add(connection);
  }

  private remove(connection: Connection): void {
    if (!this.connections.delete(connection)) return;
    const {
      client: { bucket: address },
      keyHash,
    } = connection.identity;
    this.releaseSlot(address);
    this.parts.connection.metrics.connections(-1);
    if (keyHash !== null) {
      this.parts.listenKeys.release(keyHash);
      const others = this.byKeyHash.get(keyHash);
      others?.delete(connection);
      if (others?.size === 0) this.byKeyHash.delete(keyHash);
    }
    if (this.connections.size === 0) this.onEmpty?.();
  }

  private endAll(why: Ending): void {
    for (const connection of this.connections) connection.end(why);
  }

  /** Checks every connection's timers once a second while there are connections. */
  private scheduleCheck(): () => void {
    return this.parts.setTimer(limits.checkMs, () => {
      const { clock, monotonic } = this.parts.connection;
      this.parts.listenKeys.check();
      const now = monotonic.now();
      const exchangeNow = clock.now();
      for (const connection of this.connections) connection.check(now, exchangeNow);
      this.cancelCheck = this.connections.size > 0 ? this.scheduleCheck() : null;
    });
  }
}
