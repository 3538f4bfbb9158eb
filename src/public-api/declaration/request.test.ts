import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { catalogue } from '#public-api/catalogue.ts';
import type { AnyEndpoint } from '#public-api/declaration/endpoint.ts';
import { endpoint, isPublic } from '#public-api/declaration/endpoint.ts';
import { ApiError, errors } from '#http/errors.ts';
import * as field from '#public-api/declaration/fields.ts';
import { parseRequest } from '#public-api/declaration/request.ts';

const sample = (shape: z.ZodRawShape, rules: AnyEndpoint['rules'] = []): AnyEndpoint =>
  endpoint.get('/api/v3/sample', {
    surface: 'spot',
    spec: [],
    name: 'Sample',
    summary: 'Sample.',
    access: isPublic,
    envelope: 'bare',
    weight: { ip: 1 },
    request: z.object(shape),
    rules,
    response: z.object({}),
  });

const refusal = (asked: AnyEndpoint, parameters: Record<string, string>): { code: number; text: string } => {
  try {
    parseRequest(asked, parameters);
  } catch (error) {
    if (error instanceof ApiError) return { code: errors[error.errorName].code, text: error.text };
    throw error;
  }
  throw new Error('expected a refusal');
};

describe('C10: a limit that is no whole number within its bounds is refused, never cut', () => {
  const asked = sample({ limit: field.limit(100, 5000) });
  test.each(['0', '-1', '5001', '1.5', 'abc', '1e3', ' 5', '05', '0x10', '٣'])('%s', (limit) => {
    expect(refusal(asked, { limit })).toEqual({
      code: 33333,
      text: "Parameter 'limit' is invalid: must be a whole number from 1 to 5000.",
    });
  });
  test('absent or empty is the default', () => {
    expect(parseRequest(asked, {})).toEqual({ limit: 100 });
    expect(parseRequest(asked, { limit: '' })).toEqual({ limit: 100 });
    expect(parseRequest(asked, { limit: '5000' })).toEqual({ limit: 5000 });
  });
});

describe('DEC-REQ-24, C04: a decimal has no sign, blank, exponent or hex, and no leading zero', () => {
  const asked = sample({ quantity: field.decimal('Amount.') });
  test.each([
    '+1',
    '-1',
    ' 1',
    '1 ',
    '01',
    '.5',
    '1.',
    '1,5',
    '0x10',
    'NaN',
    'Infinity',
    '1_000',
    '١',
    '1e3',
    '1E-7',
    '1234567890123456789',
    '0.1234567890123456789',
  ])('%s', (quantity) => {
    expect(refusal(asked, { quantity }).code).toBe(33333);
  });
  test.each(['0', '1', '0.10', '999999999999999999.999999999999999999'])('%s is one', (quantity) => {
    expect(parseRequest(asked, { quantity })).toEqual({ quantity });
  });
});

describe('DEC-REQ-55, C07: a symbol that is no name is as unknown as any', () => {
  test.each(['btcusdt', 'BTCUSDT ', 'BTC\u200bUSDT', 'ＢＴＣＵＳＤＴ', 'A'.repeat(300)])('%s', (symbol) => {
    expect(refusal(sample({ symbol: field.symbol() }), { symbol }).code).toBe(10007);
    expect(refusal(sample({ symbol: field.symbol('invalidSymbol') }), { symbol }).code).toBe(30014);
  });
});

describe('C09: a client order id is 1 to 32 of a small alphabet', () => {
  const asked = sample({ newClientOrderId: field.optional(field.clientOrderId()) });
  test.each(['a'.repeat(33), 'a\nb', '😀', '<script>', '../', "'; DROP"])('%s', (newClientOrderId) => {
    expect(refusal(asked, { newClientOrderId }).code).toBe(700008);
  });
});

test('DEC-REQ-57: control characters are illegal in every parameter', () => {
  expect(refusal(sample({ symbol: field.symbol() }), { symbol: 'BTC\u0000USDT' })).toEqual({
    code: 700008,
    text: "Parameter 'symbol' holds characters that are not allowed.",
  });
});

