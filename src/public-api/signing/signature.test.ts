import { createHmac, createSecretKey } from 'node:crypto';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ApiKeyView } from '#model/account.ts';
import type { Uid } from '#model/units.ts';
import { ApiError } from '#http/errors.ts';
import type { BodyKind } from '#public-api/pipeline/parameters.ts';
import { plainBodyBounds } from '#public-api/pipeline/body-bounds.ts';
import { readParameters } from '#public-api/pipeline/parameters.ts';
import { percentEncoders } from '#public-api/signing/percent-coding.ts';
import { isSignature, isSignedBy, signedText } from '#public-api/signing/signature.ts';
import { KeyRing } from '#public-api/signing/key-ring.ts';

const hmac = (text: string, key: string): string => createHmac('sha256', key).update(text, 'latin1').digest('hex');
const keyOf = (secret: string) => createSecretKey(secret, 'utf8');
const parts = (query: string, body = '', bodyKind: BodyKind = body === '' ? 'none' : 'form') => ({
  query,
  body,
  bodyKind,
});

describe('SPEC-CNV-08, SPEC-CNV-09: published and computed vectors', () => {
  const secret = '45d0b3c26f2644f19bfb98b07741b2f5';
  const order = 'symbol=BTCUSDT&side=BUY&type=LIMIT';
  const rest = 'quantity=1&price=11&recvWindow=5000&timestamp=1644489390087';
  const item = (price: string, quantity: string, side: string, id = '') =>
    `%7B%22type%22%3A%22LIMIT%22%2C%22price%22%3A%22${price}%22%2C%22quantity%22%3A%22${quantity}%22%2C` +
    `%22symbol%22%3A%22BTCUSDT%22%2C%22side%22%3A%22${side}%22${id}%7D`;
  const id = '%2C%22newClientOrderId%22%3A%229588234%22';
  const batch = `%5B${item('40000', '0.0002', 'BUY', id)}%2C${item('40050', '0.0003', 'SELL')}%5D`;
  const vectors: readonly (readonly [string, string, ReturnType<typeof parts>])[] = [
    ['V1', 'fd3e4e8543c5188531eb7279d68ae7d26a573d0fc5ab0d18eb692451654d837a', parts(`${order}&${rest}`)],
    ['V2', 'd1a676610ceb39174c8039b3f548357994b2a34139a8addd33baadba65684592', parts(order, rest)],
    ['V3', '09b4b5a40aeec864d2caa60f2e6a740b61dc423d76c5615c00fd72681f52a094', parts('timestamp=1644489390087')],
    [
      'V4',
      'bc13fdaaf265acef7cbe8850b8a511776cbd4c5eb922569f6a05f93be3d502a8',
      parts('asset=BTC%2CFIL%2CETH&timestamp=1644489390087'),
    ],
    [
      'V5',
      'ea1ad73abdac1ae9076e97c3d1dd0102d86c5932d187d52c2ac5885596c6ca85',
      parts('asset=BTC%2cFIL%2cETH&timestamp=1644489390087'),
    ],
    [
      'V6',
      '461de476b6ca59202ea71ef59118ee3f7f29d72d38d359bd5a83bd0898d8a1bc',
      parts('timestamp=1644489390087', '{"symbol":"BTCUSDT","side":"BUY"}', 'json'),
    ],
    [
      'V7',
      '62b583f40a19bbb3c686ebe0ec5e7188ea359c4b057a8bab190398a57cec58eb',
      parts(`batchOrders=${batch}&recvWindow=5000&timestamp=1644489390087`),
    ],
  ];
  test.each(vectors)('%s verifies', (_name, signature, request) => {
    expect(isSignedBy(keyOf(secret), signature, request)).toBe(true);
    expect(isSignedBy(keyOf(`${secret}x`), signature, request)).toBe(false);
  });
});

test('a signature is compared whole: one that is cut short, longer or different in any digit is refused', () => {
  const request = parts('a=1&note=\u00ff');
  const signature = hmac('a=1&note=\u00ff', 'secret');
  expect(isSignedBy(keyOf('secret'), signature.toUpperCase(), request)).toBe(true);
  for (const cut of ['', signature.slice(0, 62), `${signature}00`]) {
    expect(isSignedBy(keyOf('secret'), cut, request)).toBe(false);
  }
  for (let at = 0; at < signature.length; at += 1) {
    const other = signature[at] === '0' ? '1' : '0';
    expect(isSignedBy(keyOf('secret'), signature.slice(0, at) + other + signature.slice(at + 1), request)).toBe(false);
  }
});

test('an unsealed secret prints nothing', () => {
  const ring = new KeyRing(() => 'very secret');
  const secret = ring.secretOf({ accessKey: 'mx0', sealedSecret: 'sealed' } as ApiKeyView, 1 as Uid);
  expect(isSignedBy(secret, hmac('a=1', 'very secret'), parts('a=1'))).toBe(true);
  for (const printed of [
    inspect(ring, { showHidden: true, depth: 9 }),
    inspect(secret, { showHidden: true, depth: 9 }),
  ]) {
    expect(printed).not.toContain('very');
    expect(printed).not.toContain(Buffer.from('very').toString('hex'));
  }
  expect(JSON.stringify([ring, secret])).toBe('[{},{}]');
});

