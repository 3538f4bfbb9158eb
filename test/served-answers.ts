import { AnswerCheck, type CheckedAnswer, expectDescribed } from './answer-check.ts';

/** For tests of whole processes: their answers are held against the document that the process serves. */
const documents = new Map<string, Promise<AnswerCheck | null>>();
/** Processes whose documents are kept; those of older ones are read again. */
const documentsMax = 4;

/** `null`: the process ended meanwhile. */
function documentAt(base: string): Promise<AnswerCheck | null> {
  const { origin } = new URL(base);
  const known = documents.get(origin);
  if (known !== undefined) return known;
  const read = fetch(`${origin}/openapi.json`)
    .then(async (response) => new AnswerCheck(await response.json()))
    .catch(() => {
      documents.delete(origin);
      return null;
    });
  documents.set(origin, read);
  if (documents.size > documentsMax) documents.delete(documents.keys().next().value as string);
  return read;
}

/** Throws unless the answer of a running process is one that its document describes. */
export async function expectServed(base: string, method: string, target: string, answer: CheckedAnswer): Promise<void> {
  const check = await documentAt(base);
  if (check !== null) expectDescribed(check, method, target, answer);
}

/** `fetch` of one URL whose answer is held against the document of its server. */
export async function checkedFetch(url: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(url, init);
  const { origin, pathname, search } = new URL(url);
  const { status, headers } = response;
  const text = await response.clone().text();
  await expectServed(origin, init.method ?? 'GET', pathname + search, {
    status,
    header: (name) => headers.get(name),
    text,
  });
  return response;
}
