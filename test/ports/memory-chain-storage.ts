import { concatBytes } from '@noble/hashes/utils.js';
import type { ChainStorage } from '#custody/simulated/chain-file.ts';

/** A file in memory, which outlives its being closed. */
export class MemoryChainStorage implements ChainStorage {
  private pieces: Uint8Array[];

  constructor(content: Uint8Array = new Uint8Array(0)) {
    this.pieces = [content.slice()];
  }

  /** A copy of the content. */
  content(): Uint8Array {
    return concatBytes(...this.pieces);
  }

  async *read(): AsyncIterable<Uint8Array> {
    yield this.content();
  }

  async replace(content: Uint8Array): Promise<void> {
    this.pieces = [content.slice()];
  }

  async cut(size: number): Promise<void> {
    this.pieces = [this.content().slice(0, size)];
  }

  async append(bytes: Uint8Array): Promise<void> {
    this.pieces.push(bytes.slice());
  }

  async close(): Promise<void> {
    // Nothing is open.
  }
}
