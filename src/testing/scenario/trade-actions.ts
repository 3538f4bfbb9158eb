import { z } from 'zod';
import * as field from '#operator-api/declaration/fields.ts';
import { orderKindWord, sideWord } from '#http/words.ts';
import { namePattern } from '#testing/scenario/references.ts';
import { accountName, askOperator } from '#testing/scenario/operator-actions.ts';
import { done } from '#testing/scenario/step-answer.ts';
import { accountOf, action } from '#testing/scenario/world.ts';

const amount = (description: string) => field.amount(description).optional();
const clientOrderId = z.string().max(64).meta({ description: 'Client order id.' });
const orderId = z.string().max(64).meta({ description: 'Id of the order, of an earlier step for one.' });

/** Placed as any client does. Values that the exchange refuses may be sent: the answer says so. */
const order = z.strictObject({
  account: accountName(),
  symbol: field.pairName(),
  side: z.enum(sideWord).meta({ description: 'Direction of the order.' }),
  type: z.enum(orderKindWord).default('LIMIT').meta({ description: 'Type of the order.' }),
  quantity: amount('Amount of the base asset.'),
  quoteOrderQty: amount('Amount of the quote asset, of market orders.'),
  price: amount('Limit price.'),
  newClientOrderId: clientOrderId.optional(),
  stpMode: z.string().max(32).optional().meta({ description: 'Self-trade prevention.' }),
});

/** Places an order of an account. DEC-KIT-73. */
export const orderAction = action(order, async (world, { account, ...parameters }) => {
  const signer = accountOf(world, account);
  const answer = await world.api.request({ method: 'POST', path: '/api/v3/order', parameters, account: signer });
  const { orderId } = (answer.body ?? {}) as { readonly orderId?: string };
  // All orders of the others are cancelled at the end.
  if (orderId !== undefined && world.existing.has(account))
    world.undo(`order ${orderId}`, () => askOperator(world, 'cancelOrder', { uid: signer.uid, order: orderId }));
  return answer;
});

const cancel = z.strictObject({
  account: accountName(),
  symbol: field.pairName(),
  orderId: orderId.optional(),
  origClientOrderId: clientOrderId.optional(),
});

/** Cancels an order, or all of the pair where none is named. */
export const cancelAction = action(cancel, (world, { account, ...parameters }) => {
  const isOne = parameters.orderId !== undefined || parameters.origClientOrderId !== undefined;
  const path = isOne ? '/api/v3/order' : '/api/v3/openOrders';
  return world.api.request({ method: 'DELETE', path, parameters, account: accountOf(world, account) });
});

const withdrawal = z.strictObject({
  account: accountName(),
  coin: field.assetCode(),
  netWork: field.networkCode().optional(),
  address: z.string().max(128).meta({ description: 'Address that is paid.' }),
  memo: z.string().max(64).optional().meta({ description: 'Memo of the payment.' }),
  amount: field.amount('What the account pays; the fee is inside.'),
  withdrawOrderId: z.string().max(32).optional().meta({ description: 'Own id of the withdrawal.' }),
});

/** Asks for a withdrawal. */
export const withdrawAction = action(withdrawal, (world, { account, ...parameters }) =>
  world.api.request({
    method: 'POST',
    path: '/api/v3/capital/withdraw',
    parameters,
    account: accountOf(world, account),
  }),
);

const request = z.strictObject({
  method: z.enum(['GET', 'POST', 'PUT', 'DELETE']).default('GET').meta({ description: 'Method.' }),
  path: z
    .string()
    .max(256)
    .regex(/^\/[\x21-\x7e]*$/, 'must be a path such as /api/v3/order')
    .meta({ description: 'Path, without a query.' }),
  parameters: z
    .record(z.string().max(64), z.union([z.string(), z.number(), z.boolean()]))
    .default({})
    .meta({ description: 'Parameters; timestamp and recvWindow are added, unless they are given.' }),
  account: accountName().optional().describe('Who signs it; without one nobody does.'),
});

/** Any request of the public API. */
export const requestAction = action(request, (world, { account, ...asked }) =>
  world.api.request({ ...asked, account: account === undefined ? undefined : accountOf(world, account) }),
);

const listening = z.strictObject({
  stream: z.string().regex(namePattern, 'must be a letter, then letters, digits, - and _').meta({
    description: 'Names it, for what is expected of it.',
  }),
  channels: z
    .array(z.string().min(1).max(128))
    .min(1)
    .max(30)
    .meta({ description: 'Names of channels, such as spot@public.aggre.depth.v3.api.pb@100ms@BTCUSDT.' }),
  account: accountName().optional().describe('Whose listen key opens private channels.'),
});

/** Opens a websocket that listens until the run is over, or another one takes its name. */
export const listenAction = action(listening, async (world, { stream, channels, account }) => {
  let listenKey: string | null = null;
  if (account !== undefined) {
    const path = '/api/v3/userDataStream';
    const made = await world.api.request({ method: 'POST', path, account: accountOf(world, account) });
    if (made.status !== 200) return made;
    ({ listenKey } = made.body as { readonly listenKey: string });
  }
  await world.streams.open(stream, channels, listenKey);
  return { ...done, body: { listenKey } };
});

const faucet = z.strictObject({
  account: accountName(),
  asset: field.assetCode(),
  free: field.amount('What is to be free of it.'),
  wallet: z.enum(['spot', 'futures']).default('spot').meta({ description: 'Which of its wallets.' }),
});

/** Makes what is free of an asset what the step says. */
export const faucetAction = action(faucet, (world, { account, ...members }) =>
  askOperator(world, 'setBalance', { uid: accountOf(world, account).uid, ...members }),
);
