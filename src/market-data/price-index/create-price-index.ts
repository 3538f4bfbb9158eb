import { indexMean } from '#market-data/price-index/index-mean.ts';
import type { IndexFeed, PriceIndex } from '#market-data/price-index/price-index.ts';

/** Index prices by the mean of what these feeds say. DEC-FUT-03. */
export const createPriceIndex = (feeds: readonly IndexFeed[]): PriceIndex => ({
  read: async (contract, now) => {
    const told = await Promise.all(feeds.map((feed) => feed.sourcesOf(contract, now)));
    return indexMean(told.flat(), now);
  },
});
