import { expect, test } from 'vitest';
import { BanLadder } from '#http/ban-ladder.ts';
import { Firewall } from '#http/firewall.ts';
import { ClientAddresses } from '#http/client-address.ts';
import { RecentTable } from '#http/recent-table.ts';
import { SignatureReuse } from '#gateway/signing/signature-reuse.ts';
import { SignatureTable } from '#gateway/signing/signature-table.ts';
import { WeightBudget } from '#http/weight-budget.ts';

test('an entry lives at least as long as it is kept, and at most twice as long', () => {
  const table = new RecentTable<number>({ keepMs: 100, entriesMax: 10 });
  table.put('early', 1, 0);
  table.put('late', 2, 99);
  expect(table.get('early', 100)).toBe(1);
  expect(table.get('late', 198)).toBe(2);
  expect(table.get('late', 200)).toBeUndefined();
  expect(table.size).toBe(0);
});

test('after a long pause nothing old is left', () => {
  const table = new RecentTable<number>({ keepMs: 100, entriesMax: 10 });
  table.put('old', 1, 50);
  expect(table.get('old', 100_000)).toBeUndefined();
});

test('the oldest make room once there are too many', () => {
  const table = new RecentTable<number>({ keepMs: 100, entriesMax: 3 });
  for (let index = 0; index < 8; index += 1) table.put(`key${index}`, index, 0);
  expect([table.get('key2', 1), table.get('key3', 1), table.get('key7', 1)]).toEqual([undefined, 3, 7]);
  expect([table.size, table.evicted]).toEqual([5, 3]);
});

test('an entry outlives as many others as a table holds', () => {
  const table = new RecentTable<number>({ keepMs: 100, entriesMax: 3 });
  table.put('first', 1, 0);
  for (let index = 0; index < 3; index += 1) table.put(`key${index}`, index, 0);
  expect(table.get('first', 1)).toBe(1);
});

test('G13: a million addresses leave every table within its bound', () => {
  const bound = 1000;
  const budget = new WeightBudget({ windowMs: 10_000, limit: 500, bucketsMax: bound });
  for (let address = 0; address < 1_000_000; address += 1) budget.spend(`endpoint ${address}`, 1, address / 100);
  expect(budget.size).toBeLessThanOrEqual(2 * bound);
});

test('a window is fixed from its first use; what it refuses it does not take', () => {
  const budget = new WeightBudget({ windowMs: 10_000, limit: 500, bucketsMax: 10 });
  expect(budget.spend('a', 499, 1000)).toEqual({ isAllowed: true, used: 499, remainingMs: 10_000 });
  expect(budget.spend('a', 2, 5000)).toEqual({ isAllowed: false, used: 499, remainingMs: 6000 });
  expect(budget.spend('a', 1, 10_999)).toEqual({ isAllowed: true, used: 500, remainingMs: 1 });
  expect(budget.spend('a', 1, 11_000)).toEqual({ isAllowed: true, used: 1, remainingMs: 10_000 });
});

const rules = { violationsMax: 5, firstMs: 120_000, longestMs: 259_200_000, memoryMs: 259_200_000 };
const day = 86_400_000;

test('the ladder doubles with each ban within three days, up to its longest', () => {
  const ladder = new BanLadder(rules);
  const lengths: number[] = [];
  let time = 0;
  for (let ban = 0; ban < 14; ban += 1) {
    for (let request = 0; ; request += 1) {
      const made = ladder.refused('a', 10_000, { monotonicMs: time, wallMs: time });
      if (made === null) continue;
      expect(request).toBe(5);
      lengths.push((made.until - time) / 1000);
      time = made.until;
      break;
    }
  }
  expect(lengths.slice(0, 4)).toEqual([120, 240, 480, 960]);
  expect(lengths.slice(-2)).toEqual([259_200, 259_200]);
});

test('a ban that ended three days ago counts no more, and violations older than a minute neither', () => {
  const ladder = new BanLadder(rules);
  ladder.learn({ address: 'a', until: 1000 as never, times: 7 });
  const provoke = (from: number, stepMs: number, retryMs: number) =>
    Array.from({ length: 6 }, (_, request) =>
      ladder.refused('a', retryMs, { monotonicMs: from + request * stepMs, wallMs: from + request * stepMs }),
    ).at(-1);
  expect(provoke(1001 + 3 * day, 16_000, 17_000)).toBeNull();
  expect(provoke(1001 + 4 * day, 1000, 10_000)).toMatchObject({ times: 1 });
});

test('nonsense is counted per window and address', () => {
  const firewall = new Firewall({ denied: [], faultsMax: 2 });
  const address = new ClientAddresses([]).of('198.51.100.1');
  if (address === null) throw new TypeError('an address');
  for (let fault = 0; fault < 2; fault += 1) firewall.countFault(address, 1000);
  expect(firewall.shutOutMs(address, 1000)).toBe(0);
  firewall.countFault(address, 2000);
  expect(firewall.shutOutMs(address, 3000)).toBe(8000);
  expect(firewall.shutOutMs(address, 11_000)).toBe(0);
});

test('decisions.md 1, Replay: `money` guards money routes only, `off` nothing; a minute later all is forgotten', () => {
  const use = (route: string, isMutating: boolean, isMoney = false) => ({
    signature: 'AB'.repeat(32),
    route,
    isMutating,
    isMoney,
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

test('signatures are told apart by their first digits and forgotten by generation', () => {
  const table = new SignatureTable({ keepMs: 100, entriesMax: 4 });
  const signature = (index: number): string => index.toString(16).padStart(16, '0').padEnd(64, 'f');
  expect([table.note(signature(1), 7, 0), table.note(signature(1), 8, 0)]).toEqual([0, 7]);
  for (let index = 2; index <= 5; index += 1) expect(table.note(signature(index), index, 0)).toBe(0);
  expect([table.note(signature(1), 9, 50), table.note(signature(5), 9, 50)]).toEqual([7, 5]);
  for (let index = 6; index <= 9; index += 1) expect(table.note(signature(index), index, 50)).toBe(0);
  expect([table.note(signature(1), 9, 60), table.note(signature(5), 9, 60)]).toEqual([0, 5]);
  expect(table.size).toBeLessThanOrEqual(8);
  expect(table.note(signature(5), 9, 500)).toBe(0);
});
