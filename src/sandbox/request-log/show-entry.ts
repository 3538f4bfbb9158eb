import { STATUS_CODES } from 'node:http';
import type { AccountId } from '#model/units.ts';
import {
  accountOf,
  channelOf,
  faultOf,
  isControl,
  isRequest,
  keyOf,
  type LogEntry,
  momentOf,
  type RequestEntry,
  statusOf,
} from '#sandbox/request-log/log-entry.ts';
import type { Encoding } from '#websocket/pushes/push.ts';
import type { StreamHappening } from '#websocket/connections/stream-interception.ts';
import { type HideSecrets, isShownHeader } from '#sandbox/request-log/without-secrets.ts';

/** An entry in a list. */
export interface EntrySummary {
  readonly id: number;
  /** On the exchange's clock. */
  readonly at: number;
  readonly kind: LogEntry['kind'];
  readonly method: string | null;
  readonly path: string | null;
  /** Number of a websocket. */
  readonly connection: number | null;
  /** Of a push. */
  readonly channel: string | null;
  /** Uid. */
  readonly account: number | null;
  readonly key: string | null;
  /** HTTP status, or close code of a websocket; `null` of a request: the connection was cut without an answer. */
  readonly status: number | null;
  /** Name of the error that refused it. */
  readonly refusal: string | null;
  /** Id of the fault that touched it. */
  readonly fault: string | null;
  /** Milliseconds of the machine until the answer. */
  readonly durationMs: number | null;
  /** Beginning of what a websocket carried as text, or of why it ended; `null`: it is a request or a push. */
  readonly text: string | null;
}

/** An entry as a whole. */
export interface ShownEntry extends EntrySummary {
  /** Id of the endpoint. */
  readonly endpoint: string | null;
  /** Address of the client. */
  readonly address: string | null;
  readonly query: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly answerHeaders: Readonly<Record<string, string>>;
  readonly answer: string | null;
  /** Bytes of the answer that were sent before the connection was cut; `null`: all. */
  readonly cutAfter: number | null;
  /** Of a touched one: the status that it had else; `null`: its command was not carried out. */
  readonly carriedOut: number | null;
  /** How a push was written; `null`: it is none. */
  readonly encoding: Encoding | null;
  /** Bytes of its frame. */
  readonly frameBytes: number | null;
  /** What its frame carried, in hexadecimal digits, cut after 4096 bytes; `null`: a secret stands in it. */
  readonly frame: string | null;
  /** Where the signature was wrong: the text to sign, and its signature. */
  readonly signedText: string | null;
  readonly expectedSignature: string | null;
}

/** What showing asks. */
export interface ShowParts {
  readonly hide: HideSecrets;
  /** Headers that carry the access key, in lower case. */
  readonly keyHeaders: readonly string[];
  readonly uidOf: (account: AccountId) => Promise<number | null>;
}

const textOf = (value: string | readonly string[] | undefined): string =>
  value === undefined ? '' : typeof value === 'string' ? value : value.join(', ');

/** Headers that were sent, without those that could carry a secret; that of the key where the key exists. */
function headersOf(
  { request: { headers, key } }: RequestEntry,
  { hide, keyHeaders }: ShowParts,
): Record<string, string> {
  const isShown = (name: string): boolean =>
    isShownHeader(name) || (keyHeaders.includes(name) && textOf(headers[name]) === key?.accessKey);
  return Object.fromEntries(
    Object.keys(headers)
      .filter(isShown)
      .map((name) => [name, hide(textOf(headers[name]))]),
  );
}

/** What the sandbox answers where a signature is wrong is shown apart, and there without secrets. */
const signedTextHeader = 'x-bourse-signed-text';

/** Headers of an answer that say something about this one. */
function answerHeadersOf({ request }: RequestEntry): Record<string, string> {
  const { usedWeight, retryAfterSeconds, answerHeaders } = request;
  const headers: Record<string, string> = {};
  if (usedWeight !== null) headers['x-svc-used-weight'] = String(usedWeight);
  if (retryAfterSeconds !== null) headers['retry-after'] = String(retryAfterSeconds);
  for (let at = 0; at < answerHeaders.length; at += 2)
    if (answerHeaders[at] !== signedTextHeader) headers[answerHeaders[at] as string] = answerHeaders[at + 1] ?? '';
  return headers;
}

/** Characters of a text that a list shows, and bytes of a frame that an entry does. */
const [textInList, frameBytesMax] = [160, 4096];

