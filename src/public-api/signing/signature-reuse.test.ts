import { expect, test } from 'vitest';
import { SignatureReuse } from '#public-api/signing/signature-reuse.ts';

test('DEC-REQ-15: `money` guards money routes only, `off` nothing; a minute later all is forgotten', () => {
  const use = (route: string, isMutating: boolean, isMoney = false) => ({
    signature: 'AB'.repeat(32),
    route,
    isMutating,
    isMoney,
    takesMoney: false,
  });
  const money = new SignatureReuse('money');
  expect(money.isReplay(use('GET /a', false), 0)).toBe(false);
  expect(money.isReplay(use('DELETE /a', true), 0)).toBe(false);
  expect(money.isReplay({ ...use('POST /withdraw', true, true), signature: 'ab'.repeat(32) }, 60_999)).toBe(true);
  expect(money.isReplay(use('POST /withdraw', true, true), 122_000)).toBe(false);
  const off = new SignatureReuse('off');
  expect([off.isReplay(use('GET /a', false), 0), off.isReplay(use('DELETE /a', true), 0)]).toEqual([false, false]);
  expect(off.size).toBe(0);
});

test('DEC-REQ-15: `all` guards every mutating route; where a signature came first is what counts', () => {
  const all = new SignatureReuse('all');
  const use = (route: string, isMutating: boolean) =>
    all.isReplay({ signature: 'cd'.repeat(32), route, isMutating, isMoney: false, takesMoney: false }, 0);
  expect([use('GET /a', false), use('POST /a', true), use('GET /b', false), use('GET /a', false)]).toEqual([
    false,
    true,
    false,
    false,
  ]);
  expect(use('DELETE /a', true)).toBe(true);
});

test('DEC-REQ-15: however many signatures come, memory of them is bounded and the last ones are known', () => {
  const all = new SignatureReuse('all');
  const use = (index: number, route: string) =>
    all.isReplay(
      { signature: index.toString(16).padStart(64, '0'), route, isMutating: true, isMoney: false, takesMoney: false },
      index / 1000,
    );
  for (let index = 0; index < 250_000; index += 1) expect(use(index, 'POST /a')).toBe(false);
  expect(all.size).toBeLessThanOrEqual(200_000);
  expect(use(249_999, 'POST /b')).toBe(true);
  expect(use(160_000, 'POST /b')).toBe(true);
});

test('DEC-REQ-15: what takes money is not done twice for one signature where it is guarded; orders may repeat', () => {
  const route = { signature: 'ef'.repeat(32), isMutating: true };
  const withdraw = { ...route, route: 'POST /withdraw', isMoney: true, takesMoney: true };
  const order = { ...route, signature: 'fe'.repeat(32), route: 'POST /order', isMoney: false, takesMoney: false };
  const twice = (reuse: SignatureReuse) => [withdraw, withdraw, order, order].map((use) => reuse.isReplay(use, 0));
  expect(twice(new SignatureReuse('all'))).toEqual([false, true, false, false]);
  expect(twice(new SignatureReuse('money'))).toEqual([false, true, false, false]);
  expect(twice(new SignatureReuse('off'))).toEqual([false, false, false, false]);
});
