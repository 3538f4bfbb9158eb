import type { TimestampMs } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { GatewayContext } from '#public-api/gateway-context.ts';
import type { Window } from '#history/history-store.ts';

/** Waits until history contains everything acknowledged before the query; resolves to the exchange's time. */
export async function awaitHistory(context: GatewayContext): Promise<number> {
  const { seq, at } = await context.queries.position();
  await context.awaitHistory(seq);
  return Math.max(at, context.clock.now());
}

/** The requested time window. `defaultMs`: its length without a start; `reachMs`: how far back it may start. */
export interface AskedWindow {
  readonly startTime?: number | undefined;
  readonly endTime?: number | undefined;
  readonly defaultMs: number;
  readonly reachMs: number;
}

/** Resolves the window; a start that is too early moves to the earliest allowed moment. DEC-ORD-26. */
export function windowOf(asked: AskedWindow, now: number): Window {
  const to = asked.endTime ?? now;
  const from = Math.max(asked.startTime ?? to - asked.defaultMs, now - asked.reachMs, 0);
  return { from: as<TimestampMs>(from), to: as<TimestampMs>(to) };
}
