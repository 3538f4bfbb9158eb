/** A connection with frames that wait for the end of the turn. */
export interface Sender {
  /** Writes what waits, in one piece. */
  sendWaiting(join: (frames: readonly Buffer[]) => Buffer): void;
}

/**
 * Collects who has frames to send and lets each write them once per turn of the event loop. Connections that wait with
 * the same frames share one copy of them.
 */
export class Outbox {
  private waiting: Sender[] = [];
  private isScheduled = false;
  private readonly beforeSending: () => void;

  /** `beforeSending` may add the last frames of the turn. */
  constructor(beforeSending: () => void) {
    this.beforeSending = beforeSending;
  }

  /** To be called with the first frame that a connection waits with. */
  add(sender: Sender): void {
    this.waiting.push(sender);
    this.schedule();
  }

  /** Makes sure that this turn ends with sending. */
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

/** Joins frames; the same list as last time is not copied again. */
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
