import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { innerHouse } from '#model/account.ts';
import { as } from '#model/units.ts';
import { type OperatorReply, startTestOperator, type TestOperator } from './operator-harness.ts';

let operator: TestOperator;
let status: string;
beforeAll(async () => {
  operator = await startTestOperator();
  status = `/v1/accounts/${operator.alice.uid}/status`;
});
afterAll(() => operator.close());

/** Status and code of a refusal, and the parts of the request that it names. */
const told = ({ status: http, body }: OperatorReply): object => ({
  http,
  code: body.code,
  at: (body.errors ?? []).map(
    (each: { pointer?: string; parameter?: string; header?: string }) => each.pointer ?? each.parameter ?? each.header,
  ),
});
const invalid = (...at: readonly string[]): object => ({ http: 400, code: 'invalidMember', at });
const malformed = { http: 400, code: 'malformedRequest', at: [] };

describe('DEC-OPR-05: refusals are problems', () => {
  test('with type, title, status, detail, code and the members at fault', async () => {
    const { headers, body } = await operator.ask('PUT', status, { status: 'gone', extra: 1 });
    expect(headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toEqual({
      type: 'urn:bourse:problem:invalidMember',
      title: 'A part of the request is not what it must be.',
      status: 400,
      detail: '/status must be one of normal, frozen.',
      code: 'invalidMember',
      errors: [
        { pointer: '/status', detail: 'must be one of normal, frozen' },
        { pointer: '/extra', detail: 'is not known here' },
      ],
    });
  });

  test('also those of the engine, with the status of their reason', async () => {
    expect(told(await operator.ask('GET', '/v1/accounts/99999999'))).toEqual({
      http: 404,
      code: 'unknownAccount',
      at: [],
    });
    const body = { fullName: 'Tether', scale: 6, cap: '1', coinId: '0'.repeat(32) };
    expect(told(await operator.ask('PUT', '/v1/assets/USDT', body))).toEqual({
      http: 422,
      code: 'invalidConfiguration',
      at: [],
    });
  });

  test('unknown paths are 404, known paths with another method 405', async () => {
    expect(told(await operator.ask('GET', '/v1/nothing'))).toEqual({ http: 404, code: 'unknownPath', at: [] });
    for (const method of ['PATCH', 'OPTIONS']) {
      const reply = await operator.ask(method, status);
      expect(told(reply)).toEqual({ http: 405, code: 'methodNotAllowed', at: [] });
      expect(reply.headers.get('allow')).toBe('PUT');
    }
    const head = await operator.ask('HEAD', status);
    expect([head.status, head.headers.get('allow')]).toEqual([405, 'PUT']);
  });

  test('something unexpected is 500, is logged, and tells nothing', async () => {
    const other = await startTestOperator({
      context: (context) => ({
        ...context,
        queries: { ...context.queries, listing: () => Promise.reject(new Error('the secret cause')) },
      }),
    });
    const reply = await other.ask('GET', '/v1/assets');
    expect(told(reply)).toEqual({ http: 500, code: 'internalError', at: [] });
    expect(reply.text).not.toContain('secret cause');
    expect(other.logged.join()).toContain('the secret cause');
    await other.close();
  });

  test('a chain of the sandbox is no path where there is none', async () => {
    expect(told(await operator.ask('GET', '/v1/chains/ETH'))).toEqual({ http: 404, code: 'unknownPath', at: [] });
  });
});

describe('DEC-OPR-09: bodies are read strictly', () => {
  const send = (rawBody: string | Uint8Array, type = 'application/json') =>
    operator.ask('PUT', status, undefined, { rawBody, headers: { 'content-type': type } });

  test.each([
    ['no JSON', '{"status":', malformed],
    ['two values', '{"status":"normal"}{}', malformed],
    ['a member twice', '{"status":"normal","status":"frozen"}', malformed],
    ['a member twice, once escaped', '{"status":"normal","st\\u0061tus":"frozen"}', malformed],
    ['more depth than 8', `{"status":${'['.repeat(9)}${']'.repeat(9)}}`, malformed],
    ['a comment', '{"status":"normal"/**/}', malformed],
    ['a list', '[]', invalid('')],
    ['null', 'null', invalid('')],
    ['text', '"status"', invalid('')],
    ['nothing', '', invalid('')],
    ['a missing member', '{}', invalid('/status')],
    ['null instead of a member', '{"status":null}', invalid('/status')],
    ['a number instead of text', '{"status":1}', invalid('/status')],
    ['a list instead of text', '{"status":["normal"]}', invalid('/status')],
    ['an unknown member', '{"status":"normal","a/b~":1}', invalid('/a~1b~0')],
    ['__proto__', '{"status":"normal","__proto__":{"x":1}}', invalid('/__proto__')],
    ['constructor', '{"status":"normal","constructor":1}', invalid('/constructor')],
    ['toString', '{"toString":1}', invalid('/status', '/toString')],
    ['__proto__ instead of a member', '{"__proto__":{"status":"normal"}}', invalid('/status', '/__proto__')],
    [
      'too many members',
      JSON.stringify(Object.fromEntries(Array.from({ length: 65 }, (_, at) => [`m${at}`, 1]))),
      invalid(''),
    ],
  ])('%s is refused', async (_, rawBody, expected) => {
    const before = operator.digest();
    const reply = await send(rawBody as string);
    expect(told(reply)).toEqual(expected);
    expect(operator.digest()).toBe(before);
  });

  test('bytes that are no UTF-8 are refused', async () => {
    const bytes = Buffer.concat([Buffer.from('{"status":"norm'), Buffer.from([0xc0, 0xaf]), Buffer.from('al"}')]);
    expect(told(await send(bytes))).toEqual(malformed);
  });

  test('more than 8 KiB are 413, other types 415', async () => {
    const large = JSON.stringify({ status: 'x'.repeat(8192) });
    expect(told(await send(large))).toEqual({ http: 413, code: 'bodyTooLarge', at: [] });
    const other = { http: 415, code: 'contentTypeNotSupported', at: [] };
    expect(told(await send('status=normal', 'application/x-www-form-urlencoded'))).toEqual(other);
    expect(told(await send('{"status":"normal"}', 'text/plain'))).toEqual(other);
    expect((await send('{"status":"normal"}', 'application/json; charset=utf-8')).status).toBe(200);
  });

  test('at most 20 faults are listed', async () => {
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`m${at}`, 1]));
    const { body } = await operator.ask('PUT', status, many);
    expect(body.errors).toHaveLength(20);
  });

  test('long names are cut where they are repeated', async () => {
    const { text } = await operator.ask('PUT', status, { status: 'normal', ['x'.repeat(4000)]: 1 });
    expect(text.length).toBeLessThan(1000);
  });

  test('an endpoint without a body refuses one', async () => {
    const id = 'ab'.repeat(32);
    expect(told(await operator.ask('DELETE', `/v1/tokens/${id}`, { a: 1 }))).toEqual(invalid(''));
  });
});

