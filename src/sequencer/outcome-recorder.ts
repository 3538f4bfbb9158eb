import { copyOrder, noopSink } from '#model/event-record.ts';
import type { EventSink } from '#model/events.ts';
import type { OutcomeEvent } from '#sequencer/command-ingress.ts';

/** Collects the events that outcomes consist of; the caller takes `events` and resets it. */
export function createOutcomeRecorder(): EventSink & { events: OutcomeEvent[] } {
  const recorder: EventSink & { events: OutcomeEvent[] } = {
    ...noopSink,
    events: [],
    orderAccepted: (order) => recorder.events.push({ kind: 'orderAccepted', order: copyOrder(order) }),
    orderRepeated: (order) => recorder.events.push({ kind: 'orderRepeated', order: copyOrder(order) }),
    orderRefused: (account, symbol, reason, clientOrderId) =>
      recorder.events.push({ kind: 'orderRefused', account, symbol, reason, clientOrderId }),
    cancelRefused: (account, symbol, reason) =>
      recorder.events.push({ kind: 'cancelRefused', account, symbol, reason }),
    orderClosed: (order) => recorder.events.push({ kind: 'orderClosed', order: copyOrder(order) }),
    fact: (fact) => recorder.events.push(fact),
  };
  return recorder;
}
