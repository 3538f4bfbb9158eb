import { type Act, hashOfAct, nameOfAct, noActs } from '#model/act.ts';
import type { OperatorActRow } from '#history/tables/wallet-tables.ts';
import type { StoredAct } from '#history/sqlite/stored-acts.ts';

/** What history says of its acts, and what is wrong with them. */
export interface StoredChain {
  /** Hashes and entries by the number of the act. */
  readonly acts: ReadonlyMap<number, Pick<Act, 'hash' | 'seq'>>;
  /** Each names the act. */
  readonly faults: readonly string[];
  /** Whether a fault is about the act with this number. */
  readonly isBroken: (number: number) => boolean;
}

/**
 * Computes the chain of acts from the rows of history: a changed, missing or added row is found. After a changed one
 * the chain goes on, so that each fault is told apart.
 */
export function checkStoredActs(stored: Iterable<StoredAct>): StoredChain {
  const chain = new RunningChain();
  for (const each of stored) {
    if ('fault' in each) chain.unreadable(each.fault);
    else chain.take(each.row);
  }
  const { acts, faults, broken } = chain;
  const isBroken = (number: number): boolean => broken.some(([from, to]) => from <= number && number <= to);
  return { acts, faults, isBroken };
}

class RunningChain {
  readonly acts = new Map<number, Pick<Act, 'hash' | 'seq'>>();
  readonly faults: string[] = [];
  /** First and last numbers of acts that faults are about. */
  readonly broken: [from: number, to: number][] = [];
  /** What the hash of the last act may be: as it is stored, and as it is computed; nothing is known after a gap. */
  private heads: readonly string[] = [noActs.hash];
  private next = 1;

  unreadable(fault: string): void {
    this.report(this.next, `act ${this.next} of history cannot be read: ${fault}`);
    this.heads = [];
    this.next += 1;
  }

  take(row: OperatorActRow): void {
    const isNext = row.number === this.next;
    // An act whose number alone was changed stands in its place still.
    if (!isNext && this.heads.length > 0 && this.follows({ ...row, number: this.next })) {
      this.report(this.next, `${nameOfAct(row)} of history is not what its hash says: it is act ${this.next}`);
      this.goOn(row);
      return;
    }
    if (row.number < this.next || !Number.isSafeInteger(row.number)) {
      this.report(row.number, `${nameOfAct(row)} of history is out of its order`);
      return;
    }
    if (!isNext) this.missing(row.number - 1);
    if (!this.follows(row)) {
      const computed = this.heads.map((head) => hashOfAct(head, row));
      this.report(row.number, `${nameOfAct(row)} of history is not what its hash says`);
      this.goOn(row, computed);
      return;
    }
    if (row.isRefused !== (row.refusal !== null))
      this.report(
        row.number,
        `${nameOfAct(row)} of history is found as if it was ${row.isRefused ? 'refused' : 'done'}`,
      );
    this.goOn(row);
  }

  private follows(row: OperatorActRow): boolean {
    return this.heads.length === 0 || this.heads.some((head) => hashOfAct(head, row) === row.hash);
  }

  private goOn({ hash, seq }: OperatorActRow, computed: readonly string[] = []): void {
    this.heads = [hash, ...computed];
    this.acts.set(this.next, { hash, seq });
    this.next += 1;
  }

  private missing(last: number): void {
    const { next } = this;
    this.faults.push(`act ${next}${last > next ? ` to ${last}` : ''} of history is missing`);
    this.broken.push([next, last]);
    this.heads = [];
    this.next = last + 1;
  }

  private report(number: number, fault: string): void {
    this.faults.push(fault);
    this.broken.push([number, number]);
  }
}
