import { request } from 'node:http';
import { once } from 'node:events';
import { beforeAll, describe, expect, test } from 'vitest';
import { type AssetId, as, type Lots, type PriceTicks, type SymbolId } from '#model/units.ts';
import { machineTimer } from '#base/clock.ts';
import { operatorLimits } from '#operator-api/declaration/limits.ts';
import { ClientOrderId } from '#model/client-order-id.ts';
import type { LedgerLineRow } from '#history/tables/ledger-tables.ts';
import { btcUsdt } from '../api/gateway-harness.ts';
import { rootToken, startTestOperator, type TestOperator } from './operator-harness.ts';

let operator: TestOperator;
beforeAll(async () => {
  // Streams are ended by the time of the machine.
  operator = await startTestOperator({ context: (context) => ({ ...context, setTimer: machineTimer }) });
  const { exchange, alice, bob } = operator;
  const symbol = { ...btcUsdt, base: as<AssetId>(1), quote: as<AssetId>(0) };
  await exchange.submit({ kind: 'configureSymbol', symbol });
  await exchange.submit({ kind: 'creditFunds', account: bob.account, asset: as(1), amount: as(100_000_000n) });
  const order = { symbol: as<SymbolId>(0), price: as<PriceTicks>(2_000_000), quantity: as<Lots>(500_000) };
  exchange.clock.time += 1000;
  await exchange.place(bob.account, { ...order, side: 'sell', clientOrderId: ClientOrderId.of('-a') });
  await exchange.place(alice.account, { ...order, side: 'buy' });
});

const linesOf = async (path: string) => {
  const { status, headers, text } = await operator.ask('GET', path);
  expect([path, status, headers.get('content-type')]).toEqual([path, 200, 'application/x-ndjson; charset=utf-8']);
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
};
const csvOf = async (path: string) => {
  const { status, headers, text } = await operator.ask('GET', `${path}${path.includes('?') ? '&' : '?'}format=csv`);
  expect([path, status, headers.get('content-type')]).toEqual([path, 200, 'text/csv; charset=utf-8']);
  return text.split('\r\n');
};

describe('a statement', () => {
  test('DEC-OPR-225: is what was owned before, each change, and what was owned after', async () => {
    const { uid } = operator.alice;
    const from = operator.exchange.clock.time;
    const lines = await linesOf(`/v1/accounts/${uid}/statement?from=${from}`);
    expect(lines.map(({ type, asset, change, balance, reason }) => [type, asset, change, balance, reason])).toEqual([
      ['opening', 'USDT', null, '1000000', null],
      ['opening', 'BTC', null, '0', null],
      ['line', 'USDT', '-10000', '990000', 'fill'],
      ['line', 'BTC', '0.5', '0.5', 'fill'],
      ['line', 'BTC', '-0.00025', '0.49975', 'fee'],
      ['closing', 'USDT', null, '990000', null],
      ['closing', 'BTC', null, '0.49975', null],
    ]);
    expect(lines[2]).toMatchObject({ wallet: 'spot', referenceType: 'order', at: from });
    const before = await linesOf(`/v1/accounts/${uid}/statement?to=${from - 1}`);
    expect(before.map(({ type, balance }) => [type, balance])).toEqual([
      ['opening', '0'],
      ['opening', '0'],
      ['line', '1000000'],
      ['closing', '1000000'],
      ['closing', '0'],
    ]);
  });

  test('DEC-OPR-225: is a table too', async () => {
    const [head, opening, ...rest] = await csvOf(`/v1/accounts/${operator.alice.uid}/statement`);
    expect(head).toBe('type,wallet,asset,at,seq,line,change,balance,reason,referenceType,reference');
    expect(opening).toBe('opening,spot,USDT,,,,,0,,,');
    expect(rest[1]).toMatch(/^line,spot,USDT,\d{4}-\d\d-\d\dT[\d:.]{12}Z,\d+,\d+,1000000,1000000,deposit,,$/);
    expect(rest.at(-1)).toBe('');
  });
});

