import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { catalogue } from '#public-api/catalogue.ts';
import type { AnyEndpoint, CallerClass, SignedAccess } from '#public-api/declaration/endpoint.ts';
import type { AccountStatus } from '#model/account.ts';
import { permissions, type Permission } from '#model/permission.ts';
import type { AccountId } from '#model/units.ts';
import { expectCode } from './answer-shape.ts';
import { type Reply, startTestGateway, type TestGateway, type TestGatewayOptions } from './gateway-harness.ts';

/*
 * Who may call what, for every signed endpoint of the catalogue: generated, so that no endpoint can be forgotten. What
 * each endpoint declares is compared with the specification in test/api-contract.
 */

/** Kinds of accounts that may call endpoints of each class. SPEC-SUB-10, SPEC-STP-07, DEC-SUB-15. */
const kinds = ['master', 'sub', 'broker', 'brokerSub', 'affiliate'] as const;
type Kind = (typeof kinds)[number];
const mayCall: Readonly<Record<CallerClass, readonly Kind[]>> = {
  any: kinds,
  master: ['master', 'broker', 'affiliate'],
  broker: ['broker'],
  brokerSub: ['brokerSub'],
  affiliate: ['affiliate'],
};
const isSub = (kind: Kind): boolean => kind === 'sub' || kind === 'brokerSub';

/** What a frozen account may do besides reading: cancel, and open what only reads. DEC-REQ-61, DEC-SUB-48. */
const allowedFrozen: readonly string[] = [
  'cancelOrder',
  'cancelOpenOrders',
  'cancelAllOrders',
  'cancelWithdrawal',
  'createListenKey',
  'renewListenKey',
  'deleteListenKey',
  'deleteSubAccountKey',
];
/** GETs that change state. DEC-SUB-49. */
const writingGets: readonly string[] = ['addStpMembersByGet'];
/** Listen keys open nothing but reading. DEC-STR-106. */
const readingWrites: readonly string[] = ['createListenKey', 'renewListenKey', 'deleteListenKey'];
const reads = (id: string, { method }: AnyEndpoint): boolean => method === 'GET' && !writingGets.includes(id);

const signedEndpoints = Object.entries(catalogue as Record<string, AnyEndpoint>).flatMap(([id, endpoint]) =>
  endpoint.access.kind === 'signed' ? [{ id, endpoint, access: endpoint.access as SignedAccess }] : [],
);

const keyOf = (kind: Kind, status: AccountStatus): string => `mx0${kind}${status}00000000`;
const readerOf = (kind: Kind): string => `mx0${kind}reader00000000`;
const onlyOf = (kind: Kind, index: number): string => `mx0${kind}only${String(index).padStart(8, '0')}`;
const withoutOf = (kind: Kind, index: number): string => `mx0${kind}without${String(index).padStart(8, '0')}`;

/** An account of each kind and status, with its keys. */
async function openAccounts(gate: TestGateway): Promise<void> {
  let next = 8000;
  const open = async (kind: Kind, status: AccountStatus, master: AccountId | null): Promise<AccountId> => {
    next += 1;
    const { events } = await gate.exchange.submit({
      kind: 'openAccount',
      uid: next as never,
      name: `${kind}${status}`,
      master,
      class: kind === 'broker' || kind === 'affiliate' ? kind : 'user',
      kycLevel: 2,
      simulated: false,
    });
    const opened = events.find((event) => event.kind === 'accountOpened');
    const account = opened?.account.account as AccountId;
    await gate.addKey(account, keyOf(kind, status), permissions);
    return account;
  };
  for (const [kind, sub] of [
    ['master', 'sub'],
    ['broker', 'brokerSub'],
    ['affiliate', null],
  ] as const) {
    const owner = await open(kind, 'normal', null);
    const accounts = new Map<Kind, AccountId>([[kind, owner]]);
    if (sub !== null) accounts.set(sub, await open(sub, 'normal', owner));
    for (const [own, account] of accounts) {
      await gate.addKey(
        account,
        readerOf(own),
        permissions.filter((name) => name.endsWith('_READ')),
      );
      for (const [index, name] of permissions.entries()) {
        await gate.addKey(account, onlyOf(own, index), [name]);
        if (own !== 'sub') {
          const others = permissions.filter((other) => other !== name);
          await gate.addKey(account, withoutOf(own, index), others);
        }
      }
    }
    for (const status of ['frozen', 'abnormal'] as const) {
      for (const own of accounts.keys()) {
        const account = await open(own, status, own === sub ? owner : null);
        await gate.exchange.submit({ kind: 'setAccountStatus', account, status });
      }
    }
  }
}

