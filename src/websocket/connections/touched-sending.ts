import type { Clock, SetTimer } from '#base/clock.ts';
import type { Encoding, Push } from '#websocket/pushes/push.ts';
import type {
  StreamFaultTouch,
  StreamHappening,
  StreamInterceptor,
  StreamObserver,
  StreamSubject,
} from '#websocket/connections/stream-interception.ts';

/** What it sends through. */
export interface TouchedConnection {
  /** Bytes that may be held back; more end the connection as one that is read too slowly. */
  readonly heldBytesMax: number;
  /** Sends a frame with the next write. */
  enqueue(frame: Buffer): void;
  /** `code`: `null`: the socket is cut without a close frame. */
  endWith(code: number | null, reason: string): void;
  endSlow(): void;
}

/** What it stands on. */
export interface TouchedSendingParts {
  readonly interceptor?: StreamInterceptor | undefined;
  readonly observer?: StreamObserver | undefined;
  readonly monotonic: Clock;
  readonly setTimer: SetTimer;
}

/** Who is connected. */
export interface TouchedClient extends Pick<StreamSubject, 'account' | 'accessKey'> {
  readonly number: number;
  readonly client: { readonly text: string };
  readonly encoding: Encoding;
}

interface HeldFrame {
  readonly frame: Buffer;
  readonly dueAt: number;
}

/** A push that comes behind the next one of its channel. */
interface Overtaken {
  readonly channel: string;
  readonly frame: Buffer;
  readonly cancel: () => void;
}

/**
 * Sends the frames of one connection of a sandbox: touched by faults, and seen by the log. What is held back keeps its
 * order, and is bounded in bytes. DEC-KIT-32.
 */
export class TouchedSending {
  readonly #subject: StreamSubject;
  readonly #connection: TouchedConnection;
  readonly #parts: TouchedSendingParts;
  #held: HeldFrame[] = [];
  #heldBytes = 0;
  /** Nothing leaves before. */
  #stalledUntil = Number.NEGATIVE_INFINITY;
  #cancelTimer: (() => void) | null = null;
  #overtaken: Overtaken | null = null;
  /** Faults that hold something back, and what stops hearing of those that are taken away. */
  readonly #holders = new Set<string>();
  #stopHearing: (() => void) | null = null;
  #isOver = false;

  readonly #encoding: Encoding;

  constructor(client: TouchedClient, connection: TouchedConnection, parts: TouchedSendingParts) {
    const { number, account, accessKey, encoding } = client;
    this.#subject = { connection: number, account, accessKey, address: client.client.text };
    this.#encoding = encoding;
    this.#connection = connection;
    this.#parts = parts;
  }

