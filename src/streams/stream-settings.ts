import type { IncomingMessage } from 'node:http';

/** Settings of streams. */
export interface StreamSettings {
  /** False lifts caps, the limit of messages, and bans. */
  readonly rateLimits: boolean;
  readonly connectionsMax: number;
  readonly connectionsPerAddressMax: number;
  /** Origins of pages that may connect; empty: any, because the listen key is what authorises. */
  readonly allowedOrigins: readonly string[];
}

/** Who connects. */
export interface StreamClient {
  /** Key of per-address limits: the client's IPv4 address or IPv6 /64 prefix. */
  readonly address: string;
  /** A connection of the client was ended for too many messages. */
  flooded(): void;
}

/** Bans and client addresses, as the gateway knows them. */
export interface StreamAdmission {
  clientOf(request: IncomingMessage): StreamClient;
  /** A ban (418) or a firewall's refusal (403) of the client; `null`: it may connect. */
  refusalOf(request: IncomingMessage): { readonly status: 403 | 418; readonly retryAfterSeconds: number | null } | null;
}
