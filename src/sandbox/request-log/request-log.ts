import type { Clock, SetTimer } from '#base/clock.ts';
import type { ObservedAnswer, ObservedRequest, RequestObserver } from '#http/request-observation.ts';
import { type EntryFilter, matcherOf } from '#sandbox/request-log/entry-filter.ts';
import {
  type Control,
  type ControlEntry,
  type LogEntry,
  logLimits,
  type RequestEntry,
  type StreamEntry,
} from '#sandbox/request-log/log-entry.ts';
import { RecentEntries } from '#sandbox/request-log/recent-entries.ts';
import type { StreamHappening, StreamObserver, StreamSubject } from '#websocket/connections/stream-interception.ts';

/** What is set of the log. */
export interface LogSettings {
  readonly isOn: boolean;
  /** How many requests are kept, and how many happenings on websockets. */
  readonly kept: number;
}

/** What the log stands on. */
export interface RequestLogParts {
  /** The exchange's clock. */
  readonly clock: Clock;
  /** Of durations. */
  readonly monotonic: Clock;
  /** Of those who wait. */
  readonly setTimer: SetTimer;
}

/** Who waits for an entry. */
interface Waiting {
  readonly isMeant: (entry: LogEntry) => boolean;
  readonly end: (entry: LogEntry | null) => void;
}

/** Bytes that an entry takes beside its texts: the request, its headers and its parameters. */
const overhead = 2000;
const overheadOfHappening = 300;
/** What a push holds takes so many times the bytes of its frame. */
const contentPerFrame = 8;

function bytesOf(happening: StreamHappening): number {
  if (happening.kind === 'push') return contentPerFrame * happening.bytes;
  return 'text' in happening ? happening.text.length : 0;
}

const sizeOf = ({ query, body }: ObservedRequest, { text }: ObservedAnswer): number =>
  query.length + (body?.length ?? 0) + text.length + overhead;

/**
 * The last requests of a sandbox with their answers, and what happened on its websockets, in memory, bounded in number
 * and bytes. What is kept is what is there anyway: it is made readable when somebody asks. DEC-KIT-27.
 */
export class RequestLog implements RequestObserver, StreamObserver {
  isOn = true;
  readonly #parts: RequestLogParts;
  #kept: number = logLimits.keptDefault;
  /** Apart, so that pushes do not drive out requests. */
  readonly #requests = new RecentEntries<RequestEntry>(logLimits.keptDefault, logLimits.bytes);
  readonly #happenings = new RecentEntries<StreamEntry>(logLimits.keptDefault, logLimits.bytes);
  readonly #controls = new RecentEntries<ControlEntry>(logLimits.keptDefault, logLimits.bytes);
  readonly #waiting = new Set<Waiting>();
  #lastId = 0;

  constructor(parts: RequestLogParts) {
    this.#parts = parts;
  }

  answered(request: ObservedRequest, answer: ObservedAnswer): void {
    const durationMs = this.#parts.monotonic.now() - request.receivedMonotonic;
    const entry = {
      kind: 'request',
      id: this.#nextId(),
      bytes: sizeOf(request, answer),
      request,
      answer,
      durationMs,
    } as const;
    this.#requests.add(entry);
    this.#tell(entry);
  }

  happened(subject: StreamSubject, happening: StreamHappening): void {
    const { kind } = happening;
    const bytes = overheadOfHappening + bytesOf(happening);
    const entry = { kind, id: this.#nextId(), bytes, at: this.#parts.clock.now(), subject, happening };
    this.#happenings.add(entry);
    this.#tell(entry);
  }

  /** Keeps a call of the operator API that changed something, `at` the moment of the call. */
  controlled(at: number, control: Control): void {
    if (!this.isOn) return;
    const bytes = overheadOfHappening + (control.body?.length ?? 0) + (control.answer?.length ?? 0);
    const entry = { kind: 'control', id: this.#nextId(), bytes, at, control } as const;
    this.#controls.add(entry);
    this.#tell(entry);
  }

  get settings(): LogSettings {
    return { isOn: this.isOn, kept: this.#kept };
  }

  /** Id of the newest entry; 0 before the first one. */
  get lastId(): number {
    return this.#lastId;
  }

  /** Fewer than before: the oldest go. Switched off it keeps what it has. */
  set({ isOn, kept }: LogSettings): void {
    this.isOn = isOn;
    this.#kept = kept;
    this.#requests.keep(kept);
    this.#happenings.keep(kept);
    this.#controls.keep(kept);
  }

  /** Forgets all, and answers how many there were. */
  clear(): number {
    const size = this.#requests.size + this.#happenings.size + this.#controls.size;
    this.#requests.clear();
    this.#happenings.clear();
    this.#controls.clear();
    return size;
  }

  /** The entries that a filter lets through, oldest first. */
  matching(filter: EntryFilter): readonly LogEntry[] {
    return this.#all().filter(matcherOf(filter));
  }

  find(id: number): LogEntry | null {
    return this.#all().find((entry) => entry.id === id) ?? null;
  }

  /**
   * The first entry that a filter lets through: one that is there, or the next that comes within `ms` of the machine.
   * `null`: none came, or too many wait. DEC-KIT-29.
   */
  await(filter: EntryFilter, ms: number): Promise<LogEntry | null> {
    const [first] = this.matching(filter);
    if (first !== undefined) return Promise.resolve(first);
    return new Promise((resolve) => {
      const end = (entry: LogEntry | null): void => {
        cancel();
        this.#waiting.delete(waiting);
        resolve(entry);
      };
      const waiting: Waiting = { isMeant: matcherOf(filter), end };
      const cancel = this.#parts.setTimer(ms, () => end(null));
      this.#waiting.add(waiting);
    });
  }

  /** How many wait. */
  get waits(): number {
    return this.#waiting.size;
  }

  /** Ends every wait without an entry. */
  close(): void {
    for (const { end } of [...this.#waiting]) end(null);
  }

  /** All entries in the order of their ids. */
  #all(): readonly LogEntry[] {
    const all = [this.#requests, this.#happenings, this.#controls].flatMap((ring): readonly LogEntry[] =>
      ring.oldestFirst(),
    );
    return all.sort((one, other) => one.id - other.id);
  }

  #nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  #tell(entry: LogEntry): void {
    if (this.#waiting.size === 0) return;
    for (const { isMeant, end } of [...this.#waiting]) if (isMeant(entry)) end(entry);
  }
}
