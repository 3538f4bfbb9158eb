import { z } from 'zod';
import { stopwatch } from '#base/clock.ts';
import { catalogue } from '#operator-api/catalogue.ts';
import * as field from '#operator-api/declaration/fields.ts';
import { type Difference, differenceOf, expectedMembers, expectedValue } from '#testing/scenario/match-value.ts';
import { accountName, askOperator, callIds, type Members } from '#testing/scenario/operator-actions.ts';
import { span, spanMs } from '#testing/scenario/span.ts';
import { done, shown, type StepAnswer, StepFailed } from '#testing/scenario/step-answer.ts';
import { accountOf, action, type World } from '#testing/scenario/world.ts';

/** Something that can be expected: what it takes, and how what is there differs from it. */
interface Expectation {
  readonly schema: z.ZodType;
  differs(world: World, members: unknown): Promise<Difference | null>;
}
const expectation = <Schema extends z.ZodType>(
  schema: Schema,
  differs: (world: World, members: z.output<Schema>) => Promise<Difference | null>,
): Expectation => ({ schema, differs: differs as Expectation['differs'] });

/** Before the second look; then twice as long each time, up to a bound: looking takes from budgets of the account. */
const lookAgainMs = { first: 10, most: 400 } as const;
/** How long pushes and requests of others are waited for by themselves. */
const usualWait = '5s';

const levels = z
  .array(z.array(expectedValue).length(2))
  .max(1000)
  .meta({ description: 'Levels from the best one, as [price, quantity]; none: the side is empty.' });
const levelsShown = 5000;

/** What a GET of the public API answers. @throws StepFailed where it is refused */
async function answerOf(world: World, path: string, parameters: Members, account?: string): Promise<unknown> {
  const signer = account === undefined ? undefined : accountOf(world, account);
  const { status, body } = await world.api.request({ method: 'GET', path, parameters, account: signer });
  if (status !== 200) throw new StepFailed(`an answer of ${path}`, `status ${status}: ${shown(body)}`);
  return body;
}

/** An amount, or bounds of it. */
const expectedAmount = expectedMembers.or(z.union([z.string(), z.number()]));

type BookSide = readonly (readonly [string, string])[];
const book = expectation(
  z.strictObject({
    symbol: field.pairName(),
    bids: levels.optional(),
    asks: levels.optional(),
    isWhole: z.boolean().default(false).meta({ description: 'Whether there are no levels but these.' }),
  }),
  async (world, { symbol, isWhole, ...sides }) => {
    // One more than is expected shows whether there are others; few levels weigh little.
    const limit = Math.min(Math.max(sides.bids?.length ?? 0, sides.asks?.length ?? 0) + 1, levelsShown);
    const depth = await answerOf(world, '/api/v3/depth', { symbol, limit });
    for (const side of ['bids', 'asks'] as const) {
      const expected = sides[side];
      const seen = (depth as Readonly<Record<string, BookSide>>)[side] ?? [];
      const best = isWhole || expected?.length === 0 ? seen : seen.slice(0, expected?.length);
      const difference = expected === undefined ? null : differenceOf(expected, best, side);
      if (difference !== null) return difference;
    }
    return null;
  },
);

/** Asked of the operator API: what an account has does not depend on how often it may ask, nor on faults. */
const balance = expectation(
  z.strictObject({
    account: accountName(),
    asset: field.assetCode(),
    wallet: z.enum(['spot', 'futures']).default('spot').meta({ description: 'Which of its wallets.' }),
    free: expectedAmount.optional().describe('What can be spent.'),
    locked: expectedAmount.optional().describe('What is set aside for orders and withdrawals.'),
  }),
  async (world, { account, asset, wallet, ...expected }) => {
    const balances = await world.operator.getBalances({ uid: accountOf(world, account).uid });
    const { free, held } = balances[wallet].find((each) => each.asset === asset) ?? { free: '0', held: '0' };
    return differenceOf(expected, { free, locked: held }, asset);
  },
);

const openOrders = expectation(
  z.strictObject({
    account: accountName(),
    symbol: field.pairName(),
    are: z.array(expectedMembers).max(500).optional().describe('Each of them, oldest first.'),
    count: z.int().min(0).max(500).optional().meta({ description: 'How many there are.' }),
  }),
  async (world, { account, symbol, are, count }) => {
    const listed = (await answerOf(world, '/api/v3/openOrders', { symbol }, account)) as readonly Members[];
    // Oldest first, as they were placed.
    const seen = listed.toSorted((one, other) => (String(one['orderId']) < String(other['orderId']) ? -1 : 1));
    if (count !== undefined && seen.length !== count) return { expected: `${count} open orders`, seen: shown(seen) };
    return are === undefined ? null : differenceOf(are, seen, 'openOrders');
  },
);

const order = expectation(
  z.strictObject({
    account: accountName(),
    symbol: field.pairName(),
    orderId: z.string().max(64).optional().meta({ description: 'Id of the order.' }),
    origClientOrderId: z.string().max(64).optional().meta({ description: 'Client order id.' }),
    has: expectedMembers,
  }),
  async (world, { account, has, ...asked }) =>
    differenceOf(has, await answerOf(world, '/api/v3/order', asked, account), 'order'),
);

