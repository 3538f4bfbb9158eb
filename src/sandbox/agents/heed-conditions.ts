import type { Command, CommandOf } from '#model/command.ts';
import { engineLimits } from '#model/limits.ts';
import type { OrderRequest } from '#model/order.ts';
import type { AccountId, OrderNumber, SymbolId } from '#model/units.ts';
import { mayRest, type MarketConditions } from '#sandbox/agents/market-conditions.ts';
import type { ParticipantFold } from '#sandbox/agents/participant-fold.ts';
import type { TradedMarket } from '#sandbox/agents/traded-market.ts';

/** Makes agents heed the conditions of their markets. */
export interface HeededConditions {
  /** Takes up what changed up to this moment, before the agents act. */
  takeUp(now: number): void;
  /**
   * What cancels orders that are to rest no longer, to be submitted before what the agents do: all orders of a market
   * whose condition changed, whose makers lay them out anew in the same step.
   */
  withdrawn(): readonly Command[];
  /** The commands less the orders that the conditions forbid. */
  allowed(commands: readonly Command[]): readonly Command[];
  /** The makers have laid out their ladders. */
  laidOut(): void;
}

const resting: ReadonlySet<OrderRequest['kind']> = new Set(['limit', 'postOnly']);

/** Over the markets and the orders of all agents. DEC-KIT-60, DEC-KIT-61. */
export function heedConditions(
  conditions: MarketConditions,
  markets: readonly TradedMarket[],
  fold: ParticipantFold,
): HeededConditions {
  const byName = new Map(markets.map((market) => [market.rules.name, market]));
  const byId = new Map<SymbolId, TradedMarket>(markets.map((market) => [market.rules.id, market]));
  let changed: TradedMarket[] = [];
  for (const market of markets) market.condition = conditions.of(market.rules.name);

  /** Orders of an account that go: none of them where the agents only stand still. */
  const goingOf = (market: TradedMarket, account: AccountId): readonly OrderNumber[] => {
    const orders = fold.restingOf(account, market.rules.id);
    const going: OrderNumber[] = [];
    for (let row = 0; row < orders.rows; row += 1) {
      const order = orders.orderAt(row);
      const isKept =
        market.condition.agents === 'still' && mayRest(market.condition, orders.isBidAt(row) ? 'buy' : 'sell');
      if (order !== null && !isKept) going.push(order);
    }
    return going;
  };
  const withdraw = (market: TradedMarket): readonly Command[] =>
    fold.accounts().flatMap((account) => {
      const going = goingOf(market, account);
      const commands: Command[] = [];
      for (let first = 0; first < going.length; first += engineLimits.ordersPerRequote) {
        const cancel = going.slice(first, first + engineLimits.ordersPerRequote);
        commands.push({ kind: 'requote', account, symbol: market.rules.id, cancel, place: [] });
      }
      for (const order of going) fold.forget(account, market.rules.id, order);
      return commands;
    });
  /** Orders that take what rests are for the other side to have something. */
  const mayPlace = ({ symbol, side, kind }: OrderRequest): boolean => {
    const condition = byId.get(symbol)?.condition;
    if (condition === undefined) return true;
    return mayRest(condition, resting.has(kind) ? side : side === 'buy' ? 'sell' : 'buy');
  };
  const allowedOf = (command: Command): readonly Command[] => {
    if (command.kind === 'placeOrder') return mayPlace(command.order) ? [command] : [];
    if (command.kind === 'placeOrders') return kept(command, command.orders.filter(mayPlace));
    if (command.kind !== 'requote' || command.place.every(mayPlace)) return [command];
    const place = command.place.filter(mayPlace);
    return place.length + command.cancel.length === 0 ? [] : [{ ...command, place }];
  };
  return {
    takeUp: (now) => {
      for (const name of conditions.takeChanged(now)) {
        const market = byName.get(name);
        if (market === undefined) continue;
        market.condition = conditions.of(name);
        market.isLaidAnew = true;
        changed.push(market);
      }
    },
    withdrawn: () => changed.flatMap(withdraw),
    allowed: (commands) => {
      const isUsual = markets.every(({ condition }) => condition.sides === 'both' && condition.agents !== 'off');
      return isUsual ? commands : commands.flatMap(allowedOf);
    },
    laidOut: () => {
      for (const market of changed) market.isLaidAnew = false;
      changed = [];
    },
  };
}

const kept = (command: CommandOf<'placeOrders'>, orders: readonly OrderRequest[]): readonly Command[] =>
  orders.length === 0 ? [] : [{ ...command, orders }];
