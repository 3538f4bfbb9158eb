import type { Side } from '#model/order.ts';
import type { AccountId } from '#model/units.ts';
import type { ParticipantFold } from '#sandbox/agents/participant-fold.ts';
import type { TradedMarket } from '#sandbox/agents/traded-market.ts';

/** What new orders of both sides together cost; notional in the quote asset's smallest unit. */
export interface OrderNeeds {
  readonly buyNotional: number;
  readonly sellNotional: number;
  readonly sellLots: number;
}

/** What a participant has in one market: coins in a pair, a position and its margin in a contract. */
export interface Holdings {
  /** Worth in US dollars of what it has more than at first; below zero: less. */
  inventoryUsd(): number;
  /** The largest order of a side that it can pay for, in lots at the fair price. */
  payableLots(side: Side): number;
  /** The fraction of new orders of each side that it can pay for, at most 1. */
  coverage(needs: OrderNeeds): Readonly<Record<Side, number>>;
}

/** Fraction of the free balance that new orders may use. */
const mostOfFunds = 0.95;

const part = (free: number, needed: number): number => (needed > free ? free / needed : 1);

/** In a pair: balances of base and quote asset. `fundedBase`: opening balance of the base, in smallest units. */
export function pairHoldings(
  pair: TradedMarket,
  fold: ParticipantFold,
  { account, fundedBase }: { readonly account: AccountId; readonly fundedBase: number },
): Holdings {
  const { base, quote, quantityDecimals } = pair.rules;
  const lotQuanta = 10 ** (pair.base.scale - quantityDecimals);
  return {
    inventoryUsd: () => pair.usdOfBase(fold.total(account, base) - fundedBase),
    payableLots: (side) =>
      side === 'sell'
        ? fold.free(account, base) / lotQuanta
        : fold.free(account, quote) / pair.notional(pair.fairTicks(), 1),
    coverage: ({ buyNotional, sellLots }) => ({
      buy: part(fold.free(account, quote) * mostOfFunds, buyNotional),
      sell: part(fold.free(account, base) * mostOfFunds, sellLots * lotQuanta),
    }),
  };
}

/** In a contract: its position, and margin at `leverage` from the free futures balance, which both sides share. */
export function contractHoldings(
  contract: TradedMarket,
  fold: ParticipantFold,
  { account, leverage }: { readonly account: AccountId; readonly leverage: number },
): Holdings {
  const { id, quote } = contract.rules;
  return {
    inventoryUsd: () => contract.usdOfLots(fold.lots(account, id)),
    payableLots: () => (fold.futuresFree(account, quote) * leverage) / contract.notional(contract.fairTicks(), 1),
    coverage: ({ buyNotional, sellNotional }) => {
      const all = part(fold.futuresFree(account, quote) * mostOfFunds * leverage, buyNotional + sellNotional);
      return { buy: all, sell: all };
    },
  };
}
