import { wireLimits } from '#api/limits.ts';

/** What a client asks for. decisions.md section 7, "Frames". */
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
/** Longer than any channel name. */
const channelLengthMax = 128;

/** Reads one client message. Methods may be written in lower case; an absent id is 0. */
export function readRequest(text: string): StreamRequest | MalformedRequest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // A text that is not JSON has no id.
    return { method: null, id: 0, fault: 'A message must be JSON.' };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { method: null, id: 0, fault: 'A message must be a JSON object.' };
  }
  const members = value as Readonly<Record<string, unknown>>;
  const id = readId(members['id']);
  if (id === null) return { method: null, id: 0, fault: "'id' must be an unsigned integer." };
  const written = members['method'];
  const method = methods.find((known) => known === written || known.toLowerCase() === written);
  if (method === undefined) {
    return { method: null, id, fault: "'method' must be SUBSCRIPTION, UNSUBSCRIPTION or PING." };
  }
  if (method === 'PING') return { method, channels: [], id };
  const channels = readChannels(members['params']);
  if (channels === null) return { method: null, id, fault: "'params' must be an array of channel names." };
  return { method, channels, id };
}

function readId(value: unknown): number | null {
  if (value === undefined || value === null) return 0;
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

/** Bounded by the number of names that fit into one message. */
function readChannels(value: unknown): readonly string[] | null {
  if (!Array.isArray(value) || value.length === 0 || value.length > wireLimits.streams.messageBytes) return null;
  const isName = (name: unknown): name is string => typeof name === 'string' && name.length <= channelLengthMax;
  return value.every(isName) ? [...new Set<string>(value)] : null;
}

const reply = (id: number, code: number, msg: string): string => JSON.stringify({ id, code, msg });

/** Replies, as text. Their wording is what existing clients look for. reference-facts 2.9. */
export const replies = {
  done: (id: number, channels: readonly string[]): string => reply(id, 0, channels.join(',')),
  /** Names the refused channels; all others were accepted. */
  refused: (id: number, channels: readonly string[]): string =>
    reply(id, 0, `Not Subscribed successfully! [${channels.join(',')}].  Reason： Blocked! `),
  pong: (id: number): string => reply(id, 0, 'PONG'),
  malformed: ({ id, fault }: MalformedRequest): string => reply(id, 1, fault),
} as const;
