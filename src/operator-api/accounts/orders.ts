import type { z } from 'zod';
import { formatDecimal } from '#base/decimal.ts';
import type { OrderView } from '#model/order.ts';
import type { SymbolRules } from '#model/symbol.ts';
import { engineLimits } from '#model/limits.ts';
import type { AccountId, SymbolId } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { FillRow } from '#history/tables/history-tables.ts';
import { orderIdText, orderOfId, tradeIdText } from '#http/words.ts';
import { accountOfUid } from '#operator-api/accounts/find-account.ts';
import type { orderEndpoints } from '#operator-api/accounts/order-endpoints.ts';
import { listedContracts } from '#operator-api/futures/listed-contracts.ts';
import type { HandlersOf } from '#operator-api/handlers.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';
import { createPast, numbersOf, pageOfPast } from '#operator-api/requests/paging.ts';
import { Problem } from '#operator-api/requests/problems.ts';
import { type ListedAssets, listedAssets } from '#operator-api/wallet/listed-assets.ts';

type Endpoints = typeof orderEndpoints;
type OrderAnswer = z.input<Endpoints['cancelOrder']['answer']>;
type FillAnswer = z.input<Endpoints['listFills']['answer']>['items'][number];

/** What orders rows of several pairs: newest first, of one moment the pair that was listed last first. */
const orderNumbers = ({ acceptedAt, symbol, order }: OrderView): readonly number[] => [acceptedAt, symbol, order];
const fillNumbers = ({ at, symbol, trade, isMaker }: FillRow): readonly number[] => [at, symbol, trade, +isMaker];

function compareNumbers(first: readonly number[], second: readonly number[]): number {
  const place = first.findIndex((number, index) => number !== second[index]);
  return place < 0 ? 0 : first[place]! - second[place]!;
}

/**
 * The numbers behind which rows of a pair begin, without that of the pair, where the last row of the page before has
 * `last`. Of its moment the rows of pairs that come first in the order were all shown, those of later ones are not.
 */
function startIn(symbol: SymbolId, last: readonly number[]): readonly number[] {
  const [at, lastSymbol, ...rest] = last as [number, number, ...number[]];
  if (symbol === lastSymbol) return [at, ...rest];
  return [at, ...rest.map(() => (symbol > lastSymbol ? 0 : Number.MAX_SAFE_INTEGER))];
}

function shownOrder(order: OrderView, rules: SymbolRules, assets: ListedAssets): OrderAnswer {
  const { side, kind, status, budget, closeReason, acceptedAt, updatedAt } = order;
  const inQuote = (amount: number): string => formatDecimal(amount, assets.at(rules.quote).scale);
  return {
    ...{ side, kind, status, closeReason, acceptedAt, updatedAt },
    order: orderIdText(order.order),
    pair: rules.name,
    price: formatDecimal(order.price, rules.priceDecimals),
    quantity: formatDecimal(order.quantity, rules.quantityDecimals),
    budget: budget === null ? null : inQuote(budget),
    executed: formatDecimal(order.executed, rules.quantityDecimals),
    executedAmount: inQuote(order.executedQuote),
    clientOrderId: order.clientOrderId,
  };
}

function shownFill(fill: FillRow, rules: SymbolRules, assets: ListedAssets): FillAnswer {
  const { side, isMaker, isSelfTrade, clientOrderId, at } = fill;
  const feeAsset = assets.at(fill.feeAsset);
  return {
    ...{ side, isMaker, isSelfTrade, clientOrderId, at },
    trade: tradeIdText(fill.taker, fill.fillOfTaker),
    order: orderIdText(fill.order),
    pair: rules.name,
    price: formatDecimal(fill.price, rules.priceDecimals),
    quantity: formatDecimal(fill.lots, rules.quantityDecimals),
    amount: formatDecimal(fill.quoteAmount, assets.at(rules.quote).scale),
    fee: formatDecimal(fill.fee, feeAsset.scale),
    feeAsset: feeAsset.code,
  };
}

/** Pairs by id; with a name that one alone. @throws Problem `unknownPair`. */
async function pairsOf({ queries }: OperatorContext, name?: string): Promise<ReadonlyMap<SymbolId, SymbolRules>> {
  const { symbols } = await queries.listing();
  const asked = name === undefined ? symbols : symbols.filter((rules) => rules.name === name);
  if (name !== undefined && asked.length === 0) throw new Problem('unknownPair');
  return new Map(asked.map((rules) => [rules.id, rules]));
}

