import { useCallback, useEffect, useState } from 'preact/hooks';
import {
  type AnyMembers,
  type Answer,
  callOffice,
  type CallId,
  type Item,
  type ListId,
  type Members,
} from '#web/office/data/office-calls.ts';

/** What was read, or why it was not; both `null`: it is on its way. */
export interface Reading<Value> {
  readonly value: Value | null;
  /** Tag of the thing, to edit it by. */
  readonly tag: string | null;
  readonly fault: string | null;
  /** Reads it again. */
  readonly reload: () => void;
}

interface Read<Value> {
  readonly of: string;
  readonly value: Value | null;
  readonly tag: string | null;
  readonly fault: string | null;
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * What an endpoint shows, read when members change and every `everyMs`. `null` members: not read.
 */
export function useCall<Id extends CallId>(id: Id, members: Members<Id> | null, everyMs = 0): Reading<Answer<Id>> {
  const of = JSON.stringify([id, members]);
  const [round, setRound] = useState(0);
  const [read, setRead] = useState<Read<Answer<Id>> | null>(null);
  useEffect(() => {
    if (members === null) return;
    let isCurrent = true;
    const ask = async (): Promise<void> => {
      const next = await callOffice(id, members as AnyMembers).then(
        ({ answer, tag }) => ({ of, value: answer, tag, fault: null }),
        (error) => ({ of, value: null, tag: null, fault: textOf(error) }),
      );
      if (isCurrent) setRead(next);
    };
    void ask();
    const timer = everyMs > 0 ? setInterval(() => void ask(), everyMs) : undefined;
    return () => {
      isCurrent = false;
      clearInterval(timer);
    };
  }, [of, round, everyMs]);
  const reload = useCallback(() => setRound((count) => count + 1), []);
  const shown = read?.of === of ? read : null;
  return { value: shown?.value ?? null, tag: shown?.tag ?? null, fault: shown?.fault ?? null, reload };
}

/** A list that is read page by page. */
export interface Listing<Each> extends Reading<readonly Each[]> {
  /** Reads the next page; `null`: there is none. */
  readonly more: (() => void) | null;
}

interface Pages<Each> {
  readonly of: string;
  readonly items: readonly Each[] | null;
  readonly nextCursor: string | null;
  readonly fault: string | null;
}

interface AnyPage<Each> {
  readonly items: readonly Each[];
  readonly nextCursor?: string | null;
}

/** The first page of a list and, when they are asked for, the next ones. `null` members: not read. */
export function useList<Id extends ListId>(id: Id, members: Members<Id> | null, everyMs = 0): Listing<Item<Id>> {
  type Each = Item<Id>;
  const of = JSON.stringify([id, members]);
  const [round, setRound] = useState(0);
  const [pages, setPages] = useState<Pages<Each> | null>(null);
  const first = async (): Promise<Pages<Each>> => {
    try {
      const { answer } = await callOffice(id, members as AnyMembers);
      const { items, nextCursor = null } = answer as unknown as AnyPage<Each>;
      return { of, items, nextCursor, fault: null };
    } catch (error) {
      return { of, items: null, nextCursor: null, fault: textOf(error) };
    }
  };
  useEffect(() => {
    if (members === null) return;
    let isCurrent = true;
    const ask = (): void =>
      void first().then((next) => {
        if (isCurrent) setPages(next);
      });
    ask();
    const timer = everyMs > 0 ? setInterval(ask, everyMs) : undefined;
    return () => {
      isCurrent = false;
      clearInterval(timer);
    };
  }, [of, round, everyMs]);
  const shown = pages?.of === of ? pages : null;
  const next = async (cursor: string): Promise<void> => {
    try {
      const { answer } = await callOffice(id, { ...members, cursor });
      const { items, nextCursor = null } = answer as unknown as AnyPage<Each>;
      setPages((now) => (now?.of === of ? { ...now, items: [...(now.items ?? []), ...items], nextCursor } : now));
    } catch (error) {
      setPages((now) => (now?.of === of ? { ...now, fault: textOf(error) } : now));
    }
  };
  const cursor = shown?.nextCursor ?? null;
  return {
    value: shown?.items ?? null,
    tag: null,
    fault: shown?.fault ?? null,
    reload: useCallback(() => setRound((count) => count + 1), []),
    more: cursor === null ? null : () => void next(cursor),
  };
}
