import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { BourseClient } from '#client/client.ts';
import { type Refusal, refusalOf } from '#web/data/refusal.ts';
import { userClient } from '#web/data/session.ts';

/** What was asked for, as far as it is there. */
export interface Answer<Value> {
  /** `null` until it was read. */
  readonly value: Value | null;
  /** Why it could not be read last time. */
  readonly fault: string | null;
  /** Asks again. */
  readonly reload: () => void;
}

interface Read<Value> {
  readonly key: string;
  readonly value: Value | null;
  readonly fault: string | null;
}

/**
 * Asks as whoever is signed in, again when `of` changes, and every `everyMs` while the page is in sight. What was read
 * stays until something newer is there; answers that come too late are left out.
 */
export function useAnswer<Value>(
  ask: (client: BourseClient) => Promise<Value>,
  of: readonly (string | number | null)[],
  everyMs?: number,
): Answer<Value> {
  const client = userClient.value;
  const key = JSON.stringify(of);
  const asked = useRef(0);
  const isUnderWay = useRef(false);
  const latestAsk = useRef(ask);
  latestAsk.current = ask;
  const [read, setRead] = useState<Read<Value> & { readonly client: BourseClient | null }>({
    ...{ key, client, value: null, fault: null },
  });
  const reload = useCallback(() => {
    if (client === null) return;
    asked.current += 1;
    const turn = asked.current;
    isUnderWay.current = true;
    const isLate = (): boolean => {
      if (turn === asked.current) isUnderWay.current = false;
      return turn !== asked.current;
    };
    latestAsk.current(client).then(
      (value) => isLate() || setRead({ key, client, value, fault: null }),
      (error: unknown) => {
        if (isLate()) return;
        const fault = refusalOf(error).text;
        setRead((old) => ({ key, client, fault, value: old.key === key && old.client === client ? old.value : null }));
      },
    );
  }, [client, key]);
  useEffect(() => {
    reload();
    // A slow answer is waited for: asking over it again and again would leave out every one.
    const look = (): void => {
      if (!document.hidden && !isUnderWay.current) reload();
    };
    const timer = everyMs === undefined ? null : setInterval(look, everyMs);
    return () => {
      asked.current += 1;
      if (timer !== null) clearInterval(timer);
    };
  }, [reload, everyMs]);
  const isCurrent = read.key === key && read.client === client;
  return { value: isCurrent ? read.value : null, fault: isCurrent ? read.fault : null, reload };
}

/** An act that a form asks for. */
export interface Act {
  readonly isBusy: boolean;
  /** Why the last try was refused. */
  readonly refusal: Refusal | null;
  /** Does it, unless it is under way; resolves with whether it was done. */
  readonly run: (work: (client: BourseClient) => Promise<void>) => Promise<boolean>;
  /** Forgets the refusal: what it was about was changed. */
  readonly forget: () => void;
}

/** Keeps what a form needs to know of its act: whether it is under way, and why it was refused. DEC-WEB-30. */
export function useAct(): Act {
  const isRunning = useRef(false);
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const run: Act['run'] = async (work) => {
    const client = userClient.peek();
    if (client === null || isRunning.current) return false;
    isRunning.current = true;
    setBusy(true);
    setRefusal(null);
    try {
      await work(client);
      return true;
    } catch (error) {
      setRefusal(refusalOf(error));
      return false;
    } finally {
      isRunning.current = false;
      setBusy(false);
    }
  };
  return { isBusy, refusal, run, forget: () => setRefusal(null) };
}

/** What a refusal says of one of these parameters; `null`: nothing. */
export const faultAt = (refusal: Refusal | null, ...parameters: readonly string[]): string | null =>
  refusal?.parameter != null && parameters.includes(refusal.parameter) ? refusal.text : null;
