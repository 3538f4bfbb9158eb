import type { TimestampMs } from '#model/units.ts';

/** An address that may not call until a wall-clock moment. */
export interface BanView {
  readonly address: string;
  readonly until: TimestampMs;
  /** Step of the ladder: how many bans within the ladder's memory, this one included. */
  readonly times: number;
}
