import { beforeEach, expect, test } from 'vitest';
import type { AccountView } from '#model/account.ts';
import { futuresWalletOf, house } from '#model/account.ts';
import type { EventSink } from '#model/events.ts';
import type { AccountId, Seq, TimestampMs } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { DepositView, WithdrawalView } from '#model/wallet.ts';
import { toldAct } from '#test/operated.ts';
import { MemoryHistoryStore } from '#test/ports/memory-history-store.ts';
import { type HistoryWriter, startHistoryWriter } from '#history/collectors/history-writer.ts';

const alice = as<AccountId>(4);
const bob = as<AccountId>(5);
const robot = as<AccountId>(6);
const always = { from: as<TimestampMs>(0), to: as<TimestampMs>(Number.MAX_SAFE_INTEGER) };
const ofAlice = { account: alice };

let store: MemoryHistoryStore;
let writer: HistoryWriter;
beforeEach(async () => {
  store = new MemoryHistoryStore();
  writer = await startHistoryWriter({ store, setTimer: () => () => {}, onFailure: () => {} });
  writer.knowAccounts([{ account: robot, simulated: true } as unknown as AccountView]);
});

/** Tells what happens at an entry, which stands at a thousand times its position in milliseconds. */
async function entry(seq: number, ...tell: ((sink: EventSink) => void)[]): Promise<void> {
  writer.entryBegan(as<Seq>(seq), as<TimestampMs>(seq * 1000));
  for (const each of tell) each(writer);
  await writer.flush(as<Seq>(seq));
}
const fact =
  (told: object) =>
  (sink: EventSink): void =>
    sink.fact(told as never);
const deposit = (fields: object): DepositView =>
  ({
    deposit: 1,
    account: alice,
    asset: 2,
    network: 'ETH',
    address: '0xA',
    memo: 'm',
    txId: 't',
    output: 3,
    amount: 2n ** 60n,
    status: 'pending',
    confirmations: 1,
    minConfirm: 12,
    isInside: false,
    insertedAt: 500,
    updatedAt: 600,
    ...fields,
  }) as unknown as DepositView;
const withdrawal = (fields: object): WithdrawalView =>
  ({
    withdrawal: 1,
    account: alice,
    asset: 2,
    network: 'ETH',
    address: '0xB',
    memo: null,
    amount: 9n,
    fee: 1n,
    value: 2n ** 60n,
    status: 'apply',
    isInside: false,
    transaction: null,
    confirmations: 0,
    withdrawOrderId: 'mine',
    remark: null,
    reviewRemark: null,
    approvals: ['carol'],
    requestedAt: 500,
    updatedAt: 600,
    ...fields,
  }) as unknown as WithdrawalView;

test('a deposit has one row, with all that is known of it, which each change replaces', async () => {
  await entry(1, fact({ kind: 'depositChanged', deposit: deposit({ account: house.outside, status: 'invalid' }) }));
  expect(await store.rows('deposits', { account: house.outside }, always)).toHaveLength(1);
  await entry(2, fact({ kind: 'depositChanged', deposit: deposit({ status: 'success' }) }));
  expect(await store.rows('deposits', ofAlice, always)).toEqual([{ ...deposit({ status: 'success' }), seq: 2 }]);
  expect(await store.rows('deposits', { account: house.outside }, always)).toEqual([]);
  const lost = { kind: 'depositLost', deposit: deposit({ status: 'lost' }), fromAccount: 1n, fromHouse: 2n };
  await entry(3, fact(lost));
  expect(await store.rows('deposits', ofAlice, always)).toEqual([{ ...deposit({ status: 'lost' }), seq: 3 }]);
});

test('a withdrawal has one row, without what was signed and who approved it', async () => {
  await entry(1, fact({ kind: 'withdrawalChanged', withdrawal: withdrawal({}) }));
  const { transaction: _none, approvals: _operators, reviewRemark: _told, ...told } = withdrawal({});
  expect(await store.rows('withdrawals', ofAlice, always)).toEqual([{ ...told, txId: null, nonce: null, seq: 1 }]);
  const transaction = { txId: '0x1', raw: 'signed', nonce: 0 };
  await entry(
    2,
    fact({ kind: 'withdrawalChanged', withdrawal: withdrawal({ status: 'packaging', transaction, value: null }) }),
    fact({ kind: 'withdrawalRepeated', withdrawal: withdrawal({ status: 'apply' }) }),
  );
  const changed = { ...told, status: 'packaging', value: null, txId: '0x1', nonce: 0, seq: 2 };
  expect(await store.rows('withdrawals', ofAlice, always)).toEqual([changed]);
});

