import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBourse, type TestExchange } from '#testing/testing.ts';

/** Fundings and liquidations of a real exchange without traders, by a clock that stands. */

const contract = 'BTC_USDT';
const begin = Date.parse('2026-01-01T00:00:00Z');
let exchange: TestExchange;
let [long, short] = [0, 0];

beforeAll(async () => {
  exchange = await startBourse({ seed: '7', now: '2026-01-01T00:00:00Z' });
  const { operator } = exchange;
  await index(100_000);
  const grants = [{ asset: 'USDT', amount: '1000', wallet: 'futures' as const }];
  const rich = [{ asset: 'USDT', amount: '100000', wallet: 'futures' as const }];
  ({ uid: long } = await operator.openFaucet({ name: 'long', grants }));
  ({ uid: short } = await operator.openFaucet({ name: 'short', grants: rich }));
  for (const [uid, leverage] of [
    [long, 100],
    [short, 5],
  ] as const)
    await operator.setLeverage({ uid, contract, mode: 'cross', leverage });
  // 500 contracts of 0.0001 coins are worth 5000 USDT.
  await place(short, 'sell');
  await place(long, 'buy');
}, 60_000);
afterAll(() => exchange?.close());

const index = async (price: number): Promise<void> => {
  const given = { source: 'DESK', price: String(price), weight: 100, liveSeconds: 3600 };
  await exchange.operator.giveIndexPrice({ contract, ...given });
  await exchange.operator.advanceClock({ ms: 1_000 });
};
const place = (uid: number, side: 'buy' | 'sell') =>
  exchange.operator.placeContractOrder({ uid, contract, side, kind: 'limit', price: '100000', lots: 500 });
const futuresOf = async (uid: number): Promise<number> =>
  Number((await exchange.operator.getMargin({ uid, contract })).free);

test('DEC-KIT-67: a funding comes at a rate of choice at the next full hour, and the terms are as before', async () => {
  const { operator } = exchange;
  const { mark: _mark, ...before } = await operator.getContract({ contract });
  const [paying, receiving] = [await futuresOf(long), await futuresOf(short)];
  const funding = await operator.settleFunding({ contract, ratePpm: 7_500 });
  // 5000 USDT at 0.75 %
  expect(funding).toEqual({
    ...{ contract, rate: '0.0075', fair: '100000', paid: '37.5', received: '37.5' },
    ...{ at: begin + 3_600_000, now: expect.any(Number) },
  });
  expect(funding.now - funding.at).toBeLessThan(1_000_000);
  expect([(await futuresOf(long)) - paying, (await futuresOf(short)) - receiving]).toEqual([-37.5, 37.5]);
  const { mark, ...after } = await operator.getContract({ contract });
  expect(after).toEqual(before);
  expect(mark!.fundingRate).toBe('0.0075');
});

test('DEC-KIT-67: without a rate it follows from the premium; what has no index has no funding', async () => {
  const { operator } = exchange;
  await index(100_000);
  const funding = await operator.settleFunding({ contract });
  expect(funding.at).toBe(begin + 2 * 3_600_000);
  expect(Number(funding.rate)).not.toBe(0.0075);
  const seq = () => operator.listActs({ limit: 1 }).then(({ items }) => items[0]);
  const last = await seq();
  for (const [body, status, pointer] of [
    [{ contract: 'SOL_USDT' }, 422, '/contract'],
    [{ contract: 'NOPE_USDT' }, 400, '/contract'],
    [{ contract, ratePpm: 100_001 }, 400, '/ratePpm'],
  ] as const)
    await expect(operator.settleFunding(body)).rejects.toMatchObject({ status, pointer });
  expect(await seq()).toEqual(last);
});

test('DEC-KIT-68: a position is liquidated on demand, by the price of the index', async () => {
  const { operator } = exchange;
  // With three sources one that is far away does not count.
  const told = { contract, price: '100000', weight: 100, liveSeconds: 60 };
  for (const source of ['DESK', 'OTHER']) await operator.giveIndexPrice({ ...told, source });
  const refused = { status: 422, pointer: '/contract' };
  await expect(operator.liquidatePosition({ uid: long, contract })).rejects.toMatchObject(refused);
  for (const source of ['DESK', 'OTHER']) await operator.removeIndexSource({ contract, source });
  const [position] = (await operator.listAccountPositions({ uid: long })).items;
  const given = await operator.liquidatePosition({ uid: long, contract });
  expect(given).toMatchObject({ uid: long, contract, liquidationPrice: position!.liquidationPrice });
  expect(Number(given.indexPrice) / Number(given.liquidationPrice)).toBeCloseTo(0.988, 6);
  await operator.advanceClock({ ms: 2_000 });
  expect((await operator.listAccountPositions({ uid: long })).items).toEqual([]);
  expect((await operator.listAccountPositions({ uid: short })).items).toHaveLength(1);
  const again = operator.liquidatePosition({ uid: long, contract });
  await expect(again).rejects.toMatchObject({ status: 422, pointer: '/uid' });
});
