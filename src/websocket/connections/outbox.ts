/** A connection with frames to send at the end of the event-loop turn. */
export interface Sender {
  /** Writes the queued frames in one write. */
  sendWaiting(join: (frames: readonly Buffer[]) => Buffer): void;
}

/**
 * Collects the connections with frames to send and lets each write once per turn of the event loop. Connections with
 * the same frames share one joined copy.
 */
export class Outbox {
  private waiting: Sender[] = [];
  private isScheduled = false;
  private readonly beforeSending: () => void;

  /** `beforeSending` runs at the end of the turn and may add frames. */
  constructor(beforeSending: () => void) {
    this.beforeSending = beforeSending;
  }

  /** Adds a connection; call it with the connection's first frame of the turn. */
  add(sender: Sender): void {
    this.waiting.push(sender);
    this.schedule();
  }

  /** Schedules sending for the end of this turn. */
  schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(() => this.send());
  }

  private send(): void {
    this.beforeSending();
    this.isScheduled = false;
    const { waiting } = this;
    this.waiting = [];
    const join = createJoin();
    for (const sender of waiting) sender.sendWaiting(join);
  }
}

/** Joins frames; a list equal to the last one is not copied again. */
function createJoin(): (frames: readonly Buffer[]) => Buffer {
  let last: readonly Buffer[] = [];
  let joined = Buffer.alloc(0);
  return (frames) => {
    const isSame = frames.length === last.length && frames.every((frame, index) => frame === last[index]);
    if (!isSame) {
      last = frames;
      joined = Buffer.concat(frames);
    }
    return joined;
  };
}
