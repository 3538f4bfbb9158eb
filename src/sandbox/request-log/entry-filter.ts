import type { AccountId } from '#model/units.ts';
import { namePattern } from '#sandbox/faults/name-pattern.ts';
import {
  accountOf,
  channelOf,
  type EntryKind,
  faultOf,
  isControl,
  isRequest,
  keyOf,
  type LogEntry,
  momentOf,
  statusOf,
} from '#sandbox/request-log/log-entry.ts';

/** Which entries are asked for; what is absent matches all. */
export interface EntryFilter {
  /** This one alone. */
  readonly id?: number | undefined;
  readonly kind?: EntryKind | undefined;
  readonly method?: string | undefined;
  /** Pattern of a path, as that of a fault. */
  readonly path?: string | undefined;
  readonly status?: number | undefined;
  readonly key?: string | undefined;
  readonly account?: AccountId | undefined;
  readonly fault?: string | undefined;
  /** Name of the error that refused it. */
  readonly refusal?: string | undefined;
  /** Number of a websocket, and name of a channel, or a pattern of one as that of a fault. */
  readonly connection?: number | undefined;
  readonly channel?: string | undefined;
  /** From this moment of the exchange's clock on. */
  readonly from?: number | undefined;
  /** Entries with a greater id. */
  readonly after?: number | undefined;
}

/** Method and path of a call; `null`: it is none. */
function calledOf(entry: LogEntry): { readonly method: string; readonly path: string } | null {
  if (isRequest(entry)) return entry.request;
  return isControl(entry) ? entry.control : null;
}

/** What tells whether an entry is asked for. A filter of requests lets no push through, and the other way round. */
export function matcherOf(filter: EntryFilter): (entry: LogEntry) => boolean {
  const { kind, method, status, key, account, fault, refusal, connection, from, after } = filter;
  const path = filter.path === undefined ? null : namePattern(filter.path, '/');
  const channel = filter.channel === undefined ? null : namePattern(filter.channel, '@');
  const asked: ((entry: LogEntry) => boolean)[] = [];
  if (filter.id !== undefined) asked.push(({ id }) => id === filter.id);
  if (after !== undefined) asked.push(({ id }) => id > after);
  if (from !== undefined) asked.push((entry) => momentOf(entry) >= from);
  // Calls of operators are another log: whoever asks for it says so.
  asked.push((entry) => (kind === undefined ? !isControl(entry) : entry.kind === kind));
  if (method !== undefined) asked.push((entry) => calledOf(entry)?.method === method);
  if (path !== null) asked.push((entry) => path.matches(calledOf(entry)?.path ?? ''));
  if (refusal !== undefined) asked.push((entry) => isRequest(entry) && entry.request.refusal === refusal);
  if (connection !== undefined)
    asked.push((entry) => !isRequest(entry) && !isControl(entry) && entry.subject.connection === connection);
  if (channel !== null) asked.push((entry) => channel.matches(channelOf(entry) ?? ''));
  if (status !== undefined) asked.push((entry) => statusOf(entry) === status);
  if (fault !== undefined) asked.push((entry) => faultOf(entry) === fault);
  if (key !== undefined) asked.push((entry) => keyOf(entry) === key);
  if (account !== undefined) asked.push((entry) => accountOf(entry) === account);
  return (entry) => asked.every((matches) => matches(entry));
}
