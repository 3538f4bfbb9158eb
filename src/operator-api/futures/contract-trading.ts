import type { z } from 'zod';
import { formatDecimal } from '#base/decimal.ts';
import { ClientOrderId } from '#model/client-order-id.ts';
import type { ContractRules } from '#model/contract.ts';
import type { OrderRef, OrderRequest, OrderView } from '#model/order.ts';
import { as } from '#model/units.ts';
import type { MarkedPosition } from '#sequencer/queries/contract-queries.ts';
import type { OutcomeEvent } from '#sequencer/command-ingress.ts';
import { amountText, readPositiveSafe, listedAssets } from '#operator-api/wallet/listed-assets.ts';
import type { contractTradingEndpoints } from '#operator-api/futures/contract-trading-endpoints.ts';
import { accountOfUid, uidOf } from '#operator-api/accounts/find-account.ts';
import type { HandlersOf } from '#operator-api/handlers.ts';
import { listedContracts } from '#operator-api/futures/listed-contracts.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';
import { numbersOf, pageOfPast } from '#operator-api/requests/paging.ts';
import { invalidBody, Problem } from '#operator-api/requests/problems.ts';

type Endpoints = typeof contractTradingEndpoints;
type PositionAnswer = z.input<Endpoints['listAccountPositions']['answer']>['items'][number];
type OrderAnswer = z.input<Endpoints['cancelContractOrder']['answer']>;
type OrderText = z.output<Endpoints['placeContractOrder']['body']>;

/** The order that a command placed, as it was closed if it was; `null`: none. @throws Problem of what refused it. */
function orderIn(events: readonly OutcomeEvent[]): OrderView | null {
  let found: OrderView | null = null;
  for (const event of events) {
    if (event.kind === 'orderRefused' || event.kind === 'cancelRefused') throw new Problem(event.reason);
    if (event.kind === 'orderAccepted' || event.kind === 'orderRepeated') found = event.order;
    // Makers that it filled are closed too.
    if (event.kind === 'orderClosed' && event.order.order === found?.order) found = event.order;
  }
  return found;
}

function readOrder(contract: ContractRules, body: OrderText): OrderRequest {
  const { side, kind, clientOrderId } = body;
  if ((kind === 'market') !== (body.price === null)) {
    throw invalidBody('/price', kind === 'market' ? 'must be null for a market order' : 'is missing');
  }
  if (body.reduceOnly && kind !== 'market' && kind !== 'immediateOrCancel') {
    throw invalidBody('/reduceOnly', 'must be false for this kind of order');
  }
  const unit = { code: contract.name, scale: contract.priceDecimals };
  return {
    symbol: contract.id,
    side,
    kind,
    price: body.price === null ? null : as(readPositiveSafe(body.price, unit, '/price')),
    quantity: as(body.lots),
    budget: null,
    clientOrderId: ClientOrderId.of(clientOrderId),
    stpMode: 'none',
  };
}

const shownOrder = (order: OrderView, { name, priceDecimals }: ContractRules): OrderAnswer => ({
  order: order.order,
  contract: name,
  side: order.side,
  kind: order.kind,
  status: order.status,
  price: formatDecimal(order.price, priceDecimals),
  lots: order.quantity,
  executed: order.executed,
  clientOrderId: order.clientOrderId,
  acceptedAt: order.acceptedAt,
  updatedAt: order.updatedAt,
});

