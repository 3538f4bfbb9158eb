const headEnd = '\r\n\r\n';

/** Value of a header of a head; `null`: it was not sent. */
export const headerOf = (head: string, name: string): string | null =>
  new RegExp(`\\r\\n${name}: *([^\\r]*)`, 'i').exec(head)?.[1] ?? null;

/** Who reads messages of one direction of a connection. */
export interface MessageReader {
  /** A head has come. Answers the size of its body; `null`: what follows cannot be told from it. */
  head(head: string): number | null;
  /** The message is whole. */
  whole(head: string, body: string): void;
}

/** Cuts the bytes of one direction of a connection into HTTP messages; each byte is one character. */
export class HttpMessages {
  readonly #reader: MessageReader;
  #head = '';
  #body = '';
  /** Bytes of the body that have not come; `null`: a head comes first. */
  #left: number | null = null;
  #isOver = false;

  constructor(reader: MessageReader) {
    this.#reader = reader;
  }

  /** Takes the next bytes. */
  add(bytes: string): void {
    for (let rest = bytes; !this.#isOver && rest !== ''; )
      rest = this.#left === null ? this.#readHead(rest) : this.#readBody(rest);
  }

  #readHead(bytes: string): string {
    // Blank lines before a message are none of it.
    const held = (this.#head + bytes).replace(/^(\r\n)+/, '');
    const end = held.indexOf(headEnd);
    this.#head = end < 0 ? held : held.slice(0, end + 2);
    if (end < 0) return '';
    this.#left = this.#reader.head(this.#head);
    this.#isOver = this.#left === null;
    if (this.#left === 0) this.#end();
    return held.slice(end + headEnd.length);
  }

  #readBody(bytes: string): string {
    const part = bytes.slice(0, this.#left as number);
    this.#body += part;
    this.#left = (this.#left as number) - part.length;
    if (this.#left === 0) this.#end();
    return bytes.slice(part.length);
  }

  #end(): void {
    this.#reader.whole(this.#head, this.#body);
    this.#head = '';
    this.#body = '';
    this.#left = null;
  }
}
