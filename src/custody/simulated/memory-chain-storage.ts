import { concatBytes } from '@noble/hashes/utils.js';
import type { ChainStorage } from '#custody/simulated/chain-storage.ts';

/** A file in memory, which outlives its being closed. */
export class MemoryChainStorage implements ChainStorage {
  private bytes: Uint8Array;

  constructor(content: Uint8Array = new Uint8Array(0)) {
    this.bytes = content.slice();
  }

  /** A copy of the content. */
  content(): Uint8Array {
    return this.bytes.slice();
  }

  async *read(): AsyncIterable<Uint8Array> {
    yield this.content();
  }

  async replace(content: Uint8Array): Promise<void> {
    this.bytes = content.slice();
  }

  async cut(size: number): Promise<void> {
    this.bytes = this.bytes.slice(0, size);
  }

  async append(bytes: Uint8Array): Promise<void> {
    this.bytes = concatBytes(this.bytes, bytes);
  }

  async close(): Promise<void> {
    // Nothing is open.
  }
}
