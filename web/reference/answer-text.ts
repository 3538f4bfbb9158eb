import type { Sent } from '#web/reference/caller.ts';

/** An answer as it came. */
export interface AnswerText {
  readonly status: number;
  readonly statusText: string;
  /** How long it took. */
  readonly ms: number;
  /** Bytes of the body that were read. */
  readonly bytes: number;
  /** Whether more came than was read. */
  readonly isCut: boolean;
  /** The body; JSON with a member a line. */
  readonly text: string;
  /** Headers that say what was used up, and how long to wait. */
  readonly headers: readonly (readonly [name: string, value: string])[];
}

const bytesMax = 1_000_000;
const shownMax = 100_000;
const shownHeaders = /^(?:retry-after|etag|x-.*weight.*)$/;

/** The beginning of a body: an export has no end that a page could show. */
async function readBeginning(response: Response): Promise<{ readonly text: string; bytes: number; isCut: boolean }> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  while (reader !== undefined) {
    const { done, value } = await reader.read();
    if (done) break;
    bytes += value.length;
    text += decoder.decode(value, { stream: true });
    if (bytes < bytesMax) continue;
    void reader.cancel();
    return { text, bytes, isCut: true };
  }
  return { text: text + decoder.decode(), bytes, isCut: false };
}

function spacious(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // It is no JSON, or not the whole of it.
    return text;
  }
}

/** Reads an answer, of which only the beginning is kept if it is long. */
export async function readAnswer({ response, sentAt }: Sent): Promise<AnswerText> {
  const { text, bytes, isCut } = await readBeginning(response);
  const shown = isCut ? text : spacious(text);
  return {
    status: response.status,
    statusText: response.statusText,
    ms: Math.round(performance.now() - sentAt),
    bytes,
    isCut: isCut || shown.length > shownMax,
    text: shown.slice(0, shownMax),
    headers: [...response.headers].filter(([name]) => shownHeaders.test(name)),
  };
}
