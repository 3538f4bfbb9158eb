import type { IncomingMessage } from 'node:http';

/** The settings that streams obey. */
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
  /** What limits count: the client's address, of IPv6 its /64. */
  readonly address: string;
  /** A connection of the client was ended for too many messages. */
  flooded(): void;
}

/** What the gateway knows about who connects. */
export interface StreamAdmission {
  clientOf(request: IncomingMessage): StreamClient;
  /** A ban (418) or a firewall's refusal (403) of the client; `null`: it may come. */
  refusalOf(request: IncomingMessage): { readonly status: 403 | 418; readonly retryAfterSeconds: number | null } | null;
}
