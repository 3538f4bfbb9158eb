import type { Command } from '#model/command.ts';
import type { Side } from '#model/order.ts';
import type { AccountId } from '#model/units.ts';
import type { Agent, Moment } from '#sandbox/agents/agent.ts';
import { dueEvery, nothing } from '#sandbox/agents/agent.ts';
import type { ParticipantFold } from '#sandbox/agents/participant-fold.ts';
import { takingOrder, type TradedMarket } from '#sandbox/agents/traded-market.ts';

/** Account, contract and state of a hedger. */
export interface HedgerPorts {
  readonly account: AccountId;
  readonly contract: TradedMarket;
  /** Where it trades against the contract. */
  readonly spot: TradedMarket;
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
export function createHedger({ account, contract, spot, fold }: HedgerPorts): Agent {
  const isDue = dueEvery(decideEveryMs);
  const fullUsd = contract.profile.levelUsd * fullPositionLevels;

  const wantedUsd = (): number => {
    const contractPrice = contract.quotedMid / 10 ** contract.rules.priceDecimals;
    const spotPrice = spot.quotedMid / 10 ** spot.rules.priceDecimals;
    const premium = contractPrice / spotPrice - 1;
    const strength = Math.max(0, Math.min(1, (Math.abs(premium) - basis.least) / (basis.full - basis.least)));
    return -Math.sign(premium) * strength * fullUsd;
  };
  const act = (moment: Moment): readonly Command[] => {
    if (!contract.open || !spot.open) return nothing;
    if (contract.quotedMid === 0 || spot.quotedMid === 0 || !isDue(moment)) return nothing;
    const missingUsd = wantedUsd() - contract.usdOfLots(fold.lots(account, contract.rules.id));
    if (Math.abs(missingUsd) < fullUsd * change.least) return nothing;
    const usd = Math.min(Math.abs(missingUsd), fullUsd * change.most);
    const side: Side = missingUsd > 0 ? 'buy' : 'sell';
    const orders = [
      takingOrder(contract, side, usd, slippage),
      takingOrder(spot, side === 'buy' ? 'sell' : 'buy', usd, slippage),
    ];
    return orders.includes(null) ? nothing : orders.map((order) => ({ kind: 'placeOrder', account, order: order! }));
  };
  return { act };
}