/** Handlers of positions and of orders that operators place for accounts. */
export function contractTradingHandlers({ queries }: OperatorContext): HandlersOf<Endpoints> {
  const { contracts } = queries;
  const ofPath = async (path: { uid: number; contract: string }) => ({
    account: (await accountOfUid(queries, path.uid)).account,
    contract: (await listedContracts(queries)).ofPath(path.contract),
  });
  const shownAll = async (positions: readonly MarkedPosition[]): Promise<PositionAnswer[]> => {
    const [listed, assets] = [await listedContracts(queries), await listedAssets(queries)];
    const shown = async (position: MarkedPosition): Promise<PositionAnswer> => {
      const rules = listed.at(position.contract);
      const money = (amount: bigint): string => amountText(amount, assets.at(rules.settle));
      const { lots, mode, leverage, liquidationPrice, deleveragingRank, openedAt, updatedAt } = position;
      return {
        uid: await uidOf(queries, position.account),
        contract: rules.name,
        lots,
        cost: money(position.cost),
        mode,
        leverage,
        margin: money(position.margin),
        realised: money(position.realised),
        unrealised: money(position.unrealised),
        liquidationPrice: liquidationPrice === null ? null : formatDecimal(liquidationPrice, rules.priceDecimals),
        deleveragingRank,
        openedAt,
        updatedAt,
      };
    };
    return Promise.all(positions.map(shown));
  };
  return {
    listContractPositions: async ({ path, query }) => {
      const { id } = (await listedContracts(queries)).ofPath(path.contract);
      const after = numbersOf(query.cursor, 2)?.[1] ?? null;
      const rows = await contracts.positionsIn(id, after === null ? null : as(after), query.limit + 1);
      const page = pageOfPast(rows, query.limit, {
        item: (row) => row,
        numbers: ({ contract, account }) => [contract, account],
      });
      return { items: await shownAll(page.items), nextCursor: page.nextCursor };
    },
    listAccountPositions: async ({ path }) => {
      const { account } = await accountOfUid(queries, path.uid);
      return { items: await shownAll(await contracts.positionsOf(account)) };
    },
    getMargin: async ({ path }) => {
      const { account, contract } = await ofPath(path);
      const margin = await contracts.margin(account, contract.id);
      if (margin === null) throw new Problem('unknownContract');
      const asset = (await listedAssets(queries)).at(contract.settle);
      return {
        asset: asset.code,
        free: amountText(margin.free, asset),
        held: amountText(margin.held, asset),
        unrealised: amountText(margin.unrealised, asset),
        withdrawable: amountText(margin.withdrawable, asset),
      };
    },
    setLeverage: async ({ path, body, act }) => {
      const { account, contract } = await ofPath(path);
      await act({ kind: 'setLeverage', account, contract: contract.id, mode: body.mode, leverage: body.leverage });
      return { contract: contract.name, mode: body.mode, leverage: body.leverage };
    },
    listContractOrders: async ({ path }) => {
      const { account, contract } = await ofPath(path);
      const orders = await queries.openOrders(account, contract.id);
      return { items: orders.map((order) => shownOrder(order, contract)) };
    },
    placeContractOrder: async ({ path, body, act }) => {
      const { account, contract } = await ofPath(path);
      const order = readOrder(contract, body);
      const kind = body.reduceOnly ? 'reducePosition' : 'placeOrder';
      const { clientOrderId } = body;
      const placed = orderIn(await act({ kind, account, order }));
      // One that rests may have fills that are newer than its acceptance.
      const ref: OrderRef | null =
        placed !== null ? { order: placed.order } : clientOrderId === null ? null : { clientOrderId };
      const now = ref === null ? null : await queries.order(account, contract.id, ref);
      const shown = now ?? placed;
      if (shown !== null) return shownOrder(shown, contract);
      const detail = 'The order was sent before, and can no longer be told: it was refused, or is closed.';
      throw new Problem('idempotencyKeyInUse', { detail });
    },
    cancelContractOrder: async ({ path, act }) => {
      const { account, contract } = await ofPath(path);
      const ref = { order: as<OrderView['order']>(path.order) };
      const events = await act({ kind: 'cancelOrder', account, symbol: contract.id, ref });
      orderIn(events);
      const closed = events.find((event) => event.kind === 'orderClosed');
      const shown = closed?.order ?? (await queries.order(account, contract.id, ref));
      if (shown === null) throw new Problem('unknownOrder');
      return shownOrder(shown, contract);
    },
  };
}