const openGate = async (settings: TestGatewayOptions['settings'] = {}): Promise<TestGateway> => {
  const gate = await startTestGateway({ settings: { rateLimits: false, ...settings } });
  await openAccounts(gate);
  return gate;
};

let gate: TestGateway;
beforeAll(async () => {
  gate = await openGate();
});
afterAll(() => gate.close());

const call = ({ method, path, example = {} }: AnyEndpoint, key: string, at = gate): Promise<Reply> =>
  at.signed(method, path, example, { key });
/** Codes of who may not call; a served request may be refused for another reason. */
const refusals = [700007, 60005, 140002];
const served = ({ body }: Reply): boolean => !refusals.includes(body?.code);

/** Calls that must be refused with these codes, all at once; the state stays as it was. */
async function expectRefused(endpoint: AnyEndpoint, codes: readonly (readonly [string, number])[]): Promise<void> {
  const before = gate.digest();
  const told = await Promise.all(codes.map(async ([key]) => [key, (await call(endpoint, key)).body?.code]));
  expect(told).toEqual(codes);
  expect(gate.digest()).toBe(before);
}

describe('D01, D12: every signed endpoint and every permission', () => {
  /** An account of the class that the endpoint is for. */
  const rightKind: Readonly<Record<CallerClass, Exclude<Kind, 'sub'>>> = {
    any: 'master',
    master: 'master',
    broker: 'broker',
    brokerSub: 'brokerSub',
    affiliate: 'affiliate',
  };
  const demanding = signedEndpoints.flatMap(({ id, endpoint, access }) =>
    access.permission === null ? [] : [{ id, endpoint, caller: access.caller, permission: access.permission }],
  );

  test.each(demanding)('$id demands $permission and nothing else', async ({ endpoint, caller, permission }) => {
    const kind = rightKind[caller];
    const right = permissions.indexOf(permission);
    const others = permissions.flatMap((name, index) =>
      name === permission ? [] : [[onlyOf(kind, index), 700007] as const],
    );
    await expectRefused(endpoint, [[withoutOf(kind, right), 700007], ...others]);
    expect(served(await call(endpoint, onlyOf(kind, right)))).toBe(true);
  });

  test('DEC-REQ-28, D12: hardened, what writes demands the WRITE twin, and a read-only key mints no keys', async () => {
    const hardened = await openGate({ hardenedPermissions: true });
    for (const { id, endpoint, caller, permission } of demanding) {
      const twin = permission.replace(/_READ$/, '_WRITE') as Permission;
      const wanted = reads(id, endpoint) || readingWrites.includes(id) ? permission : twin;
      const isServed = async (name: Permission) =>
        served(await call(endpoint, onlyOf(rightKind[caller], permissions.indexOf(name)), hardened));
      const told = wanted === permission ? [] : [await isServed(permission)];
      expect([id, ...told, await isServed(wanted)]).toEqual([id, ...told.map(() => false), true]);
    }
    await hardened.close();
  });

  test('there are endpoints to look at', () => {
    expect(demanding.length).toBeGreaterThan(15);
  });
});

/** Whether its permission is one to deposit or to withdraw. */
const isOfChains = ({ access }: AnyEndpoint): boolean =>
  access.kind === 'signed' && /^SPOT_(?:WITHDRAW|DEPOSIT)_/.test(access.permission ?? '');