  /** Shows something that happened on the connection. */
  saw(happening: StreamHappening): void {
    const { observer } = this.#parts;
    if (observer?.isOn === true) observer.happened(this.#subject, happening);
  }

  /** Whether a ping stays without an answer. */
  ignoresPing(): boolean {
    const { interceptor } = this.#parts;
    return interceptor?.isArmed === true && interceptor.ignoresPing(this.#subject);
  }

  push(push: Push): void {
    const { interceptor } = this.#parts;
    const touched = interceptor?.isArmed === true ? interceptor.touch(this.#subject, push) : null;
    const frame = push.frame(this.#encoding);
    this.saw({ kind: 'push', push, encoding: this.#encoding, bytes: frame.length, fault: touched?.fault ?? null });
    if (touched !== null) this.#pushTouched(push.channel, frame, touched);
    else this.#pushFrame(push.channel, frame, 0);
  }

  reply(text: string, frame: Buffer): void {
    this.saw({ kind: 'reply', text });
    this.#send(frame, 0);
  }

  /** Nothing is sent any more. */
  stop(): void {
    this.#isOver = true;
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    this.#overtaken?.cancel();
    this.#overtaken = null;
    this.#held = [];
    this.#heldBytes = 0;
    this.#holdNothing();
  }

  #pushTouched(channel: string, frame: Buffer, { fault, touch }: StreamFaultTouch): void {
    if ('ms' in touch) this.#holdFor(fault);
    switch (touch.kind) {
      case 'close':
        this.#connection.endWith(touch.code, touch.reason);
        return;
      case 'stall':
        this.#stalledUntil = this.#parts.monotonic.now() + touch.ms;
        this.#pushFrame(channel, frame, 0);
        return;
      case 'slow':
        this.#pushFrame(channel, frame, touch.ms);
        return;
      case 'duplicate':
        for (let copy = 0; copy <= touch.copies; copy += 1) this.#pushFrame(channel, frame, 0);
        return;
      case 'reorder':
        this.#overtake(channel, frame, touch.ms);
        return;
      case 'gap':
    }
  }

  /** Hears of it when this fault is taken away. */
  #holdFor(fault: string): void {
    this.#holders.add(fault);
    this.#stopHearing ??=
      this.#parts.interceptor?.whenTakenAway((isGone) => {
        if ([...this.#holders].some(isGone)) this.#letGo();
      }) ?? null;
  }

  #holdNothing(): void {
    this.#stopHearing?.();
    this.#stopHearing = null;
    this.#holders.clear();
    this.#stalledUntil = Number.NEGATIVE_INFINITY;
  }

  /** Sends all that is held back. */
  #letGo(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    this.#holdNothing();
    this.#sendFirst(this.#held.length);
    this.#sendOvertaken();
  }

  /** Sends a push, and behind it the one of its channel that it overtook. */
  #pushFrame(channel: string, frame: Buffer, delayMs: number): void {
    this.#send(frame, delayMs);
    if (this.#overtaken?.channel === channel) this.#sendOvertaken();
  }

  #overtake(channel: string, frame: Buffer, ms: number): void {
    // One waits at a time: the one before goes first.
    this.#sendOvertaken();
    const cancel = this.#parts.setTimer(ms, () => this.#sendOvertaken());
    this.#overtaken = { channel, frame, cancel };
  }

  #sendOvertaken(): void {
    const overtaken = this.#overtaken;
    if (overtaken === null) return;
    this.#overtaken = null;
    overtaken.cancel();
    this.#send(overtaken.frame, 0);
  }

  #send(frame: Buffer, delayMs: number): void {
    if (this.#isOver) return;
    const now = this.#parts.monotonic.now();
    const dueAt = Math.max(now + delayMs, this.#stalledUntil, this.#held.at(-1)?.dueAt ?? now);
    if (dueAt <= now && this.#held.length === 0) {
      this.#connection.enqueue(frame);
      return;
    }
    this.#held.push({ frame, dueAt });
    this.#heldBytes += frame.length;
    if (this.#heldBytes > this.#connection.heldBytesMax) this.#connection.endSlow();
    else this.#arm();
  }

  #arm(): void {
    const [next] = this.#held;
    if (next === undefined || this.#cancelTimer !== null) return;
    const delayMs = Math.max(1, next.dueAt - this.#parts.monotonic.now());
    this.#cancelTimer = this.#parts.setTimer(delayMs, () => this.#sendDue());
  }

  #sendDue(): void {
    this.#cancelTimer = null;
    const now = this.#parts.monotonic.now();
    const due = this.#held.findIndex(({ dueAt }) => dueAt > now);
    this.#sendFirst(due < 0 ? this.#held.length : due);
    if (this.#held.length === 0 && this.#overtaken === null) this.#holdNothing();
    else this.#arm();
  }

  /** Sends so many of what is held back. */
  #sendFirst(count: number): void {
    for (const { frame } of this.#held.splice(0, count)) {
      if (this.#isOver) return;
      this.#heldBytes -= frame.length;
      this.#connection.enqueue(frame);
    }
  }
}

/** What touches and sees a connection that opens; `null`: there is nothing that would, as in production. */
export function createTouchedSending(
  parts: TouchedSendingParts,
  client: TouchedClient,
  connection: TouchedConnection,
): TouchedSending | null {
  if (parts.interceptor === undefined && parts.observer === undefined) return null;
  const touched = new TouchedSending(client, connection, parts);
  touched.saw({ kind: 'opened' });
  return touched;
}
