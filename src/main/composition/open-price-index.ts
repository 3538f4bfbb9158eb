import type { Clock, Repeat } from '#base/clock.ts';
import type { PollingWorker } from '#base/polling.ts';
import type { ContractRules } from '#model/contract.ts';
import { as, type SymbolId } from '#model/units.ts';
import type { Configuration } from '#main/configuration-schema.ts';
import type { ExchangeCore } from '#main/composition/exchange-core.ts';
import { createPriceIndex } from '#market-data/price-index/index-mean.ts';
import { createOperatorFeed } from '#market-data/price-index/operator-feed.ts';
import type { OperatorFeed, PriceIndex } from '#market-data/price-index/price-index.ts';
import { createSpotFeed } from '#market-data/price-index/spot-feed.ts';
import type { SpotPrices } from '#market-data/price-index/spot-price.ts';
import { startIndexFollowing } from '#jobs/follow-indices.ts';

/** Index prices of a running exchange, and the worker that hands them to the engine. */
export interface OpenPriceIndex {
  readonly priceIndex: PriceIndex;
  readonly operatorFeed: OperatorFeed;
  /** Names of the sources that the index of a contract has now. */
  readonly indexSources: (contract: ContractRules) => Promise<readonly string[]>;
  /** Starts the worker. */
  start(): void;
  /** Ends the worker after what it is at. */
  close(): Promise<void>;
}

/** What index prices stand on. */
export interface PriceIndexParts {
  readonly config: Pick<Configuration, 'indexSpotWeight'>;
  readonly core: Pick<ExchangeCore, 'sequencer' | 'queries' | 'market'>;
  readonly clock: Clock;
  readonly repeat: Repeat;
  readonly onTrouble: (what: string, error: unknown) => void;
}

/** The own spot market and the feed of operators as sources. DEC-FUT-03. */
export function openPriceIndex({ config, core, clock, repeat, onTrouble }: PriceIndexParts): OpenPriceIndex {
  const { market, queries, sequencer: ingress } = core;
  const pricesOf = (symbol: SymbolId): SpotPrices => {
    const { bid, ask } = market.bestPrices(symbol);
    return { bid: bid?.price ?? null, ask: ask?.price ?? null, last: market.lastPrice(symbol) };
  };
  // While all trading is halted, the directory shows none that is online.
  const symbols = async () => market.directory.symbols.map(({ rules }) => rules);
  const operatorFeed = createOperatorFeed();
  const spotFeed = createSpotFeed({ symbols, pricesOf, weight: config.indexSpotWeight });
  const priceIndex = createPriceIndex([spotFeed, operatorFeed]);
  let worker: PollingWorker | null = null;
  return {
    priceIndex,
    operatorFeed,
    indexSources: async (contract) => {
      const { sources } = await priceIndex.read(contract, as(clock.now()));
      return sources.map(({ name }) => name);
    },
    start: () => {
      worker = startIndexFollowing({ ingress, queries, index: priceIndex, clock, repeat, onTrouble });
    },
    close: async () => worker?.stop(),
  };
}
