/** Settings of streams. */
export interface StreamSettings {
  /** False lifts caps, the limit of messages, and bans. */
  readonly rateLimits: boolean;
  readonly connectionsMax: number;
  readonly connectionsPerAddressMax: number;
  /** Origins of pages that may connect; empty: any, because the listen key is what authorises. */
  readonly allowedOrigins: readonly string[];
}
