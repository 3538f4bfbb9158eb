import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { catalogue } from '#public-api/catalogue.ts';
import type { AnyEndpoint } from '#public-api/declaration/endpoint.ts';
import { parameterNames } from '#public-api/declaration/request.ts';
import { permissions } from '#model/permission.ts';
import { keys, type Reply, type TestGateway } from './gateway-harness.ts';
import { assets, startWalletHarness, units, type WalletHarness } from './wallet-harness.ts';

/*
 * A master reaches nothing of another master by any name, id or parameter, at any endpoint that there is: generated
 * from the catalogue. A user, a broker and an affiliate ask for what belongs to bob, who has one of everything.
 */

let wallet: WalletHarness;
let gate: TestGateway;

/** What bob has, by the parameters that name such things, and what naming it answers to a stranger. */
interface Foreign {
  readonly value: string;
  readonly code: number;
}
const foreign: Record<string, Foreign> = {};
/** What those who ask have themselves, by their key. */
const own = new Map<string, Record<string, string>>();
const naming = {
  subAccount: 140001,
  fromAccount: 140001,
  toAccount: 140001,
  uid: 140001,
  tradeGroupId: 22222,
  ttradeGroupId: 22222,
  apiKey: 730706,
  tranId: 22222,
  id: 22222,
  orderId: -2011,
  origClientOrderId: -2011,
  listenKey: 33333,
} as const satisfies Record<string, number>;
type Naming = keyof typeof naming;

/** Names that stand for another one: sent instead of it. */
const insteadOf: Readonly<Record<string, string>> = { ttradeGroupId: 'tradeGroupId', origClientOrderId: 'orderId' };
/** Where a name is given to something new, another's is as good as any; and sends go to strangers by design. */
const givesNames: readonly string[] = [
  'openSubAccount subAccount',
  'openBrokerSubAccount subAccount',
  'send toAccount',
];

const cases = Object.entries(catalogue as Record<string, AnyEndpoint>).flatMap(([id, endpoint]) =>
  endpoint.access.kind === 'public'
    ? []
    : [...parameterNames(endpoint), ...(parameterNames(endpoint).includes('tradeGroupId') ? ['ttradeGroupId'] : [])]
        .filter((name): name is Naming => name in naming && !givesNames.includes(`${id} ${name}`))
        .map((name) => ({ id, name, endpoint })),
);

const post = (path: string, parameters: Record<string, string>, key: string) =>
  gate.signed('POST', `/api/v3/${path}`, parameters, { key });

/** A sub-account with a key, a group, a transfer, an order, a listen key and a withdrawal. */
async function equip(name: string, key: string, uid: string): Promise<Record<string, string>> {
  const made = async (reply: Promise<Reply>): Promise<Reply['body']> => {
    const { status, body } = await reply;
    expect([status, body]).toEqual([200, body]);
    return body;
  };
  await made(post('sub-account/virtualSubAccount', { subAccount: name, note: 'x' }, key));
  const asked = { subAccount: name, note: 'x', permissions: 'SPOT_ACCOUNT_READ' };
  const { apiKey } = await made(post('sub-account/apiKey', asked, key));
  const { data } = await made(post('strategy/group', { tradeGroupName: name }, key));
  const transfer = { fromAccountType: 'SPOT', toAccountType: 'SPOT', asset: 'USDT', amount: '1', toAccount: name };
  const { tranId } = await made(post('capital/sub-account/universalTransfer', transfer, key));
  const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', quantity: '0.01', price: '20000' };
  const { orderId } = await made(post('order', { ...order, newClientOrderId: `order-${name}` }, key));
  const { listenKey } = await made(post('userDataStream', {}, key));
  const out = { coin: 'USDT', netWork: 'ETH', address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', amount: '100' };
  const { id } = await made(post('capital/withdraw', out, key));
  return {
    subAccount: name,
    fromAccount: name,
    toAccount: name,
    uid,
    tradeGroupId: String(data.tradeGroupId),
    ttradeGroupId: String(data.tradeGroupId),
    apiKey,
    tranId,
    id,
    orderId,
    origClientOrderId: `order-${name}`,
    listenKey,
  };
}

const affiliate = 'mx0affiliateAAAAAA';
const strangers = [keys.alice, keys.broker, affiliate] as const;
beforeAll(async () => {
  wallet = await startWalletHarness();
  ({ gate } = wallet);
  const rest = { name: 'affiliate', master: null, class: 'affiliate', kycLevel: 2, simulated: false } as const;
  const { events } = await gate.exchange.submit({ kind: 'openAccount', uid: 4004 as never, ...rest });
  const account = events.find((event) => event.kind === 'accountOpened')?.account.account as never;
  await wallet.run({ kind: 'creditFunds', account, asset: assets.USDT, amount: units('USDT', 1000) });
  await gate.addKey(account, affiliate, permissions);
  const theirs = await equip('bobsdesk1', keys.bob, '2002');
  for (const [name, value] of Object.entries(theirs)) foreign[name] = { value, code: naming[name as Naming] };
  for (const [index, key] of strangers.entries())
    own.set(key, await equip('owndesk01', key, ['1001', '3003', '4004'][index] as string));
});
afterAll(() => wallet.close());

/** The answer tells nothing: no list in it has an entry. */
function isEmpty(answer: unknown): boolean {
  if (Array.isArray(answer)) return answer.length === 0;
  return typeof answer !== 'object' || answer === null || Object.values(answer).every(isEmpty);
}

describe('D03, D04, D05, D18, DEC-SUB-10, DEC-SUB-53: nothing of another master is reached', () => {
  test.each(cases)('$id by $name', async ({ name, endpoint }) => {
    const { value, code } = foreign[name] as Foreign;
    const { method, path, example = {} } = endpoint;
    const names = parameterNames(endpoint);
    const before = gate.digest();
    let reached = 0;
    for (const key of strangers) {
      const mine = Object.entries(own.get(key) as object).filter(([each]) => names.includes(each) && each in example);
      const parameters: Record<string, string> = { ...example, ...Object.fromEntries(mine), [name]: value };
      delete parameters[insteadOf[name] ?? ''];
      const { status, body, text } = await gate.signed(method, path, parameters, { key });
      // Who is not of the class of the endpoint does not even get so far.
      if (body.code === 700007) continue;
      reached += 1;
      if (status === 200) expect([text, isEmpty(body)]).toEqual([text, true]);
      else expect([text, body.code]).toEqual([text, code]);
    }
    expect(reached).toBeGreaterThan(0);
    expect(gate.digest()).toBe(before);
  });

  test('there are endpoints to look at', () => {
    const asked = new Set(cases.map(({ name }) => name));
    expect([...asked].sort()).toEqual(Object.keys(naming).sort());
    expect(cases.length).toBeGreaterThan(25);
  });

  test('what is listed of one master holds nothing of another', async () => {
    const theirs = [
      'bobsdesk1',
      ...['apiKey', 'tranId', 'orderId', 'listenKey', 'id'].map((name) => foreign[name]?.value),
    ];
    for (const endpoint of Object.values(catalogue as Record<string, AnyEndpoint>)) {
      const { access, method, path, example = {} } = endpoint;
      if (access.kind === 'public' || method !== 'GET' || endpoint.changesState === true) continue;
      for (const key of strangers) {
        const { text } = await gate.signed(method, path, example, { key });
        for (const value of theirs) expect([path, text]).not.toEqual([path, expect.stringContaining(value as string)]);
      }
    }
  });
});