describe('C20: moments are whole milliseconds in order', () => {
  const asked = sample(
    { startTime: field.optional(field.timestampMs('From.')), endTime: field.optional(field.timestampMs('To.')) },
    [{ kind: 'ascending', parameters: ['startTime', 'endTime'] }],
  );
  test.each(['9000000000000000000', '-1', '1.7e12', '1700000000000.0', 'x'])('%s', (endTime) => {
    expect(refusal(asked, { endTime }).code).toBe(33333);
  });
  test('the first must not be after the second', () => {
    expect(refusal(asked, { startTime: '2', endTime: '1' })).toEqual({
      code: 33333,
      text: "Parameter 'startTime' is invalid: must not be after 'endTime'.",
    });
    expect(parseRequest(asked, { startTime: '1', endTime: '1' })).toEqual({ startTime: 1, endTime: 1 });
  });
});

describe('DEC-REQ-56, C22, C23: lists have a maximum; names sent twice count once', () => {
  const asked = sample({ symbol: field.symbolList(5) });
  test('six names are too many, five with one repeated are not', () => {
    expect(refusal(asked, { symbol: 'A1,B1,C1,D1,E1,F1' }).code).toBe(33333);
    expect(parseRequest(asked, { symbol: 'A1, B1,C1,D1,E1,A1' })).toEqual({ symbol: ['A1', 'B1', 'C1', 'D1', 'E1'] });
  });
  test('an empty name is malformed', () => {
    expect(refusal(asked, { symbol: 'BTCUSDT,BTCUSDT,' }).code).toBe(33333);
  });
});

test('C11: names from an object prototype are no parameters', () => {
  const asked = sample({ limit: field.limit(1, 2) });
  const parameters = JSON.parse('{"__proto__":"1","constructor":"2"}') as Record<string, string>;
  expect(parseRequest(asked, parameters)).toEqual({ limit: 1 });
});

describe('rules over several parameters', () => {
  const id = () => field.optional(field.orderId());
  test('one of several must be sent', () => {
    const asked = sample({ orderId: id(), origClientOrderId: id() }, [
      { kind: 'oneOf', parameters: ['orderId', 'origClientOrderId'], error: 'orderRefRequired' },
    ]);
    expect(refusal(asked, {}).code).toBe(700004);
    expect(parseRequest(asked, { orderId: 'x' })).toMatchObject({ orderId: 'x' });
  });
  test('both or neither must be sent', () => {
    const asked = sample(
      { startTime: field.optional(field.timestampMs('From.')), endTime: field.optional(field.timestampMs('To.')) },
      [{ kind: 'together', parameters: ['startTime', 'endTime'] }],
    );
    expect(refusal(asked, { startTime: '1' })).toEqual({
      code: 33333,
      text: "Parameter 'endTime' is invalid: must be sent together with startTime.",
    });
    expect(parseRequest(asked, {})).toEqual({ startTime: undefined, endTime: undefined });
  });
});

test('DEC-REQ-54: a required parameter that is absent or empty is 44444 and named', () => {
  const asked = sample({ symbol: field.symbol() });
  const answer = { code: 44444, text: "Parameter 'symbol' is required." };
  expect(refusal(asked, {})).toEqual(answer);
  expect(refusal(asked, { symbol: '' })).toEqual(answer);
});

test('an enumeration tells its words', () => {
  const asked = sample({ side: field.word({ BUY: 'buy', SELL: 'sell' }, 'Side.') });
  expect(refusal(asked, { side: 'buy' }).text).toBe("Parameter 'side' is invalid: must be one of BUY, SELL.");
  expect(parseRequest(asked, { side: 'SELL' })).toEqual({ side: 'sell' });
});

test('what a field reads quickly it reads as its schema does, and never what the schema refuses', () => {
  const fields = Object.values(catalogue).flatMap(({ request }) => Object.values(request.shape as z.ZodRawShape));
  const words = fields.flatMap((schema) => {
    const { values = [], example = '', default: byDefault = '' } = field.factsOf(schema as z.ZodType);
    return [...values, example, byDefault];
  });
  const text = fc.oneof(
    fc.constantFrom(...words, 'toString', '__proto__', '1.', '01', '-1', '1e3', 'btcusdt', 'BTCUSDT\n'),
    fc.integer().map(String),
    fc.double({ noNaN: true }).map(String),
    fc.string({ minLength: 1, maxLength: 40 }),
  );
  fc.assert(
    fc.property(text, (sent) => {
      for (const schema of fields as z.ZodType[]) {
        const value = field.quickReaderOf(schema)(sent);
        if (value !== undefined) expect(schema.safeParse(sent)).toEqual({ success: true, data: value });
      }
    }),
    { numRuns: 500 },
  );
});