describe('every signed endpoint and every class of account', () => {
  /** What an account of this kind and status gets; `null`: it is served. DEC-REQ-01. */
  function refusalOf(id: string, endpoint: AnyEndpoint, caller: CallerClass, kind: Kind, status: AccountStatus) {
    if (status === 'abnormal') return 60005;
    const isRead = reads(id, endpoint);
    if (status === 'frozen' && !isRead && !allowedFrozen.includes(id)) return isSub(kind) ? 140002 : 60005;
    // A master's sub-account neither deposits nor withdraws. DEC-SUB-104.
    if (kind === 'sub' && isOfChains(endpoint)) return 700007;
    if (mayCall[caller].includes(kind)) return null;
    return caller === 'brokerSub' && kind === 'broker' ? 730003 : 700007;
  }
  const callers = kinds.flatMap((kind) =>
    (['normal', 'frozen', 'abnormal'] as const).map((status) => ({ kind, status })),
  );

  test.each(signedEndpoints)(
    'D02, D14, D15, SPEC-SUB-10, SPEC-STP-07, DEC-SUB-11, DEC-SUB-13, DEC-SUB-48: $id',
    async ({ id, endpoint, access }) => {
      const refused: (readonly [string, number])[] = [];
      const allowed: string[] = [];
      for (const { kind, status } of callers) {
        const code = refusalOf(id, endpoint, access.caller, kind, status);
        if (code === null) allowed.push(keyOf(kind, status));
        else refused.push([keyOf(kind, status), code]);
      }
      // A key that only reads reads, and may write where a READ permission is what the endpoint states.
      const mayRead = access.permission?.endsWith('_READ') ?? true;
      for (const kind of mayCall[access.caller]) {
        if (mayRead && !(kind === 'sub' && isOfChains(endpoint))) allowed.push(readerOf(kind));
        else refused.push([readerOf(kind), 700007]);
      }
      await expectRefused(endpoint, refused);
      for (const key of allowed) expect([key, served(await call(endpoint, key))]).toEqual([key, true]);
    },
  );
});

describe('the addresses a key is bound to', () => {
  const uid = (gateway: TestGateway, key: string, headers: Record<string, string> = {}) =>
    gateway.signed('GET', '/api/v3/uid', {}, { key, headers });

  test('SPEC-CNV-15, D06, D07, D10: another address is refused, whatever it claims to have been forwarded for', async () => {
    await gate.addKey(gate.accounts.alice, 'mx0boundElsewhere1', ['SPOT_ACCOUNT_READ'], ['203.0.113.7']);
    const reply = await uid(gate, 'mx0boundElsewhere1');
    expectCode(reply, 700006);
    expect(reply.body.msg).toContain('127.0.0.1');
    expectCode(await uid(gate, 'mx0boundElsewhere1', { 'X-Forwarded-For': '203.0.113.7' }), 700006);
  });

  test('an address or range that holds the caller is let in', async () => {
    await gate.addKey(gate.accounts.bob, 'mx0boundHere000001', ['SPOT_ACCOUNT_READ'], ['10.0.0.0/8', '127.0.0.0/8']);
    expect((await uid(gate, 'mx0boundHere000001')).status).toBe(200);
  });

  test('D08: behind a trusted proxy the last address that is none counts', async () => {
    const behind = await startTestGateway({ settings: { trustedProxies: ['127.0.0.1'], rateLimits: false } });
    await behind.addKey(behind.accounts.alice, 'mx0boundElsewhere1', ['SPOT_ACCOUNT_READ'], ['203.0.113.7']);
    const from = (chain: string) => uid(behind, 'mx0boundElsewhere1', { 'X-Forwarded-For': chain });
    expectCode(await from('203.0.113.7, 198.51.100.9'), 700006);
    expect((await from('198.51.100.9, 203.0.113.7')).status).toBe(200);
    expect((await from('evil, 203.0.113.7')).status).toBe(200);
    await behind.close();
  });
});
