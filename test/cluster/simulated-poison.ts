import { ClientOrderId } from '#model/client-order-id.ts';
import type { Command } from '#model/command.ts';
import type { AccountId, Lots, PriceTicks, SymbolId } from '#model/units.ts';
import { as } from '#model/units.ts';

/** Engines of simulated nodes break on orders of so many lots; clients place smaller ones. */
const brokenLots = 1337;

/** An order on which every engine of a simulated cluster breaks. */
export const poison = (account: AccountId, id: string): Command => ({
  kind: 'placeOrder',
  account,
  order: {
    ...{ symbol: as<SymbolId>(0), kind: 'limit', budget: null, stpMode: 'none', side: 'buy' },
    ...{ price: as<PriceTicks>(10_000), quantity: as<Lots>(brokenLots), clientOrderId: ClientOrderId.of(id) },
  },
});

/** Whether engines of simulated nodes break on it. */
export const isPoison = (command: Command): boolean =>
  command.kind === 'placeOrder' && command.order.quantity === brokenLots;
