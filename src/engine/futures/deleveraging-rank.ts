import { absolute } from '#base/whole-numbers.ts';
import type { SymbolId } from '#model/units.ts';
import { unrealisedProfit } from '#engine/futures/equity.ts';
import type { Position } from '#engine/state/futures/positions.ts';
import type { EngineState } from '#engine/state/state.ts';

/** Positions above zero lots, or those below. */
export type PositionSide = 'long' | 'short';

/**
 * Open positions of one side of a contract in the order in which auto-deleveraging closes them: by profit ratio ×
 * leverage, the highest first, equal ones by account. The position of the insurance fund is not among them. DEC-FUT-18,
 * DEC-FUT-50.
 */
export function deleveragingOrder(state: EngineState, contract: SymbolId, side: PositionSide): readonly Position[] {
  const { insurer } = state.contracts.at(contract);
  return [...state.positions.in(contract)]
    .filter(({ account, lots }) => account !== insurer && lots > 0 === (side === 'long'))
    .map((position) => ({ position, ...rankOf(state, position) }))
    .sort((first, second) => {
      const difference = second.over * first.under - first.over * second.under;
      if (difference === 0n) return first.position.account - second.position.account;
      return difference < 0n ? -1 : 1;
    })
    .map(({ position }) => position);
}

/** Unrealised profit / what the lots cost × leverage, as a fraction. */
const rankOf = (state: EngineState, position: Position): { readonly over: bigint; readonly under: bigint } => ({
  over: unrealisedProfit(state, position) * BigInt(position.leverage),
  under: absolute(position.cost),
});
