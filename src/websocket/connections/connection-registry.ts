import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { SetTimer } from '#base/clock.ts';
import { unknownListenKey } from '#http/errors.ts';
import { wireLimits } from '#http/limits.ts';
import { securityHeaderLines } from '#http/fixed-headers.ts';
import type { AccountId } from '#model/units.ts';
import type { ClientAddress } from '#http/client-address.ts';
import type { RateLimits } from '#http/rate-limits.ts';
import { retryAfterSeconds as retryAfterSecondsOf } from '#http/weight-budget.ts';
import {
  Connection,
  type ConnectionIdentity,
  type ConnectionParts,
  type Ending,
} from '#websocket/connections/connection.ts';
import type { ListenKeyRegistry } from '#websocket/connections/listen-key-registry.ts';
import { AddressBudgets } from '#websocket/connections/request-budget.ts';
import { RequestTurns } from '#websocket/connections/request-turns.ts';
import {
  isOriginAllowed,
  readUpgrade,
  refuseUpgrade,
  transportRefusal,
  type UpgradeRefusal,
} from '#websocket/connections/upgrade.ts';

const limits = wireLimits.streams;

/** Settings of streams. */
export interface StreamSettings {
  /** False lifts caps, the limit of messages, and bans. */
  readonly rateLimits: boolean;
  readonly connectionsMax: number;
  readonly connectionsPerAddressMax: number;
  /** Origins of pages that may connect; empty: any, because the listen key is what authorises. */
  readonly allowedOrigins: readonly string[];
}

/** What the registry needs. */
export interface ConnectionRegistryParts {
  readonly settings: StreamSettings;
  readonly limits: RateLimits;
  readonly listenKeys: ListenKeyRegistry;
  readonly setTimer: SetTimer;
  readonly connection: Omit<ConnectionParts, 'onEnd' | 'isLimited' | 'setTimer' | 'budgets' | 'turns'>;
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
  denied: { status: 403, text: 'Access denied.' },
  origin: { status: 403, text: 'Pages of this origin may not connect.' },
  invalidKey: { status: 401, text: unknownListenKey.message },
  elsewhere: { status: 403, text: 'The API key that made this listen key is bound to other addresses.' },
  fullKey: {
    status: 429,
    text: `A listen key carries at most ${limits.connectionsPerListenKey} connections.`,
    retryAfterSeconds,
  },
  tooOften: { status: 429, text: 'This address connects too often.' },
  tooMany: { status: 429, text: 'Too many connections of this address.', retryAfterSeconds },
  full: { status: 503, text: 'No more connections are taken now.' },
} as const satisfies Record<string, UpgradeRefusal>;

/** Why a listen key does not open a connection. */
const keyRefusals = { full: refusals.fullKey, invalid: refusals.invalidKey, elsewhere: refusals.elsewhere } as const;

const banned = (seconds: number | null): UpgradeRefusal => ({
  status: 418,
  text: 'This address is banned.',
  retryAfterSeconds: seconds,
});

/** A handshake counts as so many small requests for the turn that it is made in. */
const handshakeEffort = 12;

