import type { Operation } from '#web/reference/operation.ts';
import type { RequestText } from '#web/reference/request-text.ts';
import type { Proof } from '#web/reference/snippets.ts';

/** Who sends requests from a page, and how. */
export interface Caller {
  /** `null`: nobody was chosen. */
  readonly name: string | null;
  /** What requests for an endpoint are proved with. */
  readonly proofFor: (operation: Operation) => Proof;
  /** Sends a request as this caller. @throws Error where no answer comes */
  readonly send: (operation: Operation, request: RequestText) => Promise<Response>;
  /** Whether what changes something is asked about first. */
  readonly asksFirst: boolean;
}
