/** The one file of the simulated world, as this folder uses it. Sizes are in bytes. */
export interface ChainStorage {
  /** The content in pieces of any size; nothing where there is no file. */
  read(): AsyncIterable<Uint8Array>;
  /** Gives the file another content. After a crash it has the old or the new one, once resolved the new. */
  replace(content: Uint8Array): Promise<void>;
  /** Keeps the first `size` bytes; resolves once that survives a crash. */
  cut(size: number): Promise<void>;
  /**
   * Adds to the end; resolves once it survives a crash. After an error any part of the bytes may be there, and nothing
   * may be added any more.
   */
  append(bytes: Uint8Array): Promise<void>;
  close(): Promise<void>;
}
