import type { EventFeed } from '#sequencer/event-feed.ts';
import { type RateLimitParts, RateLimits } from '#http/rate-limits.ts';
import type { CommandIngress } from '#sequencer/command-ingress.ts';
import type { ExchangeQueries } from '#sequencer/queries/exchange-queries.ts';

/** What rate limits and the bans in them stand on. */
export interface RateLimitSources extends Omit<RateLimitParts, 'storeBan'> {
  readonly ingress: Pick<CommandIngress, 'post'>;
  readonly queries: Pick<ExchangeQueries, 'access'>;
}

/** Rate limits for all ports of the process: bans are stored by the exchange, and what is in force is known. */
export async function openRateLimits(
  sources: RateLimitSources,
  feed: Pick<EventFeed, 'subscribe'>,
): Promise<RateLimits> {
  const { ingress, queries } = sources;
  const limits = new RateLimits({
    ...sources,
    storeBan: ({ address, until, times }) => ingress.post({ kind: 'banAddress', address, until, times }),
  });
  feed.subscribe(limits.facts);
  const { access } = queries;
  limits.load({
    bans: await access.bans(),
    operatorBans: await access.operatorBans(),
    operatorLimits: await access.operatorRateLimits(),
  });
  return limits;
}