function textInListOf(entry: LogEntry, hide: HideSecrets): string | null {
  if (isRequest(entry) || isControl(entry)) return null;
  const { happening } = entry;
  const text = 'text' in happening ? happening.text : 'reason' in happening ? happening.reason : null;
  return text === null ? null : hide(text).slice(0, textInList);
}

/** An entry in a list. */
export async function summaryOf(entry: LogEntry, { hide, uidOf }: ShowParts): Promise<EntrySummary> {
  const request = isRequest(entry) ? entry.request : null;
  const called = isControl(entry) ? entry.control : request;
  const account = accountOf(entry);
  return {
    id: entry.id,
    at: momentOf(entry),
    kind: entry.kind,
    method: called?.method ?? null,
    path: called === null ? null : hide(called.path),
    connection: isRequest(entry) || isControl(entry) ? null : entry.subject.connection,
    channel: channelOf(entry),
    account: account === null ? null : await uidOf(account),
    key: keyOf(entry),
    status: statusOf(entry),
    refusal: request?.refusal ?? null,
    fault: faultOf(entry),
    durationMs: isRequest(entry) ? entry.durationMs : null,
    text: textInListOf(entry, hide),
  };
}

/** What only requests have. */
const ofNoRequest = {
  ...{ endpoint: null, query: null, headers: {}, answerHeaders: {}, cutAfter: null, carriedOut: null },
  ...{ signedText: null, expectedSignature: null },
};

/** What only pushes have. */
const ofNoPush = { encoding: null, frameBytes: null, frame: null };

/** A push as it was written; `isHidden`: something of it is a secret, so that its bytes are not shown. */
function frameOf(happening: StreamHappening, isHidden: boolean): Pick<ShownEntry, 'encoding' | 'frameBytes' | 'frame'> {
  if (happening.kind !== 'push') return ofNoPush;
  const { push, encoding, bytes } = happening;
  const carried = isHidden ? null : push.payload(encoding).subarray(0, frameBytesMax).toString('hex');
  return { encoding, frameBytes: bytes, frame: carried };
}

/** What a client sent on a websocket, and what it was sent: pushes as JSON, whatever their encoding. */
function textsOf(happening: StreamHappening): { readonly body: string | null; readonly answer: string | null } {
  switch (happening.kind) {
    case 'opened':
      return { body: null, answer: null };
    case 'closed':
      return { body: null, answer: happening.reason };
    case 'message':
      return { body: happening.text, answer: null };
    case 'reply':
    case 'refused':
      return { body: null, answer: happening.text };
    case 'push':
      return { body: null, answer: happening.push.payload('json').toString('utf8') };
  }
}

/** An entry as a whole, without secrets. DEC-KIT-27, DEC-KIT-28. */
export async function shownEntry(entry: LogEntry, parts: ShowParts): Promise<ShownEntry> {
  const { hide } = parts;
  const hidden = (text: string | null): string | null => (text === null ? null : hide(text));
  const summary = await summaryOf(entry, parts);
  if (isControl(entry)) {
    const { endpoint, query, body, answer } = entry.control;
    const shown = { endpoint, query: hide(query), body: hidden(body), answer: hidden(answer) };
    return { ...ofNoRequest, ...ofNoPush, ...summary, address: null, ...shown };
  }
  if (!isRequest(entry)) {
    const { body, answer } = textsOf(entry.happening);
    const texts = { address: entry.subject.address, body: hidden(body), answer: hidden(answer) };
    return { ...ofNoRequest, ...frameOf(entry.happening, texts.answer !== answer), ...summary, ...texts };
  }
  const { request, answer } = entry;
  const headers = answerHeadersOf(entry);
  const signing = request.expectedSigning;
  return {
    ...summary,
    endpoint: request.route?.id ?? null,
    address: request.client.text,
    query: hide(request.query),
    headers: headersOf(entry, parts),
    body: hidden(request.body?.toString('utf8') ?? null),
    answerHeaders: Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, hide(text)])),
    answer: answer.status === null ? null : hide(answer.text),
    cutAfter: answer.cutAfter,
    carriedOut: answer.carriedOut,
    ...ofNoPush,
    signedText: hidden(signing?.text ?? null),
    expectedSignature: signing?.signature ?? null,
  };
}

/** The words of a status; empty for one that has none. */
export const statusText = (status: number | null): string => STATUS_CODES[status ?? 0] ?? '';
