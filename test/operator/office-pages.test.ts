import { afterAll, beforeAll, expect, test } from 'vitest';
import { rootToken, startTestOperator, type TestOperator } from './operator-harness.ts';

let operator: TestOperator;
beforeAll(async () => {
  operator = await startTestOperator();
});
afterAll(() => operator.close());

const paths = ['/', '/withdrawals', '/accounts/10000001', '/coins/USDT', '/acts'];

test.each(paths)('DEC-WEB-40: %s is a page that nobody may frame, and holds nothing of the exchange', async (path) => {
  const { status, headers, text } = await operator.ask('GET', path, undefined, { token: null });
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html;charset=utf-8']);
  expect(headers.get('x-frame-options')).toBe('DENY');
  const policy = headers.get('content-security-policy') as string;
  for (const part of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "form-action 'none'"])
    expect(policy).toContain(part);
  expect(headers.get('set-cookie')).toBeNull();
  expect(text).not.toContain('alice');
});

test('DEC-WEB-40: the token of another page is none: without the header nothing is read or done', async () => {
  const before = operator.digest();
  const foreign = { origin: 'https://elsewhere.example', cookie: `token=${rootToken}`, 'sec-fetch-site': 'cross-site' };
  const path = `/v1/accounts/${operator.alice.uid}/status`;
  const read = await operator.ask('GET', '/v1/accounts', undefined, { token: null, headers: foreign });
  const write = await operator.ask('PUT', path, { status: 'frozen' }, { token: null, headers: foreign });
  expect([read.status, write.status]).toEqual([401, 401]);
  expect(read.headers.get('access-control-allow-origin')).toBeNull();
  expect(operator.digest()).toBe(before);
});

test('DEC-WEB-60: pages that control a sandbox are there in a sandbox alone', async () => {
  const sandbox = await startTestOperator({ hasChains: true });
  const path = '/sandbox/clock';
  const [here, there] = await Promise.all(
    [sandbox, operator].map((each) => each.ask('GET', path, undefined, { token: null })),
  );
  await sandbox.close();
  expect([here?.status, there?.status]).toEqual([200, 404]);
});
