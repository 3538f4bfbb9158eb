import type { ObservedAnswer, ObservedRequest } from '#http/request-observation.ts';
import type { AccountId } from '#model/units.ts';
import type { StreamHappening, StreamSubject } from '#websocket/connections/stream-interception.ts';

/** Bounds of the log. Counts are inclusive. */
export const logLimits = {
  /** Requests, and as many happenings on websockets, that are kept unless it is set otherwise, and at most. */
  keptDefault: 1000,
  keptMax: 10_000,
  /** Of either kind. */
  bytes: 16 * 1024 * 1024,
  /** Programs that wait for an entry at a time, and how long at most. */
  waiting: 100,
  waitSeconds: 30,
  /** Longest body and answer of a call of the operator API that is kept. */
  controlLength: 64 * 1024,
  /** Entries of one export. */
  exported: 500,
} as const;

/** A request with its answer. */
export interface RequestEntry {
  readonly kind: 'request';
  readonly id: number;
  readonly bytes: number;
  readonly request: ObservedRequest;
  readonly answer: ObservedAnswer;
  readonly durationMs: number;
}

/** What happened on a websocket. */
export interface StreamEntry {
  readonly kind: StreamHappening['kind'];
  readonly id: number;
  readonly bytes: number;
  /** On the exchange's clock. */
  readonly at: number;
  readonly subject: StreamSubject;
  readonly happening: StreamHappening;
}

/** What an operator changed by a call that was answered well. */
export interface Control {
  /** Id of the endpoint. */
  readonly endpoint: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  /** JSON; `null`: it took none, or one that is too long to be kept. */
  readonly body: string | null;
  readonly status: number;
  /** JSON; `null`: it is too long to be kept. */
  readonly answer: string | null;
}

/** A call of the operator API that changed something. */
export interface ControlEntry {
  readonly kind: 'control';
  readonly id: number;
  readonly bytes: number;
  /** On the exchange's clock, when it was called. */
  readonly at: number;
  readonly control: Control;
}

/** What is kept of the log. */
export type LogEntry = RequestEntry | StreamEntry | ControlEntry;

/** Kinds of entries. */
export const entryKinds = [
  'request',
  'opened',
  'refused',
  'message',
  'reply',
  'push',
  'closed',
  'control',
] as const satisfies readonly LogEntry['kind'][];
export type EntryKind = (typeof entryKinds)[number];

/** Whether an entry is a request with its answer. */
export const isRequest = (entry: LogEntry): entry is RequestEntry => entry.kind === 'request';

/** Whether an entry is a call of the operator API. */
export const isControl = (entry: LogEntry): entry is ControlEntry => entry.kind === 'control';

/** The moment of an entry on the exchange's clock. */
export const momentOf = (entry: LogEntry): number => (isRequest(entry) ? entry.request.receivedAt : entry.at);

/** The account of the key or the connection of an entry; `null`: it has none. */
export const accountOf = (entry: LogEntry): AccountId | null => {
  if (isControl(entry)) return null;
  return isRequest(entry) ? (entry.request.key?.account ?? null) : entry.subject.account;
};

/** The access key of an entry; `null`: it names none that exists. */
export const keyOf = (entry: LogEntry): string | null => {
  if (isControl(entry)) return null;
  return isRequest(entry) ? (entry.request.key?.accessKey ?? null) : entry.subject.accessKey;
};

/** Id of the fault that touched an entry; `null`: none did. */
export const faultOf = (entry: LogEntry): string | null => {
  if (isRequest(entry)) return entry.answer.fault;
  if (isControl(entry)) return null;
  return 'fault' in entry.happening ? entry.happening.fault : null;
};

/** HTTP status of an answer, or close code of a connection; `null`: neither. */
export const statusOf = (entry: LogEntry): number | null => {
  if (isRequest(entry)) return entry.answer.status;
  if (isControl(entry)) return entry.control.status;
  if (entry.happening.kind === 'refused') return entry.happening.status;
  return entry.happening.kind === 'closed' ? entry.happening.code : null;
};

/** The channel of a push; `null`: it is none. */
export const channelOf = (entry: LogEntry): string | null =>
  !isRequest(entry) && !isControl(entry) && entry.happening.kind === 'push' ? entry.happening.push.channel : null;
