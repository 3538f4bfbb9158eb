import { afterEach, beforeEach, expect, test } from 'vitest';
import { innerHouse } from '#domain/account.ts';
import type { AccountId, Balance } from '#domain/units.ts';
import { as } from '#domain/units.ts';
import type { WalletRules } from '#domain/wallet.ts';
import type { StreamClient } from './stream-client.ts';
import { ids, people, startStreamHarness, type StreamHarness } from './stream-harness.ts';

/* What the account channel hears of money that moves inside the exchange. */

const unit = 10n ** 8n;
const rules: WalletRules = {
  valuedIn: as(ids.USDT),
  largeDeposit: as<Balance>(10n ** 15n),
  dailyCaps: [1n, 2n, 3n, 4n].map((cap) => as<Balance>(cap * 10n ** 13n)),
  riskHoldAbove: null,
  fourEyesAbove: null,
  newAddressDelayMs: 0,
  waitMs: 0,
  transferable: [as(ids.USDT)],
  dustBelow: as<Balance>(5n * unit),
  dustCallMax: as<Balance>(50n * unit),
  dustFeePpm: 2000,
};

let harness: StreamHarness;
let alice: StreamClient;
let bob: StreamClient;
beforeEach(async () => {
  harness = await startStreamHarness();
  await harness.exchange.submit({ kind: 'configureWallet', rules });
  alice = await harness.listen(people.alice);
  bob = await harness.listen(people.bob);
  for (const client of [alice, bob]) await client.subscribe('spot@private.account.v3.api.pb');
});
afterEach(() => harness.close());

/** Type, asset, change and what is free afterwards, of every push since this was last asked. */
async function heardBy(client: StreamClient): Promise<string[]> {
  await client.drain();
  return client.pushes.splice(0).flatMap(({ body }) => {
    if (body.case !== 'privateAccount') return [];
    const { type, vcoinName, balanceAmountChange, balanceAmount, frozenAmountChange } = body.value;
    expect(frozenAmountChange).toBe('0');
    return [`${type} ${vcoinName} ${balanceAmountChange} to ${balanceAmount}`];
  });
}

const transfer = (
  from: 'spot' | 'futures',
  to: 'spot' | 'futures',
  amount: bigint,
  clientTranId: string | null = null,
) =>
  harness.exchange.submit({
    kind: 'transferFunds',
    account: people.alice,
    from,
    to,
    asset: as(ids.USDT),
    amount: as<Balance>(amount),
    clientTranId,
  });

test('DEC-STR-14: moves between spot and futures are CONTRACT_TRANSFER, of the spot balance alone', async () => {
  await transfer('spot', 'futures', 30n * unit);
  expect(await heardBy(alice)).toEqual(['CONTRACT_TRANSFER USDT -30 to 9999970']);
  await transfer('futures', 'spot', 5n * unit);
  expect(await heardBy(alice)).toEqual(['CONTRACT_TRANSFER USDT 5 to 9999975']);
  expect(await heardBy(bob)).toEqual([]);
});

test('DEC-STR-14: neither a repeated transfer nor a refused one is pushed', async () => {
  await transfer('spot', 'futures', unit, 'once');
  await transfer('spot', 'futures', unit, 'once');
  await transfer('futures', 'spot', 2n * unit);
  expect(await heardBy(alice)).toEqual(['CONTRACT_TRANSFER USDT -1 to 9999999']);
});

test('DEC-STR-14: what is sent inside is TRANSFER for both, to each its own balance', async () => {
  await harness.exchange.submit({
    kind: 'sendFunds',
    account: people.alice,
    targetKind: 'uid',
    target: String(1000 + people.bob),
    asset: as(ids.BTC),
    amount: as<Balance>(unit / 4n),
  });
  expect(await heardBy(alice)).toEqual(['TRANSFER BTC -0.25 to 9999999.75']);
  expect(await heardBy(bob)).toEqual(['TRANSFER BTC 0.25 to 10000000.25']);
});

test('DEC-STR-14: dust that is converted is DUST, out of the asset and into the platform token', async () => {
  const { submit } = harness.exchange;
  await submit({ kind: 'configureFeeToken', token: as(ids.TKN), valuedIn: as(ids.USDT), discountPpm: 0 });
  const give = (account: AccountId, asset: number, amount: bigint) =>
    submit({ kind: 'creditFunds', account, asset: as(asset), amount: as<Balance>(amount) });
  await give(innerHouse.dust, ids.TKN, 100n * unit);
  const trade = async (symbol: number, price: number, account: AccountId) => {
    const terms = {
      symbol: as<never>(symbol as never),
      price: as<never>(price as never),
      quantity: as<never>(1 as never),
    };
    await harness.order(account, { ...terms, side: 'sell' });
    await harness.order(people.carol, { ...terms, side: 'buy' });
  };
  await trade(0, 200, people.carol);
  await trade(1, 50, people.carol);
  await submit({
    kind: 'sendFunds',
    account: people.alice,
    targetKind: 'uid',
    target: String(1000 + people.carol),
    asset: as(ids.BTC),
    amount: as<Balance>(10n ** 15n - unit),
  });
  await heardBy(alice);
  await submit({ kind: 'convertDust', account: people.alice, assets: [as(ids.BTC)] });
  // One BTC at 2 USDT is 4 TKN at half a USDT, less 0.2 % of them.
  expect(await heardBy(alice)).toEqual(['DUST BTC -1 to 0', 'DUST TKN 3.992 to 10000003.992']);
});
