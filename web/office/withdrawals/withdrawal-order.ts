/** By what the queue is ordered. */
export type QueueOrder = 'age' | 'worth';

interface Queued {
  readonly requestedAt: number;
  /** Worth in the asset that rules value in; `null`: there is no price. */
  readonly value: string | null;
}

/** Withdrawals, the oldest or those of the greatest worth first; what has no price is worth a look before all. */
export const ordered = <Each extends Queued>(queue: readonly Each[], by: QueueOrder): readonly Each[] =>
  queue.toSorted((one, other) =>
    by === 'age'
      ? one.requestedAt - other.requestedAt
      : worthOf(other) - worthOf(one) || one.requestedAt - other.requestedAt,
  );

const worthOf = ({ value }: Queued): number => (value === null ? Number.POSITIVE_INFINITY : Number(value));

const units = [
  { seconds: 86_400, sign: 'd' },
  { seconds: 3600, sign: 'h' },
  { seconds: 60, sign: 'min' },
] as const;

/** How long ago something was, in its greatest unit. */
export function ageText(at: number, now: number): string {
  const seconds = Math.max(0, Math.floor((now - at) / 1000));
  const unit = units.find((each) => seconds >= each.seconds);
  return unit === undefined ? `${seconds} s` : `${Math.floor(seconds / unit.seconds)} ${unit.sign}`;
}
