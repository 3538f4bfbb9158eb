import { useEffect, useState } from 'preact/hooks';
import { askFutures } from '#web/data/contracts.ts';
import { reasonOf } from '#web/data/rest.ts';

/** The rate of the running cycle, and when it is paid. */
export interface FundingRate {
  readonly fundingRate: number;
  readonly maxFundingRate: number;
  readonly minFundingRate: number;
  /** Hours of a cycle. */
  readonly collectCycle: number;
  readonly nextSettleTime: number;
}

/** A page of a list. */
export interface ListPage<Row> {
  readonly resultList: readonly Row[];
}

/** A rate that was paid. */
export interface PaidRate {
  readonly fundingRate: number;
  readonly settleTime: number;
}

/** The insurance fund at a time. */
export interface FundBalance {
  readonly currency: string;
  readonly available: number;
  readonly snapshotTime: number;
}

/** Levels of a book: price, orders, contracts; with the setting of other clients price, contracts, orders. */
export interface ContractDepth {
  readonly asks: readonly (readonly [number, number, number])[];
  readonly bids: readonly (readonly [number, number, number])[];
}

/** A trade of a contract: price, contracts, side of the taker (1 bought), time. */
export interface ContractDeal {
  readonly p: number;
  readonly v: number;
  readonly T: number;
  readonly t: number;
}

/** What was read last: `null` until the first answer. */
export interface Reading<Value> {
  readonly value: Value | null;
  readonly fault: string | null;
}

/** Reads something of the futures side now and every so often, while somebody looks. */
export function useReading<Value>(path: string, parameters: Record<string, string | number>, everyMs: number) {
  const [reading, setReading] = useState<Reading<Value>>({ value: null, fault: null });
  const asked = JSON.stringify(parameters);
  useEffect(() => {
    let isOver = false;
    const read = (): void => {
      askFutures<Value>(path, JSON.parse(asked)).then(
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
  }, [path, asked, everyMs]);
  return reading;
}

const two = (value: number): string => String(value).padStart(2, '0');

/** Time until a moment as hours, minutes and seconds; nothing is left after it. */
export function leftText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}
