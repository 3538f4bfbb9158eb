/** Writes this fast (ms) are synchronous: passing them to another thread and back would take as long again. */
const promptMs = 1;
/** Larger writes, in bytes, are always asynchronous. */
const promptBytes = 256 * 1024;
/** Every disk stalls now and then; after this many slow writes in a row it counts as slow. */
const slowInARow = 2;
/** On a slow disk, asynchronous writes before the next synchronous attempt; doubled after each slow attempt. */
const handedOverAtFirst = 16;
const handedOverAtMost = 4096;

/**
 * Decides for each write whether it is synchronous. On a fast disk a synchronous write saves the two hops between
 * threads, so an order is answered sooner; on a slow or stalling disk asynchronous writes keep the event loop free.
 */
export class WritePace {
  private handedOver = 0;
  private next = handedOverAtFirst;
  private slow = 0;

  /** Whether a write of this size should be synchronous; report its duration to `took`. */
  isPrompt(bytes: number): boolean {
    if (bytes > promptBytes) return false;
    if (this.handedOver === 0) return true;
    this.handedOver -= 1;
    return false;
  }

  /** Reports the duration of a synchronous write. */
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
