import { expect, test } from 'vitest';
import type { Command, CommandOf } from '#model/command.ts';
import { engineLimits } from '#model/limits.ts';
import { type AccountId, as, type AssetId, type Balance } from '#model/units.ts';
import { audit } from '#engine/image/audit.ts';
import { restoreEngine } from '#engine/create-engine.ts';
import { obstacleToDelisting } from '#engine/listing/asset-obstacles.ts';
import { terms } from './contract-desk.ts';
import { alice as depositor, coin, DepositDesk, networkOf, outside, tagged } from './deposit-desk.ts';
import { operated } from '../operated.ts';
import { assets, openRules, people, WalletHarness } from './wallet-harness.ts';

const { alice, bob } = people;
const delist = (asset: AssetId) => ({ kind: 'delistAsset', asset }) as const;
const nil = { code: 'NIL', fullName: 'NIL', scale: 4, cap: as<Balance>(2n ** 61n), coinId: '4'.repeat(32) };

/** What a delisting is refused with, and what stands in the way in words. */
const refusal = (desk: WalletHarness, asset: AssetId) => {
  const what = obstacleToDelisting(desk.engine.state, asset)?.what ?? null;
  return [desk.say(delist(asset)), what];
};

test('DEC-OPR-172: an asset that nobody has and nothing names is delisted, and stays so in an image', () => {
  const desk = new WalletHarness();
  expect(desk.say(delist(assets.NIL))).toBe('assetConfigured');
  desk.restore();
  expect(desk.say(delist(assets.NIL))).toBe('assetDelisted');
  expect(desk.say(delist(as(99)))).toBe('unknownAsset');
  const amount = as<Balance>(1n);
  const money = { account: alice, asset: assets.NIL, amount };
  const symbol = { ...desk.engine.state.books[1]!.rules, name: 'NILUSDT', base: assets.NIL };
  const refused: readonly (readonly [Command, string])[] = [
    [{ kind: 'creditFunds', ...money }, 'unknownAsset'],
    [{ kind: 'transferFunds', ...money, from: 'spot', to: 'futures', clientTranId: null } as Command, 'unknownAsset'],
    [{ kind: 'configureSymbol', symbol }, 'invalidConfiguration'],
    [{ kind: 'configureContract', contract: { ...terms, name: 'NIL_USDT', base: assets.NIL } }, 'invalidConfiguration'],
    [{ kind: 'configureWallet', rules: { ...openRules, transferable: [assets.NIL] } }, 'invalidConfiguration'],
    [{ kind: 'configureFeeToken', token: assets.NIL, valuedIn: assets.USDT, discountPpm: 0 }, 'invalidConfiguration'],
    [
      { kind: 'configureAssetNetwork', network: { ...networkOf(coin), asset: assets.NIL, scale: 4 } },
      'invalidConfiguration',
    ],
  ];
  for (const [command, reason] of refused) expect([command.kind, desk.say(command)]).toEqual([command.kind, reason]);
});

test('DEC-OPR-172: each obstacle is named: contract, commission, rules of the wallet, pair, network', () => {
  const desk = new WalletHarness();
  expect(refusal(desk, assets.BTC)).toEqual(['assetHasPair', 'pair BTCUSDT']);
  expect(refusal(desk, assets.TKN)).toEqual(['assetPaysCommission', 'platform token']);
  expect(refusal(desk, assets.USDT)).toEqual(['assetPaysCommission', 'valuation asset of the platform token']);
  desk.run({ kind: 'configureFeeToken', token: assets.DOG, valuedIn: assets.BTC, discountPpm: 0 });
  expect(refusal(desk, assets.USDT)).toEqual(['assetOfWalletRules', 'valuedIn of the rules of the wallet']);
  const transferable = [assets.USDT, assets.NIL];
  desk.run({ kind: 'configureWallet', rules: { ...openRules, transferable } });
  expect(refusal(desk, assets.NIL)).toEqual(['assetOfWalletRules', 'transferable of the rules of the wallet']);
  desk.run({ kind: 'configureWallet', rules: openRules });
  for (const [asset, contract] of [[assets.NIL, null] as const, [assets.BTC, '0xc'] as const])
    desk.run({ kind: 'configureAssetNetwork', network: { ...networkOf(coin), asset, contract, scale: 4 } });
  expect(refusal(desk, assets.NIL)).toEqual(['assetPaysNetwork', 'network NET']);
  desk.run({ kind: 'configureContract', contract: { ...terms, name: 'NIL_USDT', base: assets.NIL } });
  expect(refusal(desk, assets.NIL)).toEqual(['assetHasContract', 'contract NIL_USDT']);
  const { id } = desk.engine.state.contracts.find('NIL_USDT')!.rules;
  desk.run({ kind: 'setContractState', contract: id, state: 'offline' });
  expect(refusal(desk, assets.NIL)).toEqual(['assetHasContract', 'contract NIL_USDT']);
});

