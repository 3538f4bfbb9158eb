import { afterAll, beforeAll, expect, test } from 'vitest';
import { futuresErrors } from '#http/errors.ts';
import { startTestGateway, type TestGateway } from './gateway-harness.ts';

let gate: TestGateway;
beforeAll(async () => {
  gate = await startTestGateway();
});
afterAll(() => gate.close());

test('DEC-LIM-07: all contracts of an endpoint share its budget, and another endpoint has its own', async () => {
  const ask = (path: string) => gate.send('GET', `/api/v1/contract/${path}`);
  for (let call = 0; call < 20; call += 1) expect((await ask(`depth/C${call}_USDT`)).body.code).toBe(1001);
  const refused = await ask('depth/MORE_USDT');
  const { code, message } = futuresErrors.tooManyRequests;
  expect([refused.status, refused.body]).toEqual([429, { success: false, code, message }]);
  expect((await ask('deals/MORE_USDT')).body.code).toBe(1001);
});
