import type { BanView } from '#model/ban.ts';

/** Settings of every port, by their names in the configuration. */
export interface HttpSettings {
  readonly trustedProxies: readonly string[];
  readonly deniedAddresses: readonly string[];
  /** False disables budgets, bans, the firewall's count of faults and connection caps. */
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

/** The log of the HTTP floor; it never gets secrets, signatures or bodies. */
export interface HttpLog {
  debug(fields: object, text: string): void;
  info(fields: object, text: string): void;
  warn(fields: object, text: string): void;
  error(fields: object, text: string): void;
}

/** Makes a ban durable. If it rejects, the ban ends with the process. */
export type StoreBan = (ban: BanView) => Promise<unknown>;