/** The open connections: admits them within the limits, runs their timers, and ends them at shutdown. */
export class ConnectionRegistry {
  private readonly parts: ConnectionRegistryParts;
  private readonly connectionParts: ConnectionParts;
  private readonly webSockets: WebSocketServer;
  private readonly connections = new Set<Connection>();
  private readonly budgets: AddressBudgets;
  private readonly turns = new RequestTurns();
  private readonly byKeyHash = new Map<string, Set<Connection>>();
  private readonly slotsByAddress = new Map<string, number>();
  /** Reserved slots: open connections and pending handshakes. */
  private reserved = 0;
  /** Connections so far, those included that failed to open. */
  private opened = 0;
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
    this.budgets = new AddressBudgets(parts.settings.connectionsPerAddressMax);
    this.connectionParts = {
      ...parts.connection,
      budgets: this.budgets,
      turns: this.turns,
      isLimited: parts.settings.rateLimits,
      setTimer: parts.setTimer,
      onEnd: (connection) => this.remove(connection),
    };
  }

  /** Refuses an upgrade, or makes it a connection. DEC-STR-09. */
  async admit(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const refusal = this.refusalOf(request) ?? transportRefusal(request);
    if (refusal !== null) return this.refuse(request, socket, refusal);
    const query = readUpgrade(request);
    if ('status' in query) return this.refuse(request, socket, query);
    const { listenKey, encoding } = query;
    const client = this.parts.limits.clientOf(request);
    const { bucket: address } = client;
    if (!this.reserveSlot(address))
      return this.refuse(request, socket, this.isFull() ? refusals.full : refusals.tooMany);
    let account: AccountId | null = null;
    let keyHash: string | null = null;
    let accessKey: string | null = null;
    try {
      await this.turns.enter(address, handshakeEffort);
      if (listenKey !== null) {
        const grant = await this.parts.listenKeys.acquire(listenKey, client);
        if (grant.kind !== 'open') {
          this.releaseSlot(address);
          return this.refuse(request, socket, keyRefusals[grant.kind]);
        }
        ({ account, keyHash, accessKey } = grant);
      }
    } catch (error) {
      this.releaseSlot(address);
      throw error;
    }
    const refused = this.interceptedRefusal({ client, account, accessKey });
    if (refused !== null) {
      this.releaseSlot(address);
      if (keyHash !== null) this.parts.listenKeys.release(keyHash);
      return this.refuse(request, socket, refused);
    }
    this.opened += 1;
    this.open(request, socket, head, { number: this.opened, client, account, keyHash, accessKey, encoding });
  }

  /** Refuses an upgrade, and shows that to a sandbox's log. */
  private refuse(request: IncomingMessage, socket: Duplex, refusal: UpgradeRefusal): void {
    refuseUpgrade(socket, refusal);
    const { observer } = this.parts.connection;
    if (observer?.isOn !== true) return;
    const { text: address } = this.parts.limits.clientOf(request);
    const { status, text, fault = null } = refusal;
    observer.happened(
      { connection: null, account: null, accessKey: null, address },
      { kind: 'refused', status, text, fault },
    );
  }

  /** Why a fault of a sandbox refuses an upgrade; `null`: none does. DEC-KIT-33. */
  private interceptedRefusal({
    client,
    ...subject
  }: Pick<ConnectionIdentity, 'client' | 'account' | 'accessKey'>): UpgradeRefusal | null {
    const { interceptor } = this.parts.connection;
    if (interceptor?.isArmed !== true) return null;
    return interceptor.refusesUpgrade({ ...subject, connection: null, address: client.text });
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
    const client = addressLimits.clientOf(request);
    const now = connection.monotonic.now();
    const refusal = addressLimits.refusalOf(client, addressLimits.windows.now());
    if (refusal !== null) {
      const { retryAfterSeconds } = refusal;
      return refusal.why === 'banned' ? banned(retryAfterSeconds) : { ...refusals.denied, retryAfterSeconds };
    }
    return (
      this.frequencyRefusal(client, now) ?? (isOriginAllowed(request, settings.allowedOrigins) ? null : refusals.origin)
    );
  }

  /** Refuses addresses that connect again and again; those that do not wait climb the ban ladder. DEC-STR-102. */
  private frequencyRefusal(client: ClientAddress, now: number): UpgradeRefusal | null {
    const waitMs = this.parts.settings.rateLimits ? this.budgets.upgradeWaitMs(client.bucket, now) : 0;
    if (waitMs === 0) return null;
    const seconds = retryAfterSecondsOf(waitMs);
    const { limits: addressLimits } = this.parts;
    const bannedSeconds = addressLimits.recordRetryAfter(client, seconds * 1000, addressLimits.windows.now());
    return bannedSeconds === null ? { ...refusals.tooOften, retryAfterSeconds: seconds } : banned(bannedSeconds);
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
      void this.parts.listenKeys.check();
      const now = monotonic.now();
      const exchangeNow = clock.now();
      for (const connection of this.connections) {
        if (this.parts.limits.isBannedByOperators(connection.identity.client)) connection.end('banned');
        else connection.check(now, exchangeNow);
      }
      this.cancelCheck = this.connections.size > 0 ? this.scheduleCheck() : null;
    });
  }
}
