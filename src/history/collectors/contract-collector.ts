import type { MarkView, PositionView, Takeover } from '#model/contract.ts';
import type { Fact, Trade } from '#model/events.ts';
import type { Seq, SymbolId, TimestampMs } from '#model/units.ts';
import type { OpenBatch } from '#history/collectors/batch-queue.ts';
import { type DealFlags, DealFold } from '#history/collectors/deal-flags.ts';
import type { MarkBook } from '#history/collectors/mark-book.ts';
import type { AddRow } from '#history/collectors/wallet-collector.ts';

/** Turns what happens to contracts into rows. All of it is public or of the market, so simulated accounts count too. */
export class ContractCollector {
  readonly #add: AddRow;
  readonly #open: () => OpenBatch | null;
  readonly #marks: MarkBook;
  readonly #contracts = new Set<SymbolId>();
  readonly #deals = new DealFold((symbol) => this.#contracts.has(symbol));
  #seq = 0 as Seq;
  #at = 0 as TimestampMs;
  /** Takeovers of the entry so far. */
  #lines = 0;
  /** The batch that bars of now grow in. */
  #batch: OpenBatch | null = null;

  constructor(add: AddRow, open: () => OpenBatch | null, marks: MarkBook) {
    this.#add = add;
    this.#open = open;
    this.#marks = marks;
  }

  know(contract: SymbolId): void {
    this.#contracts.add(contract);
  }

  began(seq: Seq, at: TimestampMs): void {
    this.#seq = seq;
    this.#at = at;
    this.#lines = 0;
  }

  trade(trade: Trade): void {
    this.#deal(this.#deals.trade(trade));
  }

  position(position: PositionView): void {
    this.#deal(this.#deals.positionChanged(position));
  }

  fact(fact: Fact): void {
    switch (fact.kind) {
      case 'markUpdated':
        this.#mark(fact.mark);
        return;
      case 'fundingSettled':
        this.#add('fundingRates', { ...fact.funding, seq: this.#seq });
        return;
      case 'positionTaken':
        this.#taken(fact.takeover);
        return;
      case 'fundSnapshot': {
        const { contract, available, at } = fact;
        this.#add('fundSnapshots', { contract, at, seq: this.#seq, available });
      }
    }
  }

  #deal(flags: DealFlags | null): void {
    if (flags !== null) this.#add('contractDeals', { ...flags, at: this.#at, seq: this.#seq });
  }

  #taken(takeover: Takeover): void {
    this.#add('takeovers', { ...takeover, seq: this.#seq, line: this.#lines });
    this.#lines += 1;
  }

  #mark(mark: MarkView): void {
    const batch = this.#open();
    if (batch !== this.#batch) {
      this.#batch = batch;
      this.#marks.beginBatch();
    }
    for (const bar of this.#marks.add(mark, this.#seq)) this.#add('markBars', bar);
  }
}
