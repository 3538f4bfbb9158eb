import type { Command } from '#model/command.ts';
import type { RecordOf } from '#model/event-record.ts';
import type { Fact } from '#model/events.ts';
import type { Seq, TimestampMs } from '#model/units.ts';

/** What answers are made of. Fills, levels and money are told by the feed, to whom they concern. */
export type OutcomeEvent =
  | RecordOf<'orderAccepted' | 'orderRepeated' | 'orderRefused' | 'cancelRefused' | 'orderClosed'>
  | Fact;

/** What became of a command: the events of its entry that answers are made of, once they are durable. */
export interface Outcome {
  readonly seq: Seq;
  readonly at: TimestampMs;
  readonly events: readonly OutcomeEvent[];
}

/** How everything outside the engine changes its state. */
export interface CommandIngress {
  /**
   * Resolves once the command is durable and applied.
   * @throws IngressRefused when the command was not taken: nothing happened, 503.
   * @throws IngressLost when it was taken: the outcome is unknown.
   */
  submit(command: Command): Promise<Outcome>;
  /** As `submit`, for callers that fold events from the feed and need no answer of their own. */
  post(command: Command): Promise<void>;
}
/** The command was not taken: nothing happened. */
export class IngressRefused extends Error {
  override name = 'IngressRefused';
}
/** The command was taken, and nobody can say what became of it. */
export class IngressLost extends Error {
  override name = 'IngressLost';
}
/** As `IngressRefused`, for a reason that clients may know: they need not try again before a person has acted. */
export class OrderEntryStopped extends IngressRefused {
  override name = 'OrderEntryStopped';
}
