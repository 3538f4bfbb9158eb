/*
 * What a rule of faults is: data, as operators give it. `armed-rule.ts` counts what it matches, `request-faults.ts` and
 * `stream-faults.ts` do what it says, `check-rule.ts` refuses what can never happen.
 */

/** Bounds of faults. Counts are inclusive. */
export const faultLimits = {
  rules: 100,
  idLength: 32,
  /** Longest delay, stall or hold of one answer or push. */
  delayMs: 60_000,
  perByteUs: 10_000,
  /** Answers that are held back at a time; further ones are not. */
  held: 1000,
  /** How old stale answers are at most, on the exchange's clock; and bytes of them that a rule keeps. */
  staleMs: 86_400_000,
  staleBytes: 8 * 1024 * 1024,
  /** How long a rule may hold, on the exchange's clock: ten years. */
  forMs: 315_360_000_000,
  count: 1_000_000_000,
  messageLength: 200,
  retryAfterSeconds: 259_200,
  /** Copies of a push beside the one that is sent anyway. */
  copies: 10,
} as const;

/** Which requests or pushes a rule is about. What is absent matches everything. */
export interface FaultMatch {
  /** `/api/v3/order`; a part `*` is any, a last part `*` all that follow. */
  readonly path?: string | undefined;
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE' | undefined;
  /** Access key. */
  readonly key?: string | undefined;
  /** Uid of an account. */
  readonly account?: number | undefined;
  /** Name of a pair or contract. */
  readonly pair?: string | undefined;
  /** Name of a channel; parts between `@` may be `*` as those of a path. */
  readonly channel?: string | undefined;
  /** Only the nth that all the others let through; or every nth; or by chance, in parts per million. */
  readonly nth?: number | undefined;
  readonly every?: number | undefined;
  readonly probabilityPpm?: number | undefined;
  /** Of all chance in the rule. */
  readonly seed?: number | undefined;
}

/** Before the command is carried out, or after it. */
export type FaultMoment = 'request' | 'answer';

/** What happens to a request or its answer. */
export type RequestFault =
  | {
      readonly kind: 'delay';
      readonly at: FaultMoment;
      readonly ms: number;
      readonly spreadMs: number;
      readonly perByteUs: number;
    }
  | {
      readonly kind: 'refuse' | 'failAfter';
      readonly status: number;
      /** `null`: the status. */
      readonly code: number | null;
      readonly message: string;
      readonly retryAfterSeconds: number | null;
    }
  | { readonly kind: 'drop'; readonly at: FaultMoment }
  /** `bytes`: `null`: half of the body. */
  | { readonly kind: 'truncate'; readonly bytes: number | null }
  | { readonly kind: 'malform' }
  | { readonly kind: 'stale'; readonly ms: number };

/** What happens to what a websocket sends. */
export type StreamFault =
  /** `code`: `null`: without a close frame. */
  | { readonly kind: 'close'; readonly code: number | null; readonly reason: string }
  | { readonly kind: 'stall' | 'slow' | 'reorder'; readonly ms: number }
  | { readonly kind: 'duplicate'; readonly copies: number }
  | { readonly kind: 'gap' }
  /** The websocket is not opened. */
  | {
      readonly kind: 'refuseUpgrade';
      readonly status: number;
      readonly message: string;
      readonly retryAfterSeconds: number | null;
    }
  /** Pings of the client, of either form, stay without an answer. */
  | { readonly kind: 'unansweredPing' };

/** Kinds of faults of requests. */
export const requestFaultKinds = ['delay', 'refuse', 'failAfter', 'drop', 'truncate', 'malform', 'stale'] as const;

/** What a rule does. */
export type Fault = RequestFault | StreamFault;

/** Whether a fault is one of requests. */
export const isOfRequests = (fault: Fault): fault is RequestFault =>
  (requestFaultKinds as readonly string[]).includes(fault.kind);

/** A rule as it is given. */
export interface FaultRule {
  /** Absent: the next free number. */
  readonly id?: string | undefined;
  readonly match: FaultMatch;
  /** How often it strikes at most; `null`: without end. */
  readonly count: number | null;
  /** How long it holds on the exchange's clock; `null`: until it is deleted. */
  readonly forMs: number | null;
  readonly fault: Fault;
}

/** A rule as it is shown. */
export interface FaultState extends FaultRule {
  readonly id: string;
  readonly madeAt: number;
  readonly endsAt: number | null;
  /** What it matched, before chance and number were asked; and how often it struck. */
  readonly seen: number;
  readonly hits: number;
  /** Whether it strikes no more: its count is used up, its time is over, or its nth is past. */
  readonly isOver: boolean;
}
