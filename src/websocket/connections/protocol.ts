import { type JsonFault, JsonNumber, type JsonValue, readJson } from '#base/json-reader.ts';
import { wireLimits } from '#http/limits.ts';

/** What a client asks for. SPEC-STR-02, DEC-STR-02. */
export interface StreamRequest {
  readonly method: 'SUBSCRIPTION' | 'UNSUBSCRIPTION' | 'PING';
  /** Channel names as written, each once. */
  readonly channels: readonly string[];
  readonly id: number;
}

/** Why a message is malformed; `id` is echoed if it could be read. */
export interface MalformedRequest {
  readonly method: null;
  readonly id: number;
  readonly fault: string;
}

const methods = ['SUBSCRIPTION', 'UNSUBSCRIPTION', 'PING'] as const;
const channelsMax = wireLimits.streams.channelsPerRequest;
/** Longer than any channel name. */
const channelLengthMax = 128;

const faultTexts: Readonly<Record<JsonFault, string>> = {
  malformed: 'A message must be JSON.',
  namedTwice: 'A message must not name a member twice.',
  tooDeep: 'A message must not be nested so deep.',
};

/** Reads one client message. Methods may be written in lower case; an absent id is 0. */
export function readRequest(text: string): StreamRequest | MalformedRequest {
  const read = readJson(text, wireLimits.request.jsonDepth);
  // What cannot be read has no id either.
  if (typeof read === 'string') return { method: null, id: 0, fault: faultTexts[read] };
  if (!(read.value instanceof Map)) return { method: null, id: 0, fault: 'A message must be a JSON object.' };
  const members = read.value;
  const id = readId(members.get('id'));
  if (id === null) return { method: null, id: 0, fault: "'id' must be an unsigned integer." };
  const written = members.get('method');
  const method = methods.find((known) => known === written || known.toLowerCase() === written);
  if (method === undefined) {
    return { method: null, id, fault: "'method' must be SUBSCRIPTION, UNSUBSCRIPTION or PING." };
  }
  if (method === 'PING') return { method, channels: [], id };
  const channels = readChannels(members.get('params'));
  if (channels === null) {
    return { method: null, id, fault: `'params' must be an array of 1 to ${channelsMax} channel names.` };
  }
  return { method, channels, id };
}

function readId(value: JsonValue | undefined): number | null {
  if (value === undefined || value === null) return 0;
  if (!(value instanceof JsonNumber)) return null;
  const id = Number(value.source);
  return Number.isSafeInteger(id) && id >= 0 ? id : null;
}

/** The same text as a string of its own: a part of a message would keep the whole message in memory. */
const detached = (text: string): string => Buffer.from(text, 'utf8').toString('utf8');

/** A connection keeps names as long as it is subscribed. */
function readChannels(value: JsonValue | undefined): readonly string[] | null {
  if (!Array.isArray(value) || value.length === 0 || value.length > channelsMax) return null;
  const isName = (name: JsonValue): name is string => typeof name === 'string' && name.length <= channelLengthMax;
  return value.every(isName) ? [...new Set(value.map(detached))] : null;
}

const reply = (id: number, code: number, msg: string): string => JSON.stringify({ id, code, msg });

/** Replies, as text. Their wording is what existing clients look for. DEC-STR-02. */
export const replies = {
  unsubscribed: (id: number, channels: readonly string[]): string => reply(id, 0, channels.join(',')),
  /** Names all channels, or if any is refused, the refused ones: then all others were accepted. */
  subscribed: (id: number, channels: readonly string[], refused: readonly string[]): string =>
    refused.length === 0
      ? reply(id, 0, channels.join(','))
      : reply(id, 0, `Not Subscribed successfully! [${refused.join(',')}].  Reason： Blocked! `),
  pong: (id: number): string => reply(id, 0, 'PONG'),
  malformed: ({ id, fault }: MalformedRequest): string => reply(id, 1, fault),
} as const;