test('transfers, both sides of sends, and each asset of a conversion have a row', async () => {
  const terms = { asset: 2, amount: 7n, at: 1000 };
  const transfer = { ...terms, transfer: 1, account: alice, from: 'futures', to: 'spot', clientTranId: 'c' };
  const named = { ...terms, targetKind: 'mobile', target: '44 7700900123' };
  const assets = [3, 2].map((asset) => ({ asset, amount: 5n, converted: 4n, fee: BigInt(asset) }));
  await entry(
    1,
    fact({ kind: 'fundsTransferred', transfer }),
    fact({ kind: 'transferRepeated', transfer: { ...transfer, transfer: 9 } }),
    fact({ kind: 'fundsSent', send: { ...named, send: 1, from: alice, to: bob } }),
    fact({ kind: 'dustConverted', conversion: { conversion: 1, account: alice, at: 1000, assets }, refused: [] }),
    fact({ kind: 'dustConverted', conversion: null, refused: [] }),
  );
  expect(await store.rows('transfers', ofAlice, always)).toEqual([{ ...transfer, seq: 1 }]);
  const side = { ...named, send: 1, seq: 1 };
  expect(await store.rows('sends', ofAlice, always)).toEqual([
    { ...side, account: alice, direction: 'out', counterparty: bob },
  ]);
  expect(await store.rows('sends', { account: bob }, always)).toEqual([
    { ...side, account: bob, direction: 'in', counterparty: alice },
  ]);
  const lines = assets.map((asset, line) => ({ ...asset, line, conversion: 1, account: alice, at: 1000, seq: 1 }));
  expect(await store.rows('conversions', ofAlice, always)).toEqual(lines);
});

test('DEC-OPR-193: an act of an operator has a row, with the refusal of its command if it was refused', async () => {
  const done = toldAct(1, { idempotencyKey: 'k', reason: 'why', targetId: null });
  const refused = toldAct(2, { refusal: 'unknownAccount' });
  await entry(1, fact({ kind: 'operatorActed', act: done }));
  await entry(
    2,
    fact({ kind: 'commandRefused', reason: 'unknownAccount' }),
    fact({ kind: 'operatorActed', act: refused }),
  );
  await entry(3, fact({ kind: 'commandRefused', reason: 'unknownAsset' }));
  await entry(4, fact({ kind: 'operationRepeated', actor: 'carol', idempotencyKey: 'k', refusal: null }));
  expect(await store.rows('operatorActs', {}, always)).toEqual([
    { ...done, isRefused: false },
    { ...refused, isRefused: true },
  ]);
});

test('nothing is kept of simulated accounts, nor what stands in history already', async () => {
  await entry(
    1,
    fact({ kind: 'depositChanged', deposit: deposit({ account: robot }) }),
    fact({ kind: 'withdrawalChanged', withdrawal: withdrawal({ account: robot }) }),
    fact({ kind: 'fundsSent', send: { send: 1, from: robot, to: bob, at: 1, asset: 1, amount: 1n } }),
    fact({ kind: 'fundsTransferred', transfer: { transfer: 1, account: robot, at: 1 } }),
    fact({ kind: 'dustConverted', conversion: { conversion: 1, account: robot, at: 1, assets: [{}] }, refused: [] }),
  );
  for (const account of [robot, futuresWalletOf(robot)]) {
    expect(await store.rows('deposits', { account }, always)).toEqual([]);
    expect(await store.rows('withdrawals', { account }, always)).toEqual([]);
    expect(await store.rows('sends', { account }, always)).toEqual([]);
    expect(await store.rows('transfers', { account }, always)).toEqual([]);
    expect(await store.rows('conversions', { account }, always)).toEqual([]);
  }
  expect(await store.rows('sends', { account: bob }, always)).toHaveLength(1);

  writer = await startHistoryWriter({ store, setTimer: () => () => {}, onFailure: () => {} });
  await entry(1, fact({ kind: 'operatorActed', act: toldAct(1) }));
  expect(await store.rows('operatorActs', {}, always)).toEqual([]);
});
