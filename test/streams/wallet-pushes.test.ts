import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { innerHouse } from '#model/account.ts';
import type { AccountId, Balance } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { CommandOf } from '#model/command.ts';
import type { WalletRules } from '#model/wallet.ts';
import type { StreamClient } from './stream-client.ts';
import { ids, people, startStreamHarness, type StreamHarness } from './stream-harness.ts';
import { seenWith } from '../chain-sight.ts';

/* What the account channel hears of money that moves inside the exchange. */

const unit = 10n ** 8n;
const rules: WalletRules = {
  valuedIn: as(ids.USDT),
  largeDeposit: as<Balance>(10n ** 15n),
  dailyCaps: [1n, 2n, 3n, 4n].map((cap) => as<Balance>(cap * 10n ** 13n)),
  riskHoldAbove: null,
  fourEyesAbove: null,
  adjustFourEyesAbove: null,
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

/** Type, asset, changes and balances after them, of every push since this was last asked. */
async function heardBy(client: StreamClient): Promise<string[]> {
  await client.drain();
  return client.pushes.splice(0).flatMap(({ body }) => {
    if (body.case !== 'privateAccount') return [];
    const { type, vcoinName, balanceAmountChange, balanceAmount, frozenAmountChange, frozenAmount } = body.value;
    const frozen = frozenAmountChange === '0' ? '' : `, frozen ${frozenAmountChange} to ${frozenAmount}`;
    return [`${type} ${vcoinName} ${balanceAmountChange} to ${balanceAmount}${frozen}`];
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

test('DEC-WAL-82: what is sent inside is TRANSFER for both, to each its own balance', async () => {
  await harness.exchange.submit({
    kind: 'sendFunds',
    account: people.alice,
    targetKind: 'uid',
    target: String(1000 + people.bob),
    clientTranId: null,
    asset: as(ids.BTC),
    amount: as<Balance>(unit / 4n),
  });
  expect(await heardBy(alice)).toEqual(['TRANSFER BTC -0.25 to 9999999.75']);
  expect(await heardBy(bob)).toEqual(['TRANSFER BTC 0.25 to 10000000.25']);
});

test('DEC-WAL-82: dust that is converted is DUST, out of the asset and into the platform token', async () => {
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
  // Without a price there is no cap.
  await submit({
    kind: 'sendFunds',
    account: people.alice,
    targetKind: 'uid',
    target: String(1000 + people.carol),
    clientTranId: null,
    asset: as(ids.BTC),
    amount: as<Balance>(10n ** 15n - unit),
  });
  // One trade makes no price that counts.
  const worth = { validMs: 10 ** 12, reason: 'test' };
  for (const [asset, digits] of [
    [ids.BTC, 20n],
    [ids.TKN, 5n],
  ] as const)
    await submit({ kind: 'setReferencePrice', asset: as(asset), digits: as<Balance>(digits), decimals: 1, ...worth });
  await heardBy(alice);
  await submit({ kind: 'convertDust', account: people.alice, assets: [as(ids.BTC)] });
  // One BTC at 2 USDT is 4 TKN at half a USDT, less 0.2 % of them.
  expect(await heardBy(alice)).toEqual(['DUST BTC -1 to 0', 'DUST TKN 3.992 to 10000003.992']);
});

describe('over a chain', () => {
  const network = 'NET';
  const address = (account: AccountId): string => `own${account}`;
  const noFee = as<Balance>(0n);
  let seen = 0;

  beforeEach(async () => {
    const { submit } = harness.exchange;
    await submit({
      kind: 'configureAssetNetwork',
      network: {
        ...{ asset: as(ids.USDT), network, label: network, contract: null, scale: 8, sharesAddress: false },
        ...{ depositEnabled: true, withdrawEnabled: true, minConfirm: 2, depositMin: as<Balance>(10n * unit) },
        ...{ withdrawFee: as<Balance>(3n * unit), withdrawMin: as<Balance>(10n * unit) },
        ...{ withdrawMax: as<Balance>(10n ** 14n), withdrawStep: as<Balance>(1n) },
        ...{ depositDesc: null, depositTips: null, withdrawTips: null },
      },
    });
    for (const [index, account] of [people.alice, people.bob].entries())
      await submit({
        ...{ kind: 'assignDepositAddress', account, network, index, address: address(account), memo: null },
      });
  });

  const payment = (coins: bigint) => {
    seen += 1;
    const at = { network, txId: `tx${seen}`, output: 0, asset: as<never>(ids.USDT as never), memo: null };
    return { ...at, address: address(people.alice), amount: as<Balance>(coins * unit) };
  };
  const report = (paid: ReturnType<typeof payment>, confirmations: number) =>
    harness.exchange.submit({ kind: 'reportDeposit', ...paid, sight: seenWith(confirmations) });

  const withdraw = async (to: string): Promise<number> => {
    const terms = { network, memo: null, withdrawOrderId: null, remark: null };
    const { events } = await harness.exchange.submit({
      ...{ kind: 'requestWithdrawal', account: people.alice, asset: as(ids.USDT), address: to },
      ...{ amount: as<Balance>(50n * unit), ...terms },
    });
    for (const event of events) if (event.kind === 'withdrawalChanged') return event.withdrawal.withdrawal;
    throw new Error('the withdrawal was refused');
  };
  const advance = (
    withdrawal: number,
    event: CommandOf<'advanceWithdrawal'>['event'],
    more: Partial<CommandOf<'advanceWithdrawal'>> = {},
  ) =>
    harness.exchange.submit({
      ...{ kind: 'advanceWithdrawal', withdrawal, event, transaction: null, confirmations: 0, networkFee: noFee },
      ...more,
    });
  const sign = (withdrawal: number) =>
    advance(withdrawal, 'sign', { transaction: { txId: 'out', raw: 'raw', nonce: 0 } });

  test('DEC-STR-14: a deposit is DEPOSIT once it is credited, and nothing before or after that', async () => {
    const paid = payment(25n);
    await report(paid, 0);
    await report(paid, 1);
    expect(await heardBy(alice)).toEqual([]);
    await report(paid, 2);
    await report(paid, 3);
    expect(await heardBy(alice)).toEqual(['DEPOSIT USDT 25 to 10000025']);
    expect(await heardBy(bob)).toEqual([]);
  });

  test('DEC-WAL-82: a credited deposit that its chain loses is CHAIN_LOSS, and once more when it is back', async () => {
    const paid = payment(25n);
    await report(paid, 2);
    const { network: on, txId, output } = paid;
    await harness.exchange.submit({ kind: 'removeDeposit', network: on, txId, output, forks: 0 });
    await report(paid, 2);
    expect(await heardBy(alice)).toEqual([
      'DEPOSIT USDT 25 to 10000025',
      'CHAIN_LOSS USDT -25 to 10000000',
      'CHAIN_LOSS USDT 25 to 10000025',
    ]);
  });

  test('DEC-STR-14, DEC-WAL-15: small deposits are pushed one by one when their sum reaches the minimum', async () => {
    const [first, second] = [payment(4n), payment(7n)];
    await report(first, 2);
    expect(await heardBy(alice)).toEqual([]);
    await report(second, 2);
    const deposits = [1, 2];
    await harness.exchange.submit({ kind: 'creditSmallDeposits', network, forks: 0, height: 2, deposits });
    expect(await heardBy(alice)).toEqual(['DEPOSIT USDT 4 to 10000004', 'DEPOSIT USDT 7 to 10000011']);
  });

  test('DEC-WAL-30: applying holds; SUCCESS takes the amount without the fee, then the fee', async () => {
    const withdrawal = await withdraw('outside');
    expect(await heardBy(alice)).toEqual(['WITHDRAW USDT -50 to 9999950, frozen 50 to 50']);
    await advance(withdrawal, 'assess');
    await advance(withdrawal, 'begin');
    await sign(withdrawal);
    await advance(withdrawal, 'broadcast');
    await advance(withdrawal, 'confirm', { confirmations: 1 });
    expect(await heardBy(alice)).toEqual([]);
    await advance(withdrawal, 'confirm', { confirmations: 2 });
    expect(await heardBy(alice)).toEqual([
      'WITHDRAW USDT 0 to 9999950, frozen -47 to 3',
      'WITHDRAW_FEE USDT 0 to 9999950, frozen -3 to 0',
    ]);
  });

  test('DEC-WAL-30: CANCEL and FAILED give everything back', async () => {
    const given = ['WITHDRAW USDT -50 to 9999950, frozen 50 to 50', 'WITHDRAW USDT 50 to 10000000, frozen -50 to 0'];
    const cancelled = await withdraw('outside');
    await harness.exchange.submit({ kind: 'cancelWithdrawal', account: people.alice, withdrawal: cancelled });
    expect(await heardBy(alice)).toEqual(given);
    const failed = await withdraw('outside');
    await advance(failed, 'assess');
    await advance(failed, 'begin');
    await advance(failed, 'fail');
    expect(await heardBy(alice)).toEqual(given);
    // What is over cannot be cancelled again, which pushes nothing.
    await harness.exchange.submit({ kind: 'cancelWithdrawal', account: people.alice, withdrawal: failed });
    expect(await heardBy(alice)).toEqual([]);
  });

  test('DEC-WAL-25, DEC-STR-14: inside it is WITHDRAW for the sender and DEPOSIT for the receiver, at once', async () => {
    await withdraw(address(people.bob));
    expect(await heardBy(alice)).toEqual(['WITHDRAW USDT -50 to 9999950']);
    expect(await heardBy(bob)).toEqual(['DEPOSIT USDT 50 to 10000050']);
  });
});
