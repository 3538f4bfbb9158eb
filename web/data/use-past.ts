import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { reasonOf } from '#web/data/refusal.ts';
import { session, userClient } from '#web/data/session.ts';
import { joinedRows, type PastFilter, type PastPage, type ReadPast } from '#web/data/trade-history.ts';

/** Rows that are read for a file at most. */
const savedMax = 20_000;

type PastRow = { readonly id: string; readonly side: string; readonly at: number };

/** What is past, as far as it was read. */
export interface Past<Row> {
  /** `null` until the first page was read. */
  readonly rows: readonly Row[] | null;
  readonly fault: string | null;
  readonly isReading: boolean;
  /** Older rows can be read. */
  readonly hasMore: boolean;
  readonly readMore: () => void;
  /** Everything within the filter, for a file. */
  readonly readAll: () => Promise<readonly Row[]>;
}

/**
 * Reads what is past by pages, anew when the filter changes or somebody else signs in. `live`: rows that come by
 * themselves, `null` where none do. DEC-WEB-19.
 */
export function usePast<Row extends PastRow>(
  read: ReadPast<Row>,
  filter: PastFilter,
  live: readonly Row[] | null,
): Past<Row> {
  const { symbol, from, to } = filter;
  const who = session.value;
  const [page, setPage] = useState<PastPage<Row> | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [isReading, setReading] = useState(false);
  const turn = useRef(0);
  const readPage = useCallback(
    async (known: PastPage<Row> | null): Promise<void> => {
      const client = userClient.peek();
      if (client === null) return;
      turn.current += 1;
      const own = turn.current;
      setReading(true);
      try {
        const found = await read(client, { symbol, from, to }, known?.next ?? null);
        if (own !== turn.current) return;
        setPage({ rows: joinedRows(known?.rows ?? [], found.rows), next: found.next });
        setFault(null);
      } catch (error) {
        if (own === turn.current) setFault(reasonOf(error));
      }
      if (own === turn.current) setReading(false);
    },
    [read, symbol, from, to],
  );
  useEffect(() => {
    setPage(null);
    setFault(null);
    if (who !== null) void readPage(null);
    return () => {
      turn.current += 1;
    };
  }, [readPage, who]);
  const isNow = (row: Row): boolean => (from === null || row.at >= from) && (to === null || row.at <= to);
  const readAll = async (): Promise<readonly Row[]> => {
    const client = userClient.peek();
    let all = page ?? { rows: [], next: null };
    while (client !== null && all.next !== null && all.rows.length < savedMax) {
      const found = await read(client, filter, all.next);
      all = { rows: joinedRows(all.rows, found.rows), next: found.next };
    }
    return joinedRows((live ?? []).filter(isNow), all.rows);
  };
  return {
    rows: page === null ? null : joinedRows((live ?? []).filter(isNow), page.rows),
    fault,
    isReading,
    hasMore: page !== null && page.next !== null,
    readMore: () => void readPage(page),
    readAll,
  };
}
