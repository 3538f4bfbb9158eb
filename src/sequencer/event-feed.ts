import type { EventSink } from '#model/events.ts';

/** How durable events reach projections and streams: every subscriber sees each entry's events, in order, once. */
export interface EventFeed {
  /** Delivers from the next entry on. Answers what ends the subscription. A subscriber must not throw. */
  subscribe(sink: EventSink): () => void;
}
