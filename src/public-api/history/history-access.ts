import { CandlePages } from '#public-api/spot/candle-pages.ts';
import { HistoryReads } from '#public-api/history/history-reads.ts';

/** How handlers reach history where many may ask for much: in turn, and with printed candles kept. */
export interface HistoryAccess {
  readonly reads: HistoryReads;
  readonly pages: CandlePages;
}

/** Access without anything kept or waiting; the gateways of a process share one. */
export function createHistoryAccess(): HistoryAccess {
  const reads = new HistoryReads();
  return { reads, pages: new CandlePages(reads) };
}
