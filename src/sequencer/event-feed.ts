import type { EventSink } from '#model/events.ts';

/** How durable events reach projections and streams: every subscriber sees each entry's events, in order, once. */
export interface EventFeed {
  /**
   * Delivers from the next entry on the events that the sink has a method for. Answers what ends the subscription. A
   * subscriber must not throw.
   */
  subscribe(sink: Partial<EventSink>): () => void;
}
