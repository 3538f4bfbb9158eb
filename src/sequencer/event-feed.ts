import { noopSink } from '#model/event-record.ts';
import { eventNames, type EventSink } from '#model/events.ts';

/** How durable events reach projections and streams: every subscriber sees each entry's events, in order, once. */
export interface EventFeed {
  /**
   * Delivers from the next entry on the events that the sink has a method for. Answers what ends the subscription. A
   * subscriber must not throw.
   */
  subscribe(sink: Partial<EventSink>): () => void;
}

/** The method of a sink for one event. No event has more than seven parts. */
type Listener = (a: unknown, b: unknown, c: unknown, d: unknown, e: unknown, f: unknown, g: unknown) => void;

/** Who listens to one event. */
interface Audience {
  readonly name: keyof EventSink;
  listeners: readonly Listener[];
}

/**
 * A sink that hands each event to every subscriber that listens to it, in the order of their subscription. A method
 * that `noopSink` gave is none.
 */
export function createFanOut(): EventSink & EventFeed {
  const audiences = eventNames.map((name): Audience => ({ name, listeners: [] }));
  let sinks: readonly Partial<EventSink>[] = [];
  const subscribed = (next: readonly Partial<EventSink>[]): void => {
    sinks = next;
    for (const audience of audiences) audience.listeners = sinks.flatMap((sink) => listenerOf(sink, audience.name));
  };
  return {
    ...(Object.fromEntries(audiences.map((audience) => [audience.name, tell(audience)])) as unknown as EventSink),
    subscribe: (sink) => {
      subscribed([...sinks, sink]);
      return () => subscribed(sinks.filter((other) => other !== sink));
    },
  };
}

const tell =
  (audience: Audience): Listener =>
  (a, b, c, d, e, f, g) => {
    for (const listener of audience.listeners) listener(a, b, c, d, e, f, g);
  };

function listenerOf(sink: Partial<EventSink>, name: keyof EventSink): readonly Listener[] {
  const method = sink[name];
  return method === undefined || method === noopSink[name] ? [] : [method.bind(sink) as Listener];
}
