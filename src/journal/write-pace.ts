/** A write that takes no longer is waited for: to hand it to another thread and hear of its end takes as long again. */
const promptMs = 1;
/** Larger ones are handed over at once. */
const promptBytes = 256 * 1024;
/** Every disk stalls now and then; one that takes longer so many times in a row is slow. */
const slowInARow = 2;
/** While it is, so many writes are handed over before one is waited for again; each time twice as many. */
const handedOverAtFirst = 16;
const handedOverAtMost = 4096;

/**
 * Decides for each write to a disk whether to wait for it. While the disk is fast, as those of servers are, waiting
 * makes an order's answer sooner by the two hops between threads; while it is slow, or stalls, everything else goes on.
 */
export class WritePace {
  private handedOver = 0;
  private next = handedOverAtFirst;
  private slow = 0;

  /** Whether to wait for a write of so many bytes; `took` is to be told how long it took. */
  isPrompt(bytes: number): boolean {
    if (bytes > promptBytes) return false;
    if (this.handedOver === 0) return true;
    this.handedOver -= 1;
    return false;
  }

  /** A write that was waited for took so long. */
  took(milliseconds: number): void {
    if (milliseconds <= promptMs) {
      this.slow = 0;
      this.next = handedOverAtFirst;
      return;
    }
    this.slow += 1;
    if (this.slow < slowInARow) return;
    this.handedOver = this.next;
    this.next = Math.min(this.next * 2, handedOverAtMost);
  }
}