/** Handlers of the orders and fills of an account. DEC-OPR-232, DEC-OPR-233. */
export function orderHandlers(context: OperatorContext): HandlersOf<Endpoints> {
  const { queries } = context;
  const past = createPast(context);
  /** An order of the account on a pair, open or closed. @throws Problem `unknownOrder`. */
  const find = async (account: AccountId, id: string): Promise<OrderView> => {
    const order = orderOfId(id);
    if (order === null) throw new Problem('unknownOrder');
    const pairs = await pairsOf(context);
    const open = (await queries.openOrders(account, null)).find((each) => each.order === order);
    if (open !== undefined && pairs.has(open.symbol)) return open;
    const { seq } = await queries.position();
    await context.awaitHistory(seq);
    for (const symbol of pairs.keys()) {
      const closed = await context.history.orderOf(account, symbol, { order });
      if (closed !== null) return closed;
    }
    throw new Problem('unknownOrder');
  };
  return {
    listOrders: async ({ path, query }) => {
      const { account } = await accountOfUid(queries, path.uid);
      const pairs = await pairsOf(context, query.pair);
      const assets = await listedAssets(queries);
      const { limit, cursor, from = 0, to = Number.MAX_SAFE_INTEGER } = query;
      const last = numbersOf(cursor, 3);
      const closed = async (symbol: SymbolId): Promise<readonly OrderView[]> => {
        const [at, order] = last === null ? [] : startIn(symbol, last);
        const before =
          last === null
            ? null
            : { acceptedAt: as<OrderView['acceptedAt']>(at!), order: as<OrderView['order']>(order!) };
        return past.page('orders', { account, symbol }, query, { limit, before });
      };
      const open = async (): Promise<readonly OrderView[]> =>
        (await queries.openOrders(account, null)).filter(
          (order) =>
            pairs.has(order.symbol) &&
            order.acceptedAt >= from &&
            order.acceptedAt <= to &&
            (last === null || compareNumbers(orderNumbers(order), last) < 0),
        );
      const found = query.state === 'open' ? await open() : (await Promise.all([...pairs.keys()].map(closed))).flat();
      const rows = found.toSorted((first, second) => compareNumbers(orderNumbers(second), orderNumbers(first)));
      const item = (order: OrderView) => shownOrder(order, pairs.get(order.symbol)!, assets);
      return pageOfPast(rows, limit, { item, numbers: orderNumbers });
    },
    listFills: async ({ path, query }) => {
      const { account } = await accountOfUid(queries, path.uid);
      const pairs = await pairsOf(context, query.pair);
      const assets = await listedAssets(queries);
      const { limit, cursor } = query;
      const last = numbersOf(cursor, 4);
      const ofPair = async (symbol: SymbolId): Promise<readonly FillRow[]> => {
        const [at, trade, maker] = last === null ? [] : startIn(symbol, last);
        const before =
          last === null
            ? null
            : { at: as<FillRow['at']>(at!), trade: as<FillRow['trade']>(trade!), isMaker: maker! > 0 };
        return past.page('fills', { account, symbol }, query, { limit, before });
      };
      const found = (await Promise.all([...pairs.keys()].map(ofPair))).flat();
      const rows = found.toSorted((first, second) => compareNumbers(fillNumbers(second), fillNumbers(first)));
      const item = (fill: FillRow) => shownFill(fill, pairs.get(fill.symbol)!, assets);
      return pageOfPast(rows, limit, { item, numbers: fillNumbers });
    },
    cancelOrders: async ({ path, query, act, actUnkeyed }) => {
      const { account } = await accountOfUid(queries, path.uid);
      const { pair, contract } = query;
      const named = [
        ...(pair === undefined ? [] : (await pairsOf(context, pair)).keys()),
        ...(contract === undefined ? [] : [(await listedContracts(queries)).ofPath(contract).id]),
      ];
      const isAsked = ({ symbol }: OrderView): boolean => named.length === 0 || named.includes(symbol);
      const open = (await queries.openOrders(account, null)).filter(isAsked);
      const command = { kind: 'cancelSomeOrders', account, symbols: named } as const;
      // Only the last is under the key: a repetition finds what the others left.
      const { cancelledOrdersPerEntry } = engineLimits;
      for (let left = open.length; left > cancelledOrdersPerEntry; left -= cancelledOrdersPerEntry)
        await actUnkeyed(command);
      await act(command);
      return { openOrders: (await queries.openOrders(account, null)).length };
    },
    cancelOrder: async ({ path, act }) => {
      const { account } = await accountOfUid(queries, path.uid);
      const { symbol, order } = await find(account, path.order);
      const events = await act({ kind: 'cancelOrder', account, symbol, ref: { order } });
      const refused = events.find((event) => event.kind === 'cancelRefused');
      if (refused !== undefined) throw new Problem(refused.reason);
      const rules = (await pairsOf(context)).get(symbol)!;
      return shownOrder(await find(account, path.order), rules, await listedAssets(queries));
    },
  };
}
