import type { Item, Members } from '#web/office/data/office-calls.ts';
import type { ControlFaults } from '#web/office/sandbox/use-control.ts';

/** An entry of the request log in its list. */
export type Logged = Item<'listRequests'>;
type Kind = Logged['kind'];

/** What is looked at: a kind of entries, or `all` that clients did. */
export type Shown = Kind | 'all';

/** What can be looked at, in words. */
export const shownKinds: readonly { readonly value: Shown; readonly text: string }[] = [
  { value: 'all', text: 'Everything' },
  { value: 'request', text: 'Requests' },
  { value: 'push', text: 'Pushes' },
  { value: 'message', text: 'Messages of clients' },
  { value: 'reply', text: 'Replies to messages' },
  { value: 'opened', text: 'Websockets opened' },
  { value: 'closed', text: 'Websockets closed' },
  { value: 'refused', text: 'Websockets refused' },
  { value: 'control', text: 'Controls of operators' },
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

/** A filter that lets all through. */
export const noFilter: RequestFilter = {
  ...{ shown: 'all', method: '', path: '', account: '', status: '', refusal: '', channel: '', connection: '' },
};

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