describe('the text that is signed', () => {
  test('DEC-REQ-05, DEC-REQ-06, A10: the one signature pair goes, with one ampersand beside it', () => {
    expect(signedText(parts('signature=x&a=1&b=2'))).toBe('a=1&b=2');
    expect(signedText(parts('a=1&signature=x&b=2'))).toBe('a=1&b=2');
    expect(signedText(parts('a=1&b=2&signature=x'))).toBe('a=1&b=2');
    expect(signedText(parts('signature=x'))).toBe('');
    expect(signedText(parts('a=1', 'b=2&signature=x'))).toBe('a=1b=2');
    expect(signedText(parts('mysignature=1&a=2&signature=x'))).toBe('mysignature=1&a=2');
  });

  test('DEC-REQ-07, A07: a JSON member is cut out with the comma and blanks before it, a first one with those after it', () => {
    const json = (body: string) => signedText(parts('t=1', body, 'json'));
    expect(json('{"signature":"x","a":1,"b":2}')).toBe('t=1{"a":1,"b":2}');
    expect(json('{"a": 1, "signature": "x", "b": 2}')).toBe('t=1{"a": 1, "b": 2}');
    expect(json('{"a": 1,\n  "signature": "x"\n}')).toBe('t=1{"a": 1\n}');
    expect(json('{\n  "signature": "x",\n  "a": 1\n}')).toBe('t=1{\n  "a": 1\n}');
    expect(json('{"signature":"x"}')).toBe('t=1{}');
    expect(json('{"a":"\\"signature\\":1"}')).toBe('t=1{"a":"\\"signature\\":1"}');
    expect(json('{"a":[{"signature":"inner"}]}')).toBe('t=1{"a":[{"signature":"inner"}]}');
    expect(json('{"a":[1,{"b":2}] ,"\\u0073ignature":"x"}')).toBe('t=1{"a":[1,{"b":2}] }');
    const bytes = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');
    expect(json(bytes('{"é":"測","signature":"x","b":"ü"}'))).toBe(bytes('t=1{"é":"測","b":"ü"}'));
  });

  test('DEC-REQ-18, A09: a signature is 64 hexadecimal digits of either case', () => {
    const whole = 'aB'.repeat(32);
    expect(isSignature(whole)).toBe(true);
    for (const text of [null, '', whole.slice(1), `${whole}0`, `g${whole.slice(1)}`, ` ${whole.slice(1)}`]) {
      expect(isSignature(text)).toBe(false);
    }
  });
});

describe('escapes that libraries rewrite', () => {
  const secret = 'k7Q2vB9xT4mZ8wL1sD6fH3jN5pR0yCgE';
  const accepts = (signed: string, query: string, body = ''): boolean =>
    isSignedBy(keyOf(secret), hmac(signed, secret), parts(query, body));

  test('DEC-REQ-09, A12, A13: lower-case hex, bare characters and plus signs on the wire stand for what was signed', () => {
    expect(accepts('a=x%2Cy&t=1', 'a=x%2cy&t=1&signature=0')).toBe(true);
    expect(accepts('a=x%2Cy&t=1', 'a=x,y&t=1&signature=0')).toBe(true);
    expect(accepts('a=x%20y&t=1', 'a=x+y&t=1&signature=0')).toBe(true);
    expect(accepts('a=it%27s&t=1', "a=it's&t=1&signature=0")).toBe(true);
    expect(accepts("a=it's&t=1", 'a=it%27s&t=1&signature=0')).toBe(true);
    expect(accepts('a=x%2cy&t=1', 'a=x%2cy&t=1&signature=0')).toBe(true);
    expect(accepts('a=1b=x%2Cy', 'a=1', 'b=x,y')).toBe(true);
  });

  test('nothing else is tried: lower-case hex that was signed but rewritten, another order, another name', () => {
    expect(accepts('a=x%2cy&t=1', 'a=x%2Cy&t=1&signature=0')).toBe(false);
    expect(accepts('a=1&b=2', 'b=2&a=1')).toBe(false);
    expect(accepts('a=1&b=2', 'a=1b=2')).toBe(false);
    expect(accepts('a=1&', 'a=1&b=2')).toBe(false);
  });
});

