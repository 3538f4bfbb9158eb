import type { Command } from '#model/command.ts';
import type { OrderRequest, Side } from '#model/order.ts';
import type { AccountId } from '#model/units.ts';
import type { Agent, Moment } from '#sandbox/agents/agent.ts';
import { isEarly, nothing, pauseOf } from '#sandbox/agents/agent.ts';
import type { ContractPair } from '#sandbox/agents/contract-pair.ts';
import type { MarketPair } from '#sandbox/agents/market-pair.ts';
import { orderOf } from '#sandbox/agents/market-pair.ts';
import type { ParticipantFold } from '#sandbox/agents/participant-fold.ts';

/** Account, contract and state of a hedger. */
export interface HedgerPorts {
  readonly account: AccountId;
  readonly pair: ContractPair;
  /** Where it trades against the contract. */
  readonly spot: MarketPair;
  readonly fold: ParticipantFold;
}

const decideEveryMs = 6 * 60_000;
/** A smaller difference between the prices is not worth the fees; at the greater one the position is full. */
const basis = { least: 0.0004, full: 0.0015 } as const;
/** A full position is worth this many innermost levels of the contract. */
const fullPositionLevels = 60;
/** Changes below this part of a full position are not worth a trade; nor are greater ones made at once. */
const change = { least: 0.1, most: 0.12 } as const;
/** Greatest distance from the middle of the quotes at which it trades. */
const slippage = 0.002;

/** Sells what is dearer and buys what is cheaper, contract against coins, until the prices agree. */
export function createHedger({ account, pair, spot, fold }: HedgerPorts): Agent {
  let dueAt = 0;

  const orderFor = (market: MarketPair, side: Side, usd: number): OrderRequest | null => {
    const price = Math.max(1, Math.round(market.quotedMid * (side === 'buy' ? 1 + slippage : 1 - slippage)));
    const lots = market.lotsWorth(usd, price);
    return lots === 0 ? null : orderOf(market, side, 'immediateOrCancel', { price, lots });
  };
  const wantedUsd = (): number => {
    const contractPrice = pair.quotedMid / 10 ** pair.rules.priceDecimals;
    const spotPrice = spot.quotedMid / 10 ** spot.rules.priceDecimals;
    const premium = contractPrice / spotPrice - 1;
    const strength = Math.max(0, Math.min(1, (Math.abs(premium) - basis.least) / (basis.full - basis.least)));
    return -Math.sign(premium) * strength * pair.profile.levelUsd * fullPositionLevels;
  };
  const act = (moment: Moment): readonly Command[] => {
    if (pair.quotedMid === 0 || spot.quotedMid === 0 || !spot.open) return nothing;
    const everyMs = pauseOf(decideEveryMs, moment);
    if (isEarly(moment.now, dueAt, everyMs)) return nothing;
    dueAt = moment.now + everyMs;
    const fullUsd = pair.profile.levelUsd * fullPositionLevels;
    const missingUsd = wantedUsd() - pair.usdOfLots(fold.lots(account, pair.rules.id));
    if (Math.abs(missingUsd) < fullUsd * change.least) return nothing;
    const usd = Math.min(Math.abs(missingUsd), fullUsd * change.most);
    const side: Side = missingUsd > 0 ? 'buy' : 'sell';
    const orders = [orderFor(pair, side, usd), orderFor(spot, side === 'buy' ? 'sell' : 'buy', usd)];
    return orders.includes(null) ? nothing : orders.map((order) => ({ kind: 'placeOrder', account, order: order! }));
  };
  return { act };
}
