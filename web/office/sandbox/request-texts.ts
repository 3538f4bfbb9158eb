import type { Standing } from '#web/design/facts.tsx';
import type { Answer } from '#web/office/data/office-calls.ts';
import type { Logged } from '#web/office/sandbox/request-filter.ts';

/** An entry of the request log as a whole. */
export type Entry = Answer<'getRequest'>;

/** What an entry is, in a line. */
export function whatText({ kind, method, path, connection, channel, text }: Logged): string {
  const socket = `ws ${connection ?? ''}`.trim();
  switch (kind) {
    case 'request':
    case 'control':
      return `${method ?? ''} ${path ?? ''}`;
    case 'push':
      return `${socket} → ${channel ?? ''}`;
    case 'reply':
      return `${socket} → ${text ?? ''}`;
    case 'message':
      return `${socket} ← ${text ?? ''}`;
    case 'opened':
      return `${socket} opened`;
    case 'closed':
      return `${socket} closed${text === null || text === '' ? '' : `: ${text}`}`;
    case 'refused':
      return `ws refused${text === null || text === '' ? '' : `: ${text}`}`;
  }
}

/** Closes that say nothing bad: normal, going away, and without a code. */
const goodCloses = [1000, 1001, 1005];

/** How well an entry ended. */
export function standingOf({ kind, status }: Logged): Standing {
  if (kind === 'closed') return status !== null && goodCloses.includes(status) ? '' : 'bad';
  if (kind === 'refused') return 'bad';
  if (kind !== 'request' && kind !== 'control') return '';
  return status !== null && status < 400 ? 'good' : 'bad';
}

/** The status of an entry, or that its connection was cut. */
export function statusText({ kind, status }: Logged): string {
  if (status !== null) return String(status);
  return kind === 'request' ? 'cut' : '';
}

/** A parameter as it was sent. */
export interface Parameter {
  readonly name: string;
  readonly value: string;
  readonly place: 'query' | 'body';
}

/** Digits of a signature that are shown: it is told from others, and cannot be used. */
const signatureShown = 8;

const shownValue = (name: string, value: string): string =>
  name === 'signature' && value.length > signatureShown ? `${value.slice(0, signatureShown)}…` : value;

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    // It is shown as it came.
    return text;
  }
};

const ofPairs = (text: string, place: Parameter['place']): readonly Parameter[] =>
  text
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const mark = pair.indexOf('=');
      const name = decoded(mark < 0 ? pair : pair.slice(0, mark));
      return { name, value: shownValue(name, mark < 0 ? '' : decoded(pair.slice(mark + 1))), place };
    });

function ofJson(text: string): readonly Parameter[] | null {
  try {
    const value: unknown = JSON.parse(text);
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return null;
    return Object.entries(value).map(([name, each]) => ({
      name,
      value: shownValue(name, typeof each === 'string' ? each : JSON.stringify(each)),
      place: 'body',
    }));
  } catch {
    return null;
  }
}

/** Parameters of a request, of its query and its body; `null` in place of those of a body that has none. */
export function parametersOf({ query, body, headers }: Pick<Entry, 'query' | 'body' | 'headers'>): {
  readonly parameters: readonly Parameter[];
  readonly isBodyText: boolean;
} {
  const inQuery = ofPairs(query ?? '', 'query');
  if (body === null || body === '') return { parameters: inQuery, isBodyText: false };
  const isForm = (headers['content-type'] ?? '').includes('form-urlencoded');
  const inBody = isForm ? ofPairs(body, 'body') : ofJson(body);
  return { parameters: [...inQuery, ...(inBody ?? [])], isBodyText: inBody === null };
}

/** JSON with a line for each member; any other text as it is. */
export function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

const bytesInLine = 8;

/** Bytes in hexadecimal digits as lines: where each begins, its bytes, and those of them that are characters. */
export function hexLines(hex: string): string {
  const lines: string[] = [];
  for (let at = 0; at < hex.length; at += bytesInLine * 2) {
    const bytes = hex.slice(at, at + bytesInLine * 2).match(/../g) ?? [];
    const characters = bytes.map((byte) => {
      const code = Number.parseInt(byte, 16);
      return code > 31 && code < 127 ? String.fromCharCode(code) : '·';
    });
    const place = (at / 2).toString(16).padStart(4, '0');
    lines.push(`${place}  ${bytes.join(' ').padEnd(bytesInLine * 3 - 1)}  ${characters.join('')}`);
  }
  return lines.join('\n');
}
