import { z } from 'zod';
import { marginModes } from '#model/contract.ts';
import { orderKinds, orderStatuses, sides } from '#model/order.ts';
import { endpoint } from '#operator-api/declaration/endpoint.ts';
import * as field from '#operator-api/declaration/fields.ts';

const most = Number.MAX_SAFE_INTEGER;
const leverage = () => field.whole('Notional of a position by its margin.', { min: 1, max: 1000 });
const mode = () => field.word(marginModes, 'Whether margin is kept by position, or shared by all of the wallet.');
const lots = (description: string) => field.whole(description, { min: 1, max: most });
const price = (description: string) => field.amount(`${description} In the settle asset.`);
const money = (description: string) => field.signedAmount(`${description} In the settle asset.`);

const position = z.strictObject({
  uid: field.uid('Whose position; null: of the house.').nullable(),
  contract: field.contractName(),
  lots: field.whole('Contracts: above zero long, below zero short.', { min: -most, max: most }),
  cost: money('What the open contracts cost, with the sign of the position.'),
  mode: mode(),
  leverage: leverage(),
  margin: money('What is held for it.'),
  realised: money('Profit that was realised since it was opened.'),
  unrealised: money('Profit at the fair price.'),
  liquidationPrice: price('Fair price at which it is liquidated; null: at none.').nullable(),
  deleveragingRank: field
    .whole('Place in the order of auto-deleveraging of its side; null: of an insurance fund.', { min: 1, max: most })
    .nullable(),
  openedAt: field.moment('When it was opened.'),
  updatedAt: field.moment('When it changed last.'),
});

/** As the exchange numbers orders. */
const orderNumber = () => field.whole('Number of the order.', { min: 1, max: most });
const clientOrderId = () =>
  z
    .string()
    .regex(/^[\w-]{1,32}$/, 'must be 1 to 32 letters, digits, dashes and underscores')
    .meta({ description: 'Own id of the order.', examples: ['hedge-1'] });

const order = z.strictObject({
  order: orderNumber(),
  contract: field.contractName(),
  side: field.word(sides, 'What it does with contracts.'),
  kind: field.word(orderKinds, 'How long it waits, and what it takes.'),
  status: field.word(orderStatuses, 'What became of it.'),
  price: price('Limit price, or the bound of a market order.'),
  lots: lots('Contracts that were asked for.'),
  executed: field.whole('Contracts that were traded.', { min: 0, max: most }),
  clientOrderId: clientOrderId().nullable(),
  acceptedAt: field.moment('When it was placed.'),
  updatedAt: field.moment('When it changed last.'),
});

const ofAccount = z.strictObject({ uid: field.uid() });
const ofPosition = z.strictObject({ uid: field.uid(), contract: field.contractName() });

/** Endpoints of positions and of orders that operators place for accounts. DEC-FUT-45. */
export const contractTradingEndpoints = {
  listContractPositions: endpoint.get('/v1/contracts/{contract}/positions', {
    scope: 'contracts:read',
    name: 'Positions of a contract',
    command: 'contracts positions',
    summary: 'Every open position of a contract, in the order in which their accounts were opened.',
    parameters: z.strictObject({ contract: field.contractName() }),
    query: z.strictObject(field.paging),
    answer: field.page(position),
    problems: ['unknownContract'],
  }),
  listAccountPositions: endpoint.get('/v1/accounts/{uid}/positions', {
    scope: 'contracts:read',
    name: 'Positions of an account',
    command: 'accounts positions',
    summary: 'Every open position of an account, in the order of contracts.',
    parameters: ofAccount,
    answer: z.strictObject({ items: z.array(position) }),
    problems: ['unknownAccount'],
  }),
  getMargin: endpoint.get('/v1/accounts/{uid}/contracts/{contract}/margin', {
    scope: 'contracts:read',
    name: 'Margin of an account',
    command: 'accounts margin',
    summary: 'Margin of an account in the settle asset of a contract.',
    parameters: ofPosition,
    answer: z.strictObject({
      asset: field.assetCode(),
      free: field.signedAmount('Free in the futures wallet.'),
      held: field.signedAmount('Held for orders and positions.'),
      unrealised: field.signedAmount('Profit of all positions at the fair prices.'),
      withdrawable: field.signedAmount('What may leave the futures wallet.'),
    }),
    problems: ['unknownAccount', 'unknownContract'],
  }),
  setLeverage: endpoint.put('/v1/accounts/{uid}/contracts/{contract}/leverage', {
    scope: 'contracts:write',
    name: 'Set leverage of an account',
    command: 'accounts leverage',
    summary: 'Sets margin mode and leverage of an account that has no position and no order of the contract.',
    parameters: ofPosition,
    body: z
      .strictObject({ mode: mode(), leverage: leverage() })
      .meta({ examples: [{ mode: 'isolated', leverage: 20 }] }),
    answer: z.strictObject({ contract: field.contractName(), mode: mode(), leverage: leverage() }),
    problems: ['unknownAccount', 'accountNotUsable', 'unknownContract', 'hasPosition', 'wrongLeverage'],
  }),
  listContractOrders: endpoint.get('/v1/accounts/{uid}/contracts/{contract}/orders', {
    scope: 'contracts:read',
    name: 'Open orders of a contract',
    command: 'contract-orders list',
    summary: 'Open orders of an account, oldest first.',
    parameters: ofPosition,
    answer: z.strictObject({ items: z.array(order) }),
    problems: ['unknownAccount', 'unknownContract'],
  }),
  placeContractOrder: endpoint.post('/v1/accounts/{uid}/contracts/{contract}/orders', {
    scope: 'contracts:write',
    name: 'Place a contract order',
    command: 'contract-orders place',
    asksFirst: true,
    summary: 'Places an order of an account, or one that only reduces its position.',
    notes:
      'A market order has no price, every other one has. reduceOnly goes with immediateOrCancel and market: lots are ' +
      'cut to the position. A repeated Idempotency-Key is answered by the clientOrderId, else with 422.',
    parameters: ofPosition,
    body: z
      .strictObject({
        side: field.word(sides, 'What it does with contracts.'),
        kind: field.word(orderKinds, 'How long it waits, and what it takes.'),
        price: price('Limit price; null for market orders.').nullable().default(null),
        lots: lots('How many contracts.'),
        reduceOnly: field.flag('Whether it closes a position at most.').default(false),
        clientOrderId: clientOrderId().nullable().default(null),
      })
      .meta({ examples: [{ side: 'buy', kind: 'limit', price: '65000.5', lots: 100, clientOrderId: 'hedge-1' }] }),
    answer: order,
    status: 201,
    problems: [
      'unknownAccount',
      'accountNotUsable',
      'tradingOffForAccount',
      'unknownContract',
      'contractNotTradable',
      'malformedOrder',
      'belowMinimumQuantity',
      'aboveMaximumAmount',
      'priceOutsideBand',
      'tooManyOpenOrders',
      'clientOrderIdInUse',
      'wouldTakeLiquidity',
      'noOpposingOrder',
      'notEnoughMargin',
      'noPosition',
      'aboveRiskLimit',
    ],
  }),
  cancelContractOrder: endpoint.delete('/v1/accounts/{uid}/contracts/{contract}/orders/{order}', {
    scope: 'contracts:write',
    name: 'Cancel a contract order',
    command: 'contract-orders cancel',
    asksFirst: true,
    summary: 'Cancels an open order of an account.',
    parameters: ofPosition.extend({ order: orderNumber() }),
    answer: order,
    problems: ['unknownAccount', 'unknownContract', 'unknownOrder'],
  }),
};
