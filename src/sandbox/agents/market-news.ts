import { marketOf } from '#model/contract-market.ts';
import type { ExchangeQueries } from '#sequencer/queries/exchange-queries.ts';
import type { FairValues } from '#sandbox/agents/fair-values.ts';
import type { MarketNews } from '#sandbox/agents/participant-fold.ts';
import { isOpen, type TradedMarket, type TradedMarkets } from '#sandbox/agents/traded-market.ts';

/** How strongly a trade moves the fair value towards its price: with an outsider, and among participants. */
const pullByOutsider = 0.5;
const pullByParticipant = 0.04;
/** A trade worth this many innermost levels has half of the full pull. */
const pullHalfLevels = 10;

/** Sets fair values to the last traded prices against USDT. */
export async function anchorToMarket(
  pairs: readonly TradedMarket[],
  values: FairValues,
  queries: ExchangeQueries,
): Promise<void> {
  for (const pair of pairs) {
    const last = await queries.lastPrice(pair.rules.id);
    if (pair.quote.code === 'USDT' && last !== null)
      values.anchor(pair.base.code, last / 10 ** pair.rules.priceDecimals);
  }
}

/**
 * Trades of pairs move fair values towards their price, larger trades more; contracts follow the prices that the
 * exchange computes. Agents of a paused market stop trading.
 */
export function marketNews({ pairs, contracts }: TradedMarkets, values: FairValues, isLive: () => boolean): MarketNews {
  const pairOf = new Map(pairs.map((pair) => [pair.rules.id, pair]));
  const contractOf = new Map(contracts.map((contract) => [contract.rules.id, contract]));
  return {
    onTrade: (trade, withOutsider) => {
      const pair = pairOf.get(trade.symbol);
      if (pair === undefined) return;
      pair.lastTick = trade.price;
      if (pair.quote.code === 'USDT') values.hear(pair.base.code, trade.price / 10 ** pair.rules.priceDecimals);
      // While history is made, events arrive late: their prices must not move current fair values.
      if (!isLive()) return;
      const weight = 1 / (1 + (pair.profile.levelUsd * pullHalfLevels) / pair.usdOfLots(trade.lots));
      const strength = withOutsider ? pullByOutsider : pullByParticipant;
      values.pull(pair.base.code, strength * weight * Math.log(trade.price / pair.fairTicks()));
    },
    onFact: (fact) => {
      if (fact.kind === 'markUpdated') contractOf.get(fact.mark.contract)?.heed(fact.mark, isLive());
      if (fact.kind === 'symbolConfigured') {
        const pair = pairOf.get(fact.symbol.id);
        if (pair !== undefined) pair.isOnline = isOpen(fact.symbol);
      }
      if (fact.kind === 'contractConfigured') {
        const contract = contractOf.get(fact.contract.id);
        if (contract === undefined) return;
        contract.contractRules = fact.contract;
        contract.isOnline = isOpen(marketOf(fact.contract));
      }
    },
  };
}
