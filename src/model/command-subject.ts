import type { Command } from '#model/command.ts';
import type { OrderRequest } from '#model/order.ts';
import type { AccountId } from '#model/units.ts';

/**
 * The account that a command is about or comes from; `null` where it is nobody's: listing, clock and the like. What a
 * master does with a sub-account comes from the master.
 */
export function accountOfCommand(command: Command): AccountId | null {
  if (command.kind === 'operate') return accountOfCommand(command.command);
  if ('master' in command && command.kind !== 'openAccount') return command.master;
  if ('account' in command) return command.account;
  if ('owner' in command) return command.owner;
  if ('inviter' in command) return command.inviter;
  return 'beneficiary' in command ? command.beneficiary : null;
}

/** The client order ids that a command names, in its order; those of orders without one are left out. */
export function clientOrderIdsOf(command: Command): readonly string[] {
  switch (command.kind) {
    case 'operate':
      return clientOrderIdsOf(command.command);
    case 'placeOrder':
      return idsOf([command.order]);
    case 'placeOrders':
      return idsOf(command.orders);
    case 'requote':
      return idsOf(command.place);
    case 'cancelOrder':
      return 'clientOrderId' in command.ref ? [command.ref.clientOrderId] : [];
    default:
      return [];
  }
}

const idsOf = (orders: readonly OrderRequest[]): readonly string[] =>
  orders.flatMap(({ clientOrderId }) => (clientOrderId === null ? [] : [clientOrderId.text]));