describe('DEC-OPR-09: parameters are read strictly', () => {
  test.each([
    ['/v1/assets?limit=0', invalid('limit')],
    ['/v1/assets?limit=501', invalid('limit')],
    ['/v1/assets?limit=1.5', invalid('limit')],
    ['/v1/assets?limit=1e2', invalid('limit')],
    ['/v1/assets?limit=+1', invalid('limit')],
    ['/v1/assets?limit=', invalid('limit')],
    ['/v1/assets?limit', invalid('limit')],
    ['/v1/assets?limit=1&limit=2', invalid('limit')],
    ['/v1/assets?limit=1&l%69mit=2', invalid('limit')],
    ['/v1/assets?page=1', invalid('page')],
    ['/v1/assets?__proto__=1', invalid('__proto__')],
    ['/v1/assets?constructor=1&toString=2', invalid('constructor', 'toString')],
    ['/v1/assets?%ff=1', malformed],
    ['/v1/assets?limit=%', malformed],
    [`/v1/assets?${Array.from({ length: 33 }, (_, at) => `p${at}=1`).join('&')}`, malformed],
    ['/v1/accounts/0', invalid('uid')],
    ['/v1/accounts/1e7', invalid('uid')],
    ['/v1/accounts/-1', invalid('uid')],
    ['/v1/accounts/10000001%20', invalid('uid')],
    ['/v1/accounts/9999999999999999999', invalid('uid')],
    ['/v1/accounts/__proto__', invalid('uid')],
    ['/v1/assets/usdt', invalid('asset')],
    ['/v1/assets/__proto__', invalid('asset')],
    ['/v1/assets/NOPE', { http: 404, code: 'unknownAsset', at: [] }],
    ['/v1/assets/USDT/networks/NOPE', { http: 404, code: 'unknownNetwork', at: [] }],
    ['/v1/deposits?status=done', invalid('status')],
  ])('%s', async (path, expected) => {
    expect(told(await operator.ask('GET', path))).toEqual(expected);
  });
});

describe('DEC-OPR-07: pages', () => {
  test('the cursor goes on where the page ended, also when something was added before the end', async () => {
    const codes = async (path: string) => {
      const { body } = await operator.ask('GET', path);
      return { codes: body.items.map(({ asset }: { asset: string }) => asset), next: body.nextCursor };
    };
    const first = await codes('/v1/assets?limit=1');
    expect(first.codes).toEqual(['USDT']);
    const second = await codes(`/v1/assets?limit=1&cursor=${first.next}`);
    expect(second).toEqual({ codes: ['BTC'], next: null });
    expect((await codes('/v1/assets')).codes).toEqual(['USDT', 'BTC']);
  });

  test.each(['x', 'MTo', 'MjoxMg', 'MTotMQ', 'MTowMA', 'MToxMA==', `${'M'.repeat(129)}`, 'MToyPQ'])(
    'the cursor %s, which nobody gave out, is refused',
    async (cursor) => {
      expect(told(await operator.ask('GET', `/v1/assets?cursor=${cursor}`))).toEqual(invalid('cursor'));
    },
  );
});

