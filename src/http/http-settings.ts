import type { BanView } from '#domain/ban.ts';

/** The settings that every port of the process obeys, by the names of the configuration. */
export interface HttpSettings {
  readonly trustedProxies: readonly string[];
  readonly deniedAddresses: readonly string[];
  /** False lifts budgets, bans, the count of faults and connection caps. */
  readonly rateLimits: boolean;
  readonly connectionsMax: number;
  readonly connectionsPerAddressMax: number;
  readonly banAfter: number;
  readonly banFirstSeconds: number;
  readonly banMostSeconds: number;
  readonly banMemoryHours: number;
  /** Whether addresses of this machine can be banned. */
  readonly banLoopback: boolean;
  readonly faultsPerWindow: number;
}

/** Where HTTP tells people what happened; never a secret, a signature or a body. */
export interface HttpLog {
  debug(fields: object, text: string): void;
  info(fields: object, text: string): void;
  warn(fields: object, text: string): void;
  error(fields: object, text: string): void;
}

/** Makes a ban durable. Rejects when that failed: the ban ends with the process then. */
export type StoreBan = (ban: BanView) => Promise<unknown>;
