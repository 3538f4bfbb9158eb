import type { ContractRules } from '#model/contract.ts';
import type { SymbolId, TimestampMs } from '#model/units.ts';

/*
 * The port of index prices: sources give prices of what a contract is about, and `index-mean.ts` makes one price of
 * them. Prices are in the settle coin for one base coin, in steps of 10^-markDecimals.
 */

/** What one source says of a contract. */
export interface IndexSource {
  /** Unique among the sources of a contract. */
  readonly name: string;
  /** Its share in the mean against those of others; a whole number from 1 to `indexWeightMax`. */
  readonly weight: number;
  /** Above zero; a safe integer. */
  readonly price: number;
  /** Moment of the price, on the exchange's clock. */
  readonly at: TimestampMs;
  /** Last moment at which it is live. */
  readonly liveUntil: TimestampMs;
}

/** Greatest weight of a source. */
export const indexWeightMax = 1_000_000;

/** Some of the sources of contracts. */
export interface IndexFeed {
  /** What they say now; a source that has nothing to say is absent. */
  sourcesOf(contract: ContractRules, now: TimestampMs): Promise<readonly IndexSource[]>;
}

/** Why a source counts or does not. */
export type SourceStanding = 'counted' | 'stale' | 'deviating' | 'outweighed';

/** A source, and what became of its price. */
export interface JudgedSource extends IndexSource {
  readonly standing: SourceStanding;
}

/** An index price, and what it is made of. */
export interface IndexReading {
  /** `null`: no source counts. */
  readonly price: number | null;
  readonly sources: readonly JudgedSource[];
}

/** Index prices of contracts. */
export interface PriceIndex {
  /** Reads all sources of a contract. @throws whatever a feed throws. */
  read(contract: ContractRules, now: TimestampMs): Promise<IndexReading>;
}

/** Sources whose prices operators give; they are kept in memory only, and a restart forgets them. */
export interface OperatorFeed extends IndexFeed {
  /** Takes the place of what the source said before; false: the contract has `operatorSourcesMax` others. */
  give(contract: SymbolId, source: IndexSource): boolean;
  /** Whether the source was there to be taken away. */
  remove(contract: SymbolId, name: string): boolean;
}

/** Sources of one contract that operators may give prices of. */
export const operatorSourcesMax = 20;
