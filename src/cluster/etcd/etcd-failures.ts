import { LogFull, LogUnreachable } from '#cluster/command-log.ts';

/** Codes of gRPC that etcd's answers carry. */
export const etcdCodes = {
  invalidArgument: 3,
  notFound: 5,
  permissionDenied: 7,
  resourceExhausted: 8,
  failedPrecondition: 9,
  outOfRange: 11,
  unimplemented: 12,
  unauthenticated: 16,
} as const;

/** With these nothing was done. With all others nobody can say. */
const definite: ReadonlySet<number> = new Set(Object.values(etcdCodes));

/** etcd refused a request for good: nothing happened. */
export class EtcdRefusal extends Error {
  override name = 'EtcdRefusal';
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** An answer that is larger than any that was asked for. */
export class AnswerTooLarge extends Error {
  override name = 'AnswerTooLarge';
}

const textMax = 300;

/** What an answer with another status than 200 means. */
export function failureOf(status: number, text: string): Error {
  const { code, message } = told(text);
  const words = `etcd: ${message.slice(0, textMax).replace(/[^\x20-\x7e]/g, '?')}`;
  if (code === etcdCodes.resourceExhausted) {
    if (message.includes('space exceeded')) return new LogFull(words);
    if (message.includes('larger than max')) return new AnswerTooLarge(words);
    return new LogUnreachable(words);
  }
  if (code !== null && definite.has(code)) return new EtcdRefusal(code, words);
  return new LogUnreachable(`${words} (HTTP ${status})`);
}

function told(text: string): { readonly code: number | null; readonly message: string } {
  try {
    const { code, message } = JSON.parse(text);
    if (typeof code === 'number' && typeof message === 'string') return { code, message };
  } catch {
    // A proxy in between may answer anything.
  }
  return { code: null, message: text };
}

const neverSent = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/** Whether a request failed before a member could have got it. */
export function hasNotBeenSent(error: unknown): boolean {
  if (!(error instanceof LogUnreachable)) return false;
  const cause = error.cause as NodeJS.ErrnoException | undefined;
  return neverSent.has(cause?.code ?? '') && (cause?.syscall === 'connect' || cause?.syscall === 'getaddrinfo');
}
