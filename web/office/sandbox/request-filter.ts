import type { Item, Members } from '#web/office/data/office-calls.ts';
import type { ControlFaults } from '#web/office/sandbox/use-control.ts';

/** An entry of the request log in its list. */
export type Logged = Item<'listRequests'>;
type Kind = Logged['kind'];

/** What is looked at: a kind of entries, or `all` that clients did. */
export type Shown = Kind | 'all';

/** What can be looked at, in words. */
export const shownKinds: readonly { readonly value: Shown; readonly text: string }[] = [
  { value: 'request', text: 'REST of clients' },
  { value: 'all', text: 'All of clients' },
  { value: 'push', text: 'Pushes' },
  { value: 'message', text: 'Messages' },
  { value: 'reply', text: 'Replies' },
  { value: 'opened', text: 'Websockets opened' },
  { value: 'closed', text: 'Websockets closed' },
  { value: 'refused', text: 'Websockets refused' },
  { value: 'control', text: 'Operators' },
];

/** What was entered to narrow the list down; what is empty narrows nothing. */
export interface RequestFilter {
  readonly shown: Shown;
  readonly method: string;
  readonly path: string;
  /** A uid. */
  readonly account: string;
  /** Status or close code. */
  readonly status: string;
  /** Name of an error. */
  readonly refusal: string;
  readonly channel: string;
  readonly connection: string;
}

/** What is looked at first: requests, which the frames of streams would flood. */
export const firstFilter: RequestFilter = {
  ...{ shown: 'request', method: '', path: '', account: '', status: '', refusal: '', channel: '', connection: '' },
};

const filterNames = Object.keys(firstFilter) as readonly (keyof RequestFilter)[];

/** Names in the query of an address; that of an opened entry is `entry`. */
const entryName = 'entry';

/** What the page of an address shows: the filter, and the entry that is opened; `null`: none. */
export interface RequestView {
  readonly filter: RequestFilter;
  readonly entry: number | null;
}

/** Reads what the query of an address says; what it does not say, or says wrongly, is as at first. */
export function viewOf(search: string): RequestView {
  const query = new URLSearchParams(search);
  const given = filterNames.flatMap((name) => {
    const value = query.get(name);
    const isKnown = name !== 'shown' || shownKinds.some((kind) => kind.value === value);
    return value === null || !isKnown ? [] : [[name, value.slice(0, 256)]];
  });
  const entry = query.get(entryName) ?? '';
  return {
    filter: { ...firstFilter, ...Object.fromEntries(given) },
    entry: /^\d{1,15}$/.test(entry) ? Number(entry) : null,
  };
}

/** The query of an address that shows the same again, without what is as at first. */
export function searchOf({ filter, entry }: RequestView): string {
  const changed = filterNames.filter((name) => filter[name] !== firstFilter[name]);
  const query = new URLSearchParams(changed.map((name) => [name, filter[name]]));
  if (entry !== null) query.set(entryName, String(entry));
  return query.size === 0 ? '' : `?${query}`;
}

/** What can be asked for of the members, and why of what was entered something cannot. */
export interface FilterReading {
  readonly members: Members<'listRequests'>;
  readonly faults: ControlFaults;
}

const wholes = [
  ['account', 1, 999_999_999, 'It must be a uid.'],
  ['status', 100, 4999, 'It must be a status such as 400, or a close code such as 1001.'],
  ['connection', 1, Number.MAX_SAFE_INTEGER, 'It must be the number of a websocket.'],
] as const;

/** Reads a filter; what cannot be read narrows nothing. DEC-WEB-65. */
export function readFilter(filter: RequestFilter): FilterReading {
  const { shown, method, path, refusal, channel } = filter;
  const faults: Record<string, string> = {};
  const numbers: Record<string, number> = {};
  for (const [name, min, max, fault] of wholes) {
    const text = filter[name].trim();
    const value = Number(text);
    if (text === '') continue;
    if (/^\d{1,16}$/.test(text) && value >= min && value <= max) numbers[name] = value;
    else faults[name] = fault;
  }
  const texts: Record<string, string> = {};
  const take = (name: string, text: string, isRight: boolean, fault: string): void => {
    if (text === '') return;
    if (isRight) texts[name] = text;
    else faults[name] = fault;
  };
  take('path', path.trim(), /^\/[\x21-\x7e]{0,255}$/.test(path.trim()), 'It must be a path such as /api/v3/order.');
  take('refusal', refusal.trim(), refusal.trim().length <= 64, 'It must be the name of an error.');
  take('channel', channel.trim(), /^[\x21-\x7e]{1,128}$/.test(channel.trim()), 'It must be the name of a channel.');
  const members = {
    ...(shown === 'all' ? {} : { kind: shown }),
    ...(method === '' ? {} : { method }),
    ...texts,
    ...numbers,
  } as Members<'listRequests'>;
  return { members, faults };
}
