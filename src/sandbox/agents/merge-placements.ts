import type { Command } from '#model/command.ts';
import type { OrderRequest } from '#model/order.ts';
import type { AccountId } from '#model/units.ts';

/** What a command places, if that is all it does; else `null`. */
function placedBy(command: Command): { readonly account: AccountId; readonly orders: readonly OrderRequest[] } | null {
  if (command.kind === 'placeOrder') return { account: command.account, orders: [command.order] };
  if (command.kind === 'placeOrders') return command;
  if (command.kind === 'requote' && command.cancel.length === 0)
    return { account: command.account, orders: command.place };
  return null;
}

/**
 * The same orders in fewer commands: neighbours that only place orders of one account become one command, so that a
 * month of history costs fewer entries of the journal.
 */
export function mergePlacements(commands: readonly Command[]): readonly Command[] {
  const merged: Command[] = [];
  let open: { readonly account: AccountId; readonly orders: OrderRequest[] } | null = null;
  for (const command of commands) {
    const placed = placedBy(command);
    if (placed === null) {
      merged.push(command);
      open = null;
    } else if (open !== null && open.account === placed.account) {
      open.orders.push(...placed.orders);
    } else {
      open = { account: placed.account, orders: [...placed.orders] };
      merged.push({ kind: 'placeOrders', ...open });
    }
  }
  return merged;
}
