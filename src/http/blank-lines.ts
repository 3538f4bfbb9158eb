const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/**
 * Where bytes of HTTP/1 are cut so that each piece ends at most one head: behind every blank line that follows a line
 * of text. A body in chunks ends with a blank line too. Cuts in other places do no harm.
 */
export class BlankLines {
  /** Length of the line that the bytes so far end with, and its last byte. */
  #lineLength = 0;
  #last = 0;
  /** Whether a line of text came since the last cut: blank lines before a request end nothing. */
  #hasText = false;

  /** Index behind the first blank line from `from`, or the length of the bytes. */
  next(bytes: Buffer, from: number): number {
    for (let at = from; ; ) {
      const feed = bytes.indexOf(lineFeed, at);
      if (feed < 0) {
        this.#lineLength += bytes.length - at;
        this.#last = bytes[bytes.length - 1] as number;
        return bytes.length;
      }
      const length = this.#lineLength + feed - at;
      const last = feed > at ? bytes[feed - 1] : this.#last;
      this.#lineLength = 0;
      at = feed + 1;
      if (length > 1 || (length === 1 && last !== carriageReturn)) this.#hasText = true;
      else if (this.#hasText) {
        this.#hasText = false;
        return at;
      }
    }
  }
}