const price = expectation(
  z.strictObject({
    symbol: field.pairName(),
    is: expectedAmount.describe('The last price, or its bounds.'),
  }),
  async (world, { symbol, is }) => {
    const ticker = (await answerOf(world, '/api/v3/ticker/price', { symbol })) as { readonly price: string };
    return differenceOf(is, ticker.price, `price of ${symbol}`);
  },
);

const get = expectation(
  z.strictObject({
    path: z.string().max(256).regex(/^\//, 'must be a path').meta({ description: 'Path of the public API.' }),
    parameters: z.record(z.string().max(64), z.union([z.string(), z.number(), z.boolean()])).default({}),
    account: accountName().optional(),
    has: expectedMembers.or(z.array(z.unknown())),
  }),
  async (world, { path, parameters, account, has }) =>
    differenceOf(has, await answerOf(world, path, parameters, account), path),
);

const operator = expectation(
  z.strictObject({
    call: z.enum(callIds.filter((id) => catalogue[id].method === 'GET')).meta({ description: 'Id of the endpoint.' }),
    with: z.record(z.string(), z.unknown()).default({}).meta({ description: 'Its members.' }),
    has: expectedMembers,
  }),
  async (world, asked) => {
    const { status, body } = await askOperator(world, asked.call, asked.with);
    if (status !== 200) throw new StepFailed(`an answer of ${asked.call}`, `status ${status}: ${shown(body)}`);
    return differenceOf(asked.has, body, asked.call);
  },
);

const position = expectation(
  z.strictObject({
    account: accountName(),
    contract: field.contractName(),
    has: expectedMembers.nullable().describe('What is expected of it; null: there is none.'),
  }),
  async (world, { account, contract, has }) => {
    const { items } = await world.operator.listAccountPositions({ uid: accountOf(world, account).uid });
    return differenceOf(has, items.find((each) => each.contract === contract) ?? null, `position in ${contract}`);
  },
);

const streamName = () => z.string().min(1).max(32).meta({ description: 'Name of a stream that listens.' });

const push = expectation(
  z.strictObject({
    stream: streamName(),
    channel: z.string().max(128).optional().meta({ description: 'Its channel; without it any.' }),
    has: expectedMembers.default({}),
  }),
  async ({ streams }, { stream: name, channel, has }) => {
    const stream = streams.named(name);
    const pushes = stream.pushes(channel);
    const found = pushes.find((content) => differenceOf(has, content) === null);
    if (found === undefined) return { expected: `a push with ${shown(has)}`, seen: shown(pushes.at(-1) ?? 'none') };
    stream.taken(found);
    return null;
  },
);

const closed = expectation(
  z.strictObject({
    stream: streamName(),
    code: z.int().min(1000).max(4999).optional().meta({ description: 'Close code.' }),
  }),
  async ({ streams }, { stream, code }) => {
    const { end } = streams.named(stream);
    if (end === null) return { expected: 'a closed websocket', seen: 'an open one' };
    return code === undefined ? null : differenceOf(code, end.code, 'close code');
  },
);

const { seconds: _, after: __, reason: ___, ...filter } = catalogue.awaitRequest.body.shape as z.ZodRawShape;
const logged = expectation(
  z.strictObject({ ...filter, account: accountName().optional(), has: expectedMembers.default({}) }),
  async (world, { account, has, ...asked }) => {
    const uid = account === undefined ? {} : { account: accountOf(world, account as string).uid };
    let difference: Difference = { expected: `a request with ${shown(asked)}`, seen: 'none in the log' };
    for (let after = world.logAfter; ; ) {
      const { entry } = await world.operator.awaitRequest({ ...asked, ...uid, after, seconds: 0 });
      if (entry === null) return difference;
      const differs = differenceOf(has, entry, 'entry');
      if (differs === null) return null;
      difference = differs;
      after = entry.id;
    }
  },
);

const all = { book, balance, openOrders, order, price, position, push, closed, logged, get, operator } as const;
const names = Object.keys(all) as (keyof typeof all)[];
const waited: ReadonlySet<string> = new Set(['push', 'closed', 'logged']);

const schema = z
  .strictObject({
    ...Object.fromEntries(names.map((name) => [name, all[name].schema.optional()])),
    within: span(`How long it is looked for again; ${usualWait} of pushes, closes and logged requests.`).optional(),
  })
  .refine((members) => Object.keys(members).filter((name) => name !== 'within').length === 1, {
    message: `must have exactly one of ${names.join(', ')}`,
  });

/** Looks whether something is so, again and again where it may still become so. DEC-KIT-75. @throws StepFailed */
export const expectAction = action(schema, async (world, { within, ...members }): Promise<StepAnswer> => {
  const [name, asked] = Object.entries(members).find(([, value]) => value !== undefined) as [keyof typeof all, unknown];
  const waitMs = spanMs((within as string | undefined) ?? (waited.has(name) ? usualWait : '0ms'));
  const began = stopwatch();
  for (let pauseMs: number = lookAgainMs.first; ; pauseMs = Math.min(2 * pauseMs, lookAgainMs.most)) {
    const difference = await all[name].differs(world, asked);
    if (difference === null) return done;
    if (stopwatch() - began >= waitMs) throw new StepFailed(difference.expected, difference.seen);
    await world.pause(pauseMs);
  }
});