describe('exports', () => {
  test('DEC-OPR-226: of orders and fills, of one account or of all', async () => {
    const orders = await linesOf('/v1/exports/orders');
    expect(orders.map(({ uid, side }) => [uid, side])).toEqual([
      [operator.alice.uid, 'buy'],
      [operator.bob.uid, 'sell'],
    ]);
    expect(orders[0]).toMatchObject({ quantity: '0.5', executed: '0.5', executedAmount: '10000', price: '20000' });
    expect(await linesOf(`/v1/exports/orders?uid=${operator.bob.uid}`)).toEqual([orders[1]]);
    expect(await linesOf(`/v1/exports/orders?to=${operator.exchange.clock.time - 1}`)).toEqual([]);
    const fills = await linesOf('/v1/exports/fills');
    expect(fills).toMatchObject([
      { uid: operator.alice.uid, order: orders[0].order, fee: '0.00025', feeAsset: 'BTC', amount: '10000' },
      { uid: operator.bob.uid, order: orders[1].order, isMaker: true, trade: fills[0].trade },
    ]);
  });

  test('DEC-OPR-226: of tax lines: what was got, given and paid as a fee', async () => {
    const lines = await linesOf(`/v1/exports/tax?uid=${operator.alice.uid}`);
    expect(lines).toMatchObject([
      {
        ...{ kind: 'trade', gotAmount: '0.5', gotAsset: 'BTC', gaveAmount: '10000', gaveAsset: 'USDT' },
        ...{ feeAmount: '0.00025', feeAsset: 'BTC' },
      },
      { kind: 'deposit', gotAmount: '1000000', gotAsset: 'USDT', gaveAmount: null, feeAmount: null },
    ]);
    const all = await linesOf('/v1/exports/tax');
    expect(all.slice(0, 2)).toEqual(lines);
    expect(all.slice(2).every(({ uid }) => uid === operator.bob.uid)).toBe(true);
  });

  test('DEC-OPR-226: of nothing are empty, and have a header as a table', async () => {
    for (const kind of ['deposits', 'withdrawals', 'rebates']) {
      expect(await linesOf(`/v1/exports/${kind}`)).toEqual([]);
      expect((await csvOf(`/v1/exports/${kind}`)).slice(1)).toEqual(['']);
    }
  });

  test('DEC-OPR-228: text that a spreadsheet would run is text in a table', async () => {
    const [, , ofBob] = await csvOf('/v1/exports/orders');
    expect(ofBob).toMatch(/,'-a$/);
    expect((await linesOf('/v1/exports/orders'))[1].clientOrderId).toBe('-a');
  });

  test('DEC-OPR-225: spans, accounts, formats and scopes that are wrong are refused', async () => {
    const now = operator.exchange.clock.time;
    const { uid } = operator.alice;
    const refused = async (path: string) => {
      const { status, body } = await operator.ask('GET', path);
      return [status, body.errors?.[0].parameter ?? body.code];
    };
    for (const path of [`/v1/accounts/${uid}/statement`, '/v1/exports/fills']) {
      expect(await refused(`${path}?to=${now + 1}`)).toEqual([400, 'to']);
      expect(await refused(`${path}?from=${now + 1}`)).toEqual([400, 'from']);
      expect(await refused(`${path}?from=${now}&to=${now - 1}`)).toEqual([400, 'from']);
      expect(await refused(`${path}?format=xml`)).toEqual([400, 'format']);
    }
    expect(await refused('/v1/accounts/1/statement')).toEqual([404, 'unknownAccount']);
    expect(await refused('/v1/exports/tax?uid=1')).toEqual([404, 'unknownAccount']);
    expect((await operator.ask('GET', '/v1/exports/tax', undefined, { token: null })).status).toBe(401);
  });
});

describe('streams', () => {
  /** Asks for a long answer and does not read it. */
  async function unread(path: string) {
    const { port } = operator;
    const asked = request({ port, host: '127.0.0.1', path, headers: { authorization: `Bearer ${rootToken}` } });
    // An error that comes with its end.
    asked.on('error', () => {});
    asked.end();
    const [response] = await once(asked, 'response');
    response.on('error', () => {});
    return { asked, response };
  }

  test('DEC-OPR-227: so many at a time; who leaves makes room; the end of the exchange ends them', async () => {
    const { history, alice } = operator;
    const [line] = await history.rows('ledgerLines', { account: alice.account }, { from: as(0), to: as(2 ** 45) }, 1);
    const many = Array.from({ length: 40_000 }, (_, at): LedgerLineRow => ({ ...line!, line: at + 10 }));
    await history.write({ upTo: as(10_000), rows: { ledgerLines: many } });
    const path = `/v1/accounts/${alice.uid}/statement`;
    const { atOnce, retryAfterSeconds } = operatorLimits.streams;
    const open = [];
    for (let each = 0; each < atOnce; each += 1) open.push(await unread(path));
    const refused = await operator.ask('GET', path);
    expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([
      ...[429, 'tooManyStreams', `${retryAfterSeconds}`],
    ]);
    expect((await operator.ask('GET', `/v1/accounts/${alice.uid}/balances`)).status).toBe(200);
    open.shift()!.asked.destroy();
    let retried = await operator.ask('GET', path);
    while (retried.status === 429) retried = await operator.ask('GET', path);
    expect([retried.status, retried.text.split('\n').length]).toEqual([200, 40_009]);

    const cut = open.map(({ response }) => new Promise((closed) => response.once('close', closed)));
    await operator.close();
    for (const { response } of open) response.resume();
    await Promise.all(cut);
    expect(open.every(({ response }) => !response.complete)).toBe(true);
  }, 120_000);
});
