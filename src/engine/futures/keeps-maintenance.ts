import type { AccountId, AssetId } from '#model/units.ts';
import type { Book } from '#engine/book/book.ts';
import {
  crossPositions,
  judgingPrices,
  maintenanceAt,
  profitAt,
  type JudgingPrice,
  type OpenLots,
} from '#engine/futures/equity.ts';
import type { FillPlan } from '#engine/futures/plan-fill.ts';
import { marginOf, modeOf } from '#engine/futures/position-margin.ts';
import type { EngineState } from '#engine/state/state.ts';
import { freeOf } from '#engine/money/free-balance.ts';
import { futuresWalletOf } from '#model/account.ts';

/** A position with what is behind it, as it is or as it would be. */
interface MarginedLots extends OpenLots {
  readonly margin: bigint;
}

/** What an account has in one settle asset, as it is or as it would be. */
interface Holdings {
  readonly free: bigint;
  readonly cross: readonly MarginedLots[];
}

/**
 * Whether an account is at or above maintenance once a fill was carried out: at the fair price, and at the index too,
 * around which the fair price can be moved within its limit by those who trade. Each position counts with the margin
 * behind it and with what it loses, not with what it wins, and what is free covers the shortfall of its cross positions
 * together. A fill that opens nothing may leave it below, where it was lower before. The insurance fund has no margin.
 * DEC-FUT-50, DEC-FUT-101, DEC-FUT-102.
 */
export function keepsMaintenance(state: EngineState, book: Book, account: AccountId, plan: FillPlan): boolean {
  const { insurer } = state.contracts.at(book.symbol);
  if (account === insurer) return true;
  const contract = book.symbol;
  const isCross = modeOf(state, account, contract) === 'cross';
  const own: MarginedLots = { contract, ...plan.after };
  const now = holdingsOf(state, account, book.quote);
  const others = now.cross.filter((each) => each.contract !== contract);
  const then: Holdings = { free: plan.after.free, cross: isCross ? [...others, own] : others };
  return judgingPrices.every((price) => {
    if (!isCross && plan.opened !== 0 && shortfallOf(state, own, price) > 0n) return false;
    const shortfall = shortfallBeyondFree(state, then, price);
    if (shortfall <= 0n) return true;
    return !(isCross && plan.opened !== 0) && shortfall <= shortfallBeyondFree(state, now, price);
  });
}

function holdingsOf(state: EngineState, account: AccountId, settle: AssetId): Holdings {
  const cross = crossPositions(state, account, settle).map((position) => {
    const { contract, lots, cost } = position;
    return { contract, lots, cost, margin: marginOf(state, position) };
  });
  return { free: freeOf(state, futuresWalletOf(account), settle), cross };
}

/** What a position lacks to its maintenance margin at a price; its profit does not count. Never below zero. */
function shortfallOf(state: EngineState, position: MarginedLots, price: JudgingPrice): bigint {
  const profit = profitAt(state, position, price);
  const equity = position.margin + (profit < 0n ? profit : 0n);
  const shortfall = maintenanceAt(state, position, price) - equity;
  return shortfall > 0n ? shortfall : 0n;
}

/** What cross positions together lack beyond what is free; below zero they lack nothing. */
const shortfallBeyondFree = (state: EngineState, { free, cross }: Holdings, price: JudgingPrice): bigint =>
  cross.reduce((sum, position) => sum + shortfallOf(state, position, price), -free);
