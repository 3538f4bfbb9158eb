import type { AccountId } from '#model/units.ts';
import type { UpgradeRefusal } from '#websocket/connections/upgrade.ts';
import type { Encoding } from '#websocket/pushes/push.ts';

/*
 * The ports through which a sandbox touches and sees what a websocket sends and gets. Production has nothing behind
 * them.
 */

/** Whose connection it is. */
export interface StreamSubject {
  /** Number of the connection: each has another one; `null`: it is refused. */
  readonly connection: number | null;
  /** Of its listen key; `null`: it has none. */
  readonly account: AccountId | null;
  /** The API key that made the listen key; `null` likewise. */
  readonly accessKey: string | null;
  /** Address of the client. */
  readonly address: string;
}

/** A push, as far as it matters to whom touches or sees it. */
export interface TouchedPush {
  /** The name that was subscribed to. */
  readonly channel: string;
  /** The pair; `null`: it is about none. */
  readonly symbol: string | null;
  /** What it says, in the form of an encoding. */
  payload(encoding: Encoding): Buffer;
}

/** What happens to a push. Times are of the machine. */
export type StreamTouch =
  /** The connection ends instead; `code`: `null`: without a close frame. */
  | { readonly kind: 'close'; readonly code: number | null; readonly reason: string }
  /** Nothing is sent for so long, then all of it. */
  | { readonly kind: 'stall'; readonly ms: number }
  /** It comes so much later, and what follows comes behind it. */
  | { readonly kind: 'slow'; readonly ms: number }
  /** It comes so many times more. */
  | { readonly kind: 'duplicate'; readonly copies: number }
  /** It comes behind the next push of its channel, or after so long. */
  | { readonly kind: 'reorder'; readonly ms: number }
  /** It does not come. */
  | { readonly kind: 'gap' };

/** A touch with the id of the fault that it comes from. */
export interface StreamFaultTouch {
  readonly fault: string;
  readonly touch: StreamTouch;
}

/** Touches what a websocket sends. */
export interface StreamInterceptor {
  /** Whether there is anything that touches it: without it nothing is shown. */
  readonly isArmed: boolean;
  /** What happens to a push; `null`: nothing. */
  touch(subject: StreamSubject, push: TouchedPush): StreamFaultTouch | null;
  /** Why a connection is not opened; `null`: it is. */
  refusesUpgrade(subject: StreamSubject): UpgradeRefusal | null;
  /** Whether a ping of the client stays without an answer. */
  ignoresPing(subject: StreamSubject): boolean;
  /**
   * Calls `run` whenever faults are taken away, with what tells their ids from others, until the returned function is
   * called: what they hold back goes on then.
   */
  whenTakenAway(run: (isGone: (fault: string) => boolean) => void): () => void;
}

/** What happened on a websocket. */
export type StreamHappening =
  | { readonly kind: 'opened' }
  /** It was not opened. */
  | { readonly kind: 'refused'; readonly status: number; readonly text: string; readonly fault: string | null }
  /** `code`: of the close frame of the one who closed. */
  | { readonly kind: 'closed'; readonly code: number; readonly reason: string }
  /** What a client sent, and what it was answered. */
  | { readonly kind: 'message' | 'reply'; readonly text: string }
  /** `encoding`: that of the connection; `bytes`: of the frame; `fault`: id of the one that touched it. */
  | {
      readonly kind: 'push';
      readonly push: TouchedPush;
      readonly encoding: Encoding;
      readonly bytes: number;
      readonly fault: string | null;
    };

/** Sees what happens on websockets. */
export interface StreamObserver {
  /** Whether it wants to see it. */
  readonly isOn: boolean;
  happened(subject: StreamSubject, happening: StreamHappening): void;
}
