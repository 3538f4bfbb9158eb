import type { Command } from '#domain/command.ts';
import { tableBounds } from '#domain/limits.ts';
import type { EngineState } from '#engine/state.ts';

/**
 * Whether the engine's tables have room for what a command adds. Asked before the command is journaled: a table that is
 * full when it is applied would stop the exchange for good. Commands that add nothing always have room, cancels among
 * them. The bounds lie so far below what the tables can hold that everything which waits for its turn fits as well.
 * DEC-ORD-37.
 */
export function hasRoomFor(state: EngineState, { kind }: Pick<Command, 'kind'>, bounds = tableBounds): boolean {
  const { tables, accounts, ledger, holds } = state;
  switch (kind) {
    case 'placeOrder':
    case 'placeOrders':
    case 'requote':
      return (
        tables.orders.count < bounds.orders &&
        tables.blocks.count < bounds.priceBlocks &&
        ledger.balances.count < bounds.balances &&
        holds.count < bounds.holds
      );
    case 'openAccount':
      return accounts.size < bounds.accounts;
    case 'creditFunds':
      return ledger.balances.count < bounds.balances;
    default:
      return true;
  }
}