test('DEC-OPR-172: a pair that was delisted is no obstacle, and keeps the name of its asset', () => {
  const desk = new WalletHarness();
  desk.relist('DOG', { status: 'offline' });
  expect(refusal(desk, assets.DOG)).toEqual(['assetHasPair', 'pair DOGUSDT']);
  const { symbol } = desk.engine.state.symbols.find('DOGUSDT')!;
  expect(desk.say({ kind: 'delistSymbol', symbol })).toBe('symbolConfigured');
  expect(desk.say(delist(assets.DOG))).toBe('assetConfigured');
  desk.restore();
  expect(desk.engine.state.assets.at(assets.DOG).code).toBe('DOG');
});

test('DEC-OPR-172: a unit of dust of anybody stands in the way, free or in futures, and is not taken', () => {
  const desk = new WalletHarness({ ...openRules, transferable: [assets.USDT, assets.NIL] });
  desk.give(bob, assets.NIL, 1n);
  const move = { account: bob, asset: assets.NIL, amount: as<Balance>(1n), from: 'spot', to: 'futures' };
  desk.run({ kind: 'transferFunds', ...move, clientTranId: null } as unknown as Command);
  desk.run({ kind: 'configureWallet', rules: openRules });
  const held = [desk.free(bob, assets.NIL), desk.futures(bob, assets.NIL)];
  expect(desk.say(delist(assets.NIL))).toBe('assetHeld');
  expect([desk.free(bob, assets.NIL), desk.futures(bob, assets.NIL)]).toEqual(held);
});

test('DEC-OPR-173: listed again, an asset is the one that it was: same id, scale and cap', () => {
  const desk = new WalletHarness();
  desk.run(delist(assets.NIL));
  for (const change of [{ scale: 5 }, { cap: as<Balance>(5n) }])
    expect(desk.say({ kind: 'configureAsset', asset: { ...nil, ...change } })).toBe('invalidConfiguration');
  expect(desk.say({ kind: 'configureAsset', asset: { ...nil, fullName: 'Nil' } })).toBe('assetConfigured');
  expect(desk.engine.state.assets.find('NIL')).toMatchObject({ id: assets.NIL, isDelisted: false });
  desk.give(alice, assets.NIL, 5n);
  expect(desk.free(alice, assets.NIL)).toBe(5n);
});

/** An operator takes from alice what a deposit gave her, and it out of custody. */
function takeOut(desk: DepositDesk, amount: bigint): void {
  const adjust = (
    account: number,
    wallet: 'spot' | null,
    type: CommandOf<'adjustBalance'>['type'],
  ): CommandOf<'adjustBalance'> => ({
    kind: 'adjustBalance',
    account: as(account),
    wallet,
    asset: as(tagged),
    amount: as(amount),
    type,
    reason: 'It is dust.',
    reference: null,
  });
  const fees = 1;
  for (const command of [
    adjust(depositor, 'spot', 'debit'),
    adjust(fees, null, 'credit'),
    adjust(fees, null, 'revenueOut'),
  ])
    desk.run(operated('olga', command));
}

const toAlice = { network: 'TAG', asset: as<AssetId>(tagged), address: 'shared', memo: String(depositor) };
const words = (events: readonly { kind: string }[]) =>
  events.map((event) => ('reason' in event ? String(event.reason) : event.kind)).filter((word) => word !== 'posted');

