import { useEffect, useRef, useState } from 'preact/hooks';
import type { BourseClient } from '#client/client.ts';
import { publicClient } from '#web/data/clients.ts';
import { reasonOf } from '#web/data/refusal.ts';

/** What was read last: `null` until the first answer. */
export interface Reading<Value> {
  readonly value: Value | null;
  readonly fault: string | null;
}

/** Reads something of a contract now and every so often, while somebody looks. */
export function useReading<Value>(
  symbol: string,
  ask: (client: BourseClient, symbol: string) => Promise<Value>,
  everyMs: number,
): Reading<Value> {
  const [reading, setReading] = useState<Reading<Value>>({ value: null, fault: null });
  const latestAsk = useRef(ask);
  latestAsk.current = ask;
  useEffect(() => {
    let isOver = false;
    const read = (): void => {
      latestAsk.current(publicClient, symbol).then(
        (value) => {
          if (!isOver) setReading({ value, fault: null });
        },
        (error: unknown) => {
          if (!isOver) setReading((known) => ({ ...known, fault: reasonOf(error) }));
        },
      );
    };
    setReading({ value: null, fault: null });
    read();
    const timer = setInterval(() => {
      if (!document.hidden) read();
    }, everyMs);
    return () => {
      isOver = true;
      clearInterval(timer);
    };
  }, [symbol, everyMs]);
  return reading;
}

const two = (value: number): string => String(value).padStart(2, '0');

/** Time until a moment as hours, minutes and seconds; nothing is left after it. */
export function leftText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}
