/** What a fault is about: requests, single pushes, or a connection as a whole. */
export type FaultSubject = 'request' | 'push' | 'connection';

/** What a kind of fault is to people, and what its form begins with. */
export interface FaultKind {
  readonly subject: FaultSubject;
  readonly title: string;
  /** What happens, and what a bot has to do about it. */
  readonly about: string;
  /** What is entered at first where the exchange has no default of its own. */
  readonly first: Readonly<Record<string, string>>;
}

const kind = (
  subject: FaultSubject,
  title: string,
  about: string,
  first: Readonly<Record<string, string>> = {},
): FaultKind => ({ subject, title, about, first });

/** Kinds of faults, in the order in which they are offered. */
const kinds: Readonly<Record<string, FaultKind>> = {
  refuse: kind(
    'request',
    'Refuse it',
    'The command is not carried out. A bot tries again; with status 429 or 418 it waits as long as Retry-After says.',
    { status: '503' },
  ),
  failAfter: kind(
    'request',
    'Carry it out, then fail',
    'The command takes effect, and its answer is lost. A bot that sends it again has two orders, unless it names them.',
    { status: '504' },
  ),
  drop: kind(
    'request',
    'Cut the connection',
    'Before the command or after it: both look alike, so a bot has to ask what became of it.',
  ),
  delay: kind(
    'request',
    'Answer late',
    'Before the command, so that it comes late or too late for its recvWindow, or before its answer is sent.',
    { ms: '800' },
  ),
  truncate: kind('request', 'Cut the answer short', 'Half of the body, or so many bytes, then the connection is cut.'),
  malform: kind('request', 'Break the answer', 'The body is no JSON any more: a parser throws where nobody catches.'),
  stale: kind(
    'request',
    'Answer what is old',
    'Reads answer what was true a while ago: a new order is not listed yet.',
    {
      ms: '2000',
    },
  ),
  gap: kind('push', 'Leave a push out', 'Versions of a book do not fit: it has to be fetched anew.'),
  duplicate: kind('push', 'Push twice', 'What was seen before has to be told from what is new.'),
  reorder: kind('push', 'Push out of order', 'The push comes behind the next one of its channel.'),
  slow: kind('push', 'Push late', 'Quotes follow the market of a moment ago.', { ms: '250' }),
  stall: kind('push', 'Fall silent', 'Nothing comes for a while, then all of it; nothing says so.', { ms: '5000' }),
  close: kind(
    'push',
    'Close the connection',
    'It ends instead of the push. Listen key, subscriptions and books begin anew. Without a code it is cut.',
  ),
  refuseUpgrade: kind('connection', 'Refuse a websocket', 'It is not opened: a bot must not hammer.', {
    status: '503',
  }),
  unansweredPing: kind('connection', 'Ignore pings', 'A dead connection is told by nothing else.'),
};

const names = Object.keys(kinds);

/** A kind by its name; one that is not described is told by its name. */
export const faultKind = (name: string): FaultKind => kinds[name] ?? kind('request', name, '');

/** Kinds that an exchange has, in the order in which they are offered; those that are not described come last. */
export const inOrder = (has: readonly string[]): readonly string[] => [
  ...names.filter((name) => has.includes(name)),
  ...has.filter((name) => !names.includes(name)),
];

const subjectTitles: Readonly<Record<FaultSubject, string>> = {
  request: 'Requests',
  push: 'Pushes',
  connection: 'Websockets',
};

/** What a kind is called where it is chosen. */
export function kindTitle(name: string): string {
  const { subject, title } = faultKind(name);
  return `${subjectTitles[subject]}: ${title.charAt(0).toLowerCase()}${title.slice(1)}`;
}

const unmatched: Readonly<Record<FaultSubject, readonly string[]>> = {
  request: ['channel'],
  push: ['path', 'method'],
  connection: ['path', 'method', 'channel', 'pair'],
};

/** Whether a kind can be narrowed down by a member of a match. */
export const isMatchedBy = (name: string, member: string): boolean =>
  !unmatched[faultKind(name).subject].includes(member);