describe('DEC-REQ-59: accepted means that the decoded parameters equal the signed ones', () => {
  const secret = 's3cret';
  const names = ['symbol', 'side', 'price', 'quantity', 'note', 'b'] as const;
  const known = new Set<string>([...names, 'timestamp', 'signature']);
  const value = fc.oneof(
    fc.constantFrom('', '1', 'price', 'b', 'x b', 'a=b', '{"b":"2"}', '%41', 'é', ',', "it's", '&b=1'),
    fc.string({ unit: 'grapheme', maxLength: 6 }).filter((text) => !/[\u0000-\u001f\u007f]/.test(text)),
  );
  const pairs = fc.uniqueArray(fc.tuple(fc.constantFrom(...names), value), {
    selector: ([name]) => name,
    minLength: 1,
    maxLength: 5,
  });
  /** Honest senders escape `&`, `=`, `%` and `+`; some leave the rest as it is. */
  const sparing = (text: string): string =>
    Buffer.from(text.replace(/[&=%+#\s]/g, (mark) => percentEncoders.rfc3986(mark))).toString('latin1');
  const encoder = fc.constantFrom(percentEncoders.rfc3986, percentEncoders.javascript, sparing);

  interface Request {
    readonly query: string;
    readonly body: string;
    readonly contentType: string | undefined;
  }
  const read = (request: Request): Record<string, string> | null => {
    try {
      const found = readParameters({
        query: request.query,
        body: request.body === '' ? null : Buffer.from(request.body, 'latin1'),
        contentType: request.contentType,
        isSigned: true,
        known,
        lists: [],
        arrays: [],
        bounds: plainBodyBounds,
      });
      const signed = isSignedBy(keyOf(secret), found.signature ?? '', { ...request, bodyKind: found.bodyKind });
      return signed ? { ...found.values } : null;
    } catch (error) {
      if (error instanceof ApiError) return null;
      throw error;
    }
  };
  const typeOf = fc.constantFrom('application/json', 'application/x-www-form-urlencoded', undefined);

  test('wherever the seam of query and form is moved to', () => {
    fc.assert(
      fc.property(pairs, encoder, fc.nat(), fc.nat(), typeOf, (list, encode, split, seam, contentType) => {
        const texts = list.map(([name, text]) => `${name}=${encode(text)}`);
        const at = split % (texts.length + 1);
        const honest = { query: texts.slice(0, at).join('&'), body: texts.slice(at).join('&') };
        const whole = honest.query + honest.body;
        const signature = hmac(whole, secret);
        const cut = seam % (whole.length + 1);
        const separator = cut === 0 ? '' : '&';
        const moved = {
          query: `${whole.slice(0, cut)}${separator}signature=${signature}`,
          body: whole.slice(cut),
          contentType,
        };
        const asSent = read({ query: `${honest.query}&signature=${signature}`, body: honest.body, contentType });
        // Whoever leaves braces bare is refused as sent: what they signed has no reading to compare with.
        fc.pre(asSent !== null);
        expect(asSent).toEqual(Object.fromEntries(list));
        const accepted = read(moved);
        if (accepted !== null) expect(accepted).toEqual(asSent);
      }),
      { numRuns: 3000 },
    );
  });

  test('when a JSON body is moved into the query, and a query into a JSON body', () => {
    fc.assert(
      fc.property(
        pairs,
        encoder,
        fc.nat(),
        fc.nat(),
        typeOf,
        fc.boolean(),
        (list, encode, split, seam, contentType, blank) => {
          const at = split % (list.length + 1);
          const query = list
            .slice(0, at)
            .map(([name, text]) => `${name}=${encode(text)}`)
            .join('&');
          const body = Buffer.from(JSON.stringify(Object.fromEntries(list.slice(at))) + (blank ? ' ' : '')).toString(
            'latin1',
          );
          const whole = query + body;
          const signature = hmac(whole, secret);
          const cut = seam % (whole.length + 1);
          for (const to of [cut, whole.length, query.length]) {
            const separator = to === 0 ? '' : '&';
            const accepted = read({
              query: `${whole.slice(0, to)}${separator}signature=${signature}`,
              body: whole.slice(to),
              contentType,
            });
            if (accepted !== null) expect(accepted).toEqual(Object.fromEntries(list));
          }
        },
      ),
      { numRuns: 3000 },
    );
  });

  test('however escapes are rewritten on the way', () => {
    const rewrite = fc.constantFrom(
      (text: string) => text.replace(/%[0-9A-F]{2}/g, (escaped) => escaped.toLowerCase()),
      (text: string) => text.replace(/%20/g, '+'),
      (text: string) => text.replace(/%2C/g, ',').replace(/%7B/g, '{').replace(/%22/g, '"'),
      (text: string) => text.replace(/[0-9]/g, (digit) => `%3${digit}`),
    );
    fc.assert(
      fc.property(pairs, encoder, rewrite, (list, encode, change) => {
        const signed = list.map(([name, text]) => `${name}=${encode(text)}`).join('&');
        const wire = list.map(([name, text]) => `${name}=${change(encode(text))}`).join('&');
        const accepted = read({ query: `${wire}&signature=${hmac(signed, secret)}`, body: '', contentType: undefined });
        if (accepted !== null) expect(accepted).toEqual(Object.fromEntries(list));
      }),
      { numRuns: 2000 },
    );
  });
});