/** TAGGED was deposited and is gone again, out of custody too. */
function emptiedDesk(): DepositDesk {
  const desk = new DepositDesk();
  desk.report('t1', 1, toAlice);
  expect(words(desk.run(delist(as(tagged))))).toEqual(['assetInTransit']);
  desk.report('t1', 3, toAlice);
  expect([desk.statusOf('t1'), desk.balance(depositor, tagged)]).toEqual(['success', 200n]);
  return desk;
}

test('DEC-OPR-172: a deposit that is not final, or that its chain may take back, stands in the way for 3 days', () => {
  const desk = emptiedDesk();
  const what = () => obstacleToDelisting(desk.engine.state, as(tagged))?.what;
  takeOut(desk, 200n);
  expect([what(), words(desk.run(delist(as(tagged))))]).toEqual(['deposit 1 (success)', ['assetInTransit']]);
  desk.at += engineLimits.creditedDepositWatchedMs - 1;
  expect(words(desk.run(delist(as(tagged))))).toEqual(['assetInTransit']);
  desk.at += 1;
  expect(words(desk.run(delist(as(tagged))))).toEqual(['assetConfigured']);
  expect(words(desk.removal('t1', 'TAG'))).toEqual(['unknownDeposit']);
  expect(audit(desk.engine.state)).toEqual([]);
});

test('DEC-OPR-172: what the house has or owes of an asset stands in the way, what is beyond custody does not', () => {
  const desk = emptiedDesk();
  desk.at += engineLimits.creditedDepositWatchedMs;
  desk.run({ kind: 'advanceClock' });
  const what = () => obstacleToDelisting(desk.engine.state, as(tagged))?.what;
  expect(what()).toBe(`balance of account ${10_000_000 + depositor}`);
  const debit = { type: 'debit', account: as<AccountId>(depositor), wallet: 'spot', reference: null } as const;
  const money = { asset: as<AssetId>(tagged), amount: as<Balance>(200n), reason: 'It is dust.' };
  desk.run(operated('olga', { kind: 'adjustBalance', ...debit, ...money }));
  expect([what(), words(desk.run(delist(as(tagged))))]).toEqual(['house account adjustments', ['assetHeld']]);
  const house = { account: as<AccountId>(1), wallet: null, reference: null } as const;
  for (const type of ['credit', 'revenueOut'] as const)
    desk.run(operated('olga', { kind: 'adjustBalance', ...house, ...money, type }));
  expect([what(), desk.balance(outside, tagged)]).toEqual([undefined, -200n]);
  expect(words(desk.run(delist(as(tagged))))).toEqual(['assetConfigured']);
});

test("DEC-OPR-174: a payment of a delisted asset is nobody's, until it is listed and on its network again", () => {
  const desk = emptiedDesk();
  takeOut(desk, 200n);
  desk.at += engineLimits.creditedDepositWatchedMs;
  desk.run(delist(as(tagged)));
  const image = desk.engine.snapshot();
  desk.engine = restoreEngine(image, desk.engine.digest());
  expect(desk.engine.state.assetNetworks.get(as(tagged), 'TAG')).toBe(null);
  expect(words(desk.report('t2', 3, toAlice))).toEqual(['unknownNetwork']);
  expect(desk.balance(depositor, tagged)).toBe(0n);
  const { id: _id, isDelisted: _is, ...asset } = desk.engine.state.assets.at(as(tagged));
  desk.run({ kind: 'configureAsset', asset });
  expect(words(desk.report('t2', 3, toAlice))).toEqual(['unknownNetwork']);
  desk.configure(tagged);
  // What was paid before is final for ever: it is not credited twice.
  desk.report('t1', 3, toAlice);
  expect(desk.balance(depositor, tagged)).toBe(0n);
  desk.report('t2', 3, toAlice);
  expect(desk.balance(depositor, tagged)).toBe(200n);
});

test('DEC-OPR-172: a payment that nobody booked stands in the way where it may be of the asset', () => {
  const desk = new DepositDesk();
  const unknown = { network: 'TAG', nonce: null, txId: 'who', asset: null, amount: as<Balance>(0n) };
  const rest = { address: null, memo: null, networkFee: as<Balance>(0n) };
  expect(words(desk.run({ kind: 'recordUnknownPayment', ...unknown, ...rest } as Command))).toEqual([
    'unknownPaymentChanged',
  ]);
  expect(words(desk.run(delist(as(tagged))))).toEqual(['assetInTransit']);
});