describe('DEC-OPR-08: amounts', () => {
  const asset = (cap: unknown) => ({ fullName: 'A coin', scale: 4, cap, coinId: '1'.repeat(32) });
  test.each([
    ['more decimals than the asset has', '1.00001'],
    ['a number', 1],
    ['a sign', '-1'],
    ['a plus', '+1'],
    ['an exponent', '1e3'],
    ['blanks', ' 1'],
    ['a point without digits', '1.'],
    ['no digit before the point', '.5'],
    ['a leading zero', '01'],
    ['hex', '0x10'],
    ['a comma', '1,5'],
    ['other digits', '１'],
    ['more than a balance can be', '999999999999999'],
    ['nothing', ''],
  ])('%s is refused by name', async (_, cap) => {
    expect(told(await operator.ask('PUT', '/v1/assets/COIN', asset(cap)))).toEqual(invalid('/cap'));
  });

  test('are read and printed exactly, without trailing zeros', async () => {
    const { body } = await operator.ask('PUT', '/v1/assets/COIN', asset('123456789012.3450'));
    expect(body.cap).toBe('123456789012.345');
    expect(operator.exchange.engine.state.assets.all().at(-1)?.cap).toBe(1_234_567_890_123_450n);
  });
});

describe('DEC-OPR-10: every act is a command of its actor', () => {
  test('and the answer to it is what reading gives', async () => {
    const changed = await operator.ask('PUT', status, { status: 'frozen' });
    expect(changed.body).toMatchObject({ status: 'frozen' });
    expect((await operator.ask('GET', `/v1/accounts/${operator.alice.uid}`)).body).toEqual(changed.body);
    expect(operator.exchange.entries.at(-1)?.command).toEqual({
      kind: 'operate',
      actor: 'root',
      token: 'root',
      address: '127.0.0.1',
      idempotencyKey: null,
      reason: null,
      command: { kind: 'setAccountStatus', account: operator.alice.account, status: 'frozen' },
    });
    await operator.ask('PUT', status, { status: 'normal' });
  });

  test('reading journals nothing', async () => {
    const { length } = operator.exchange.entries;
    await operator.ask('GET', '/v1/accounts');
    await operator.ask('GET', '/v1/assets');
    expect(operator.exchange.entries).toHaveLength(length);
  });
});

describe('DEC-OPR-06: Idempotency-Key', () => {
  const keyed = (key: string, body: object) =>
    operator.ask('PUT', status, body, { headers: { 'idempotency-key': key } });
  const fund = (key: string, amount: string) =>
    operator.ask(
      'POST',
      '/v1/adjustments',
      { house: 'dust', asset: 'USDT', amount, kind: 'capitalIn', reason: 'The house buys dust.' },
      { headers: { 'idempotency-key': key } },
    );

  test('the same request answers as before without acting again', async () => {
    const first = await fund('fund-1', '5');
    expect(first.body).toMatchObject({ adjustment: 1, house: 'dust', asset: 'USDT', amount: '5' });
    const again = await fund('fund-1', '5');
    expect({ status: again.status, body: again.body }).toEqual({ status: first.status, body: first.body });
    expect((await fund('fund-2', '5')).body).toMatchObject({ adjustment: 2, amount: '5' });
    expect(await operator.exchange.queries.houseBalance(innerHouse.dust, as(0))).toBe(10_000_000_000n);
  });

  test('another request under the same key is 422 and changes nothing', async () => {
    await keyed('status-1', { status: 'frozen' });
    const before = operator.digest();
    expect(told(await keyed('status-1', { status: 'normal' }))).toEqual({
      http: 422,
      code: 'idempotencyKeyInUse',
      at: [],
    });
    expect(operator.digest()).toBe(before);
    await operator.ask('PUT', status, { status: 'normal' });
  });

  test('a refusal is repeated too', async () => {
    const tooMuch = { http: 409, code: 'aboveAssetCap', at: [] };
    expect(told(await fund('fund-3', '1000000000'))).toEqual(tooMuch);
    expect(told(await fund('fund-3', '1000000000'))).toEqual(tooMuch);
  });

  test.each([
    ['65 characters', 'k'.repeat(65)],
    ['a blank', 'a b'],
    ['other letters', 'ä'],
  ])('a key with %s is refused by name', async (_, key) => {
    expect(told(await keyed(key, { status: 'normal' }))).toEqual(invalid('Idempotency-Key'));
  });

  test('a key of 64 characters is accepted', async () => {
    expect((await keyed('k'.repeat(64), { status: 'normal' })).status).toBe(200);
  });
});
