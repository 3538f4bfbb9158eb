import { signal } from '@preact/signals';

/** A push as it came. */
export interface FeedRow {
  readonly id: number;
  /** When it came, in ms since 1970 UTC. */
  readonly at: number;
  /** Whose private push it is; empty: of nobody in particular. */
  readonly who: string;
  readonly channel: string;
  /** What it says, on one line and cut. */
  readonly line: string;
  readonly content: unknown;
  readonly bytes: number;
  /** As it was sent, cut: text, or bytes of protobuf. */
  readonly raw: string | Uint8Array;
}

/** Pushes that are kept: the newest. */
export const rowsMax = 200;
/** Bytes of all that are kept, as they were sent. */
const bytesMax = 2_000_000;
const lineMax = 400;
const rawMax = 16_384;
const publishMs = 200;

/** As many of these rows as may be kept, the first ones: by their number, and by what they hold. */
function newest(rows: readonly FeedRow[]): FeedRow[] {
  const kept: FeedRow[] = [];
  let bytes = 0;
  for (const row of rows) {
    bytes += row.bytes;
    if (kept.length >= rowsMax || (bytes > bytesMax && kept.length > 0)) break;
    kept.push(row);
  }
  return kept;
}

/** The newest pushes, shown five times a second at most; nothing grows with how long it listens. DEC-WEB-74. */
export class Feed {
  /** What is shown, the newest first. */
  readonly rows = signal<readonly FeedRow[]>([]);
  readonly isPaused = signal(false);
  /** Pushes and bytes of the last whole second. */
  readonly rate = signal({ pushes: 0, bytes: 0 });
  /** How many came in all. */
  readonly total = signal(0);
  #kept: FeedRow[] = [];
  #lastId = 0;
  #second = { pushes: 0, bytes: 0 };
  #publishing: ReturnType<typeof setTimeout> | null = null;
  #seconds: ReturnType<typeof setInterval> | null = null;

  /** Takes a push. */
  add({ who, channel, content, raw }: Pick<FeedRow, 'who' | 'channel' | 'content' | 'raw'>): void {
    this.#lastId += 1;
    const bytes = raw.length;
    const line = JSON.stringify(content)?.slice(0, lineMax) ?? '';
    const row = { id: this.#lastId, at: Date.now(), who, channel, line, content, bytes, raw: raw.slice(0, rawMax) };
    this.#kept = newest([row, ...this.#kept]);
    this.#second = { pushes: this.#second.pushes + 1, bytes: this.#second.bytes + bytes };
    this.#seconds ??= setInterval(() => this.#endSecond(), 1000);
    this.#publishing ??= setTimeout(() => this.#publish(), publishMs);
  }

  /** Keeps what is shown as it is, or shows the newest again. */
  pause(isPaused: boolean): void {
    this.isPaused.value = isPaused;
    if (!isPaused) this.#publish();
  }

  clear(): void {
    this.#kept = [];
    this.#lastId = 0;
    this.rows.value = [];
    this.total.value = 0;
  }

  close(): void {
    if (this.#publishing !== null) clearTimeout(this.#publishing);
    if (this.#seconds !== null) clearInterval(this.#seconds);
    this.#publishing = null;
    this.#seconds = null;
  }

  #publish(): void {
    if (this.#publishing !== null) clearTimeout(this.#publishing);
    this.#publishing = null;
    this.total.value = this.#lastId;
    if (!this.isPaused.value) this.rows.value = this.#kept;
  }

  #endSecond(): void {
    this.rate.value = this.#second;
    // Nothing comes any more: the next push starts counting again.
    if (this.#second.pushes === 0 && this.#seconds !== null) {
      clearInterval(this.#seconds);
      this.#seconds = null;
    }
    this.#second = { pushes: 0, bytes: 0 };
  }
}

/** Bytes in hex, a space between them. */
export const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(' ');
