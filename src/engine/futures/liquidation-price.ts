import { futuresWalletOf } from '#model/account.ts';
import { crossPositions, equityOf, maintenanceMargin, tierOf } from '#engine/futures/equity.ts';
import { bigMillion, dividedUp } from '#base/whole-numbers.ts';
import { marginOf } from '#engine/futures/position-margin.ts';
import type { Position } from '#engine/state/futures/positions.ts';
import type { EngineState } from '#engine/state/state.ts';
import { freeOf } from '#engine/money/free-balance.ts';

/**
 * The fair price of its contract, in ticks, at which a position comes to liquidation, the fair prices of other
 * contracts staying as they are. Rounded toward the danger, up for a long one and down for a short one, and at least
 * one tick: it is not liquidated before this price, and at the latest one tick beyond. `null` where there is no such
 * price: no position, one of an insurance fund, or a long one that what is behind it covers down to nothing.
 * DEC-FUT-47.
 */
export function liquidationPriceOf(state: EngineState, position: Position): number | null {
  const { rules, insurer } = state.contracts.at(position.contract);
  const { lots, cost } = position;
  if (lots === 0 || position.account === insurer) return null;
  const behind = equityWithout(state, position);
  const rate = BigInt(tierOf(rules, lots).maintenancePpm);
  const unit = BigInt(Math.abs(lots)) * BigInt(state.books[position.contract]!.quotePerTickLot);
  // Equity meets maintenance where price × unit × (1 ∓ rate) is this.
  const worth = lots > 0 ? cost - behind : behind - cost;
  const price =
    lots > 0
      ? dividedUp(worth * bigMillion, unit * (bigMillion - rate))
      : maxOne((worth * bigMillion) / (unit * (bigMillion + rate)));
  return price <= 0n || price > BigInt(Number.MAX_SAFE_INTEGER) ? null : Number(price);
}

const maxOne = (value: bigint): bigint => (value > 1n ? value : 1n);

/** What covers the losses of a position: its margin; of a cross one also what is free and what the others can spare. */
function equityWithout(state: EngineState, position: Position): bigint {
  const margin = marginOf(state, position);
  if (position.mode === 'isolated') return margin;
  const { settle } = state.contracts.at(position.contract).rules;
  return crossPositions(state, position.account, settle)
    .filter((other) => other !== position)
    .reduce(
      (sum, other) => sum + equityOf(state, other) - maintenanceMargin(state, other),
      margin + freeOf(state, futuresWalletOf(position.account), settle),
    );
}
