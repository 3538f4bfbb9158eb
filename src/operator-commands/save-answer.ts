import { monotonicClock } from '#base/clock.ts';
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { CommandFailed, exitCodes, usedWrongly } from '#operator-commands/exit-codes.ts';
import type { Answer } from '#operator-commands/operator-client.ts';
import type { Terminal } from '#operator-commands/terminal.ts';

/** What an exchange streams, besides JSON. */
const streamedTypes = /^(?:text\/csv|application\/x-ndjson)\b/;
/** The longest wait for the next part of a stream. */
const idleMs = 60_000;
/** The least time between two tellings of how far it is. */
const toldEveryMs = 200;
const lineFeed = 0x0a;

/** Tells on a terminal how many lines came so far, a few times a second. DEC-OPR-229. */
class LineCount {
  readonly #progress: Terminal['progress'];
  #lines = 0;
  #toldAt = Number.NEGATIVE_INFINITY;

  constructor({ progress }: Terminal) {
    this.#progress = progress;
  }

  add(part: Uint8Array): void {
    if (this.#progress === null) return;
    for (let at = part.indexOf(lineFeed); at >= 0; at = part.indexOf(lineFeed, at + 1)) this.#lines += 1;
    const now = monotonicClock.now();
    if (now - this.#toldAt < toldEveryMs) return;
    this.#toldAt = now;
    this.#progress(`${this.#lines} lines`);
  }

  /** Takes the line away. */
  end(): void {
    this.#progress?.('');
  }
}

/** An answer part by part. @throws CommandFailed where it is of a kind that no operator API has, or ends early. */
async function* partsOf({ text, response }: Answer): AsyncGenerator<Uint8Array> {
  if (text !== null) {
    yield new TextEncoder().encode(`${text}\n`);
    return;
  }
  if (!streamedTypes.test(response.headers.get('content-type') ?? ''))
    throw new CommandFailed(exitCodes.notReached, `${new URL(response.url).origin} is no operator API of this version`);
  const reader = response.body?.getReader();
  for (let part = await reader?.read(); part?.value !== undefined; part = await inTime(reader!.read()))
    yield part.value;
}

/** What comes in time. @throws CommandFailed where it does not come. */
async function inTime<Part>(coming: Promise<Part>): Promise<Part> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`nothing came for ${idleMs / 1000} seconds`)), idleMs);
  });
  try {
    return await Promise.race([coming, late]);
  } catch (error) {
    throw new CommandFailed(exitCodes.notReached, `the answer ended early: ${(error as Error).message}`);
  } finally {
    clearTimeout(timer);
  }
}

/** Writes an answer to standard output as it comes. */
export async function writeAnswer(answer: Answer, terminal: Terminal): Promise<void> {
  // Lines that a terminal shows need no count beside them.
  const count = new LineCount({ ...terminal, progress: terminal.columns === null ? terminal.progress : null });
  for await (const part of partsOf(answer)) {
    await terminal.write(part);
    if (answer.text === null) count.add(part);
  }
  if (answer.text === null) count.end();
}

/**
 * Writes an answer into a file, which is there once all of it is, and tells how far it is. DEC-OPR-266.
 * @throws CommandFailed where the file exists or cannot be written, or the answer ends early.
 */
export async function saveAnswer(answer: Answer, out: string, terminal: Terminal): Promise<void> {
  if (existsSync(out)) throw usedWrongly(`--out ${out} exists, and is not overwritten`);
  const part = `${out}.part`;
  try {
    const written = await writeParts(answer, part, terminal);
    renameSync(part, out);
    terminal.tell(`${out}: ${written} bytes\n`);
  } catch (error) {
    rmSync(part, { force: true });
    if (error instanceof CommandFailed) throw error;
    throw usedWrongly(`--out ${out}: ${(error as Error).message}`);
  }
}

async function writeParts(answer: Answer, path: string, terminal: Terminal): Promise<number> {
  const file = openSync(path, 'w', 0o600);
  const count = new LineCount(terminal);
  let written = 0;
  try {
    for await (const part of partsOf(answer)) {
      for (let at = 0; at < part.length; ) at += writeSync(file, part, at);
      written += part.length;
      if (answer.text === null) count.add(part);
    }
    fsyncSync(file);
  } finally {
    count.end();
    closeSync(file);
  }
  return written;
}
