import type { Operation } from '#web/reference/operation.ts';
import type { RequestText } from '#web/reference/request-text.ts';
import type { Proof } from '#web/reference/snippets.ts';

/** What came of a request. */
export interface Sent {
  readonly response: Response;
  /** When it was sent, as `performance.now()` counts. */
  readonly sentAt: number;
}

/** Sends a request now. @throws TypeError where no answer comes */
export async function sendNow(address: string, init: RequestInit): Promise<Sent> {
  const sentAt = performance.now();
  return { sentAt, response: await fetch(address, init) };
}

/** Who sends requests from a page, and how. */
export interface Caller {
  /** `null`: nobody was chosen. */
  readonly name: string | null;
  /** What requests for an endpoint are proved with. */
  readonly proofFor: (operation: Operation) => Proof;
  /** Sends a request as this caller. @throws Error where no answer comes */
  readonly send: (operation: Operation, request: RequestText) => Promise<Sent>;
  /** Whether what changes something is asked about first. */
  readonly asksFirst: boolean;
}
