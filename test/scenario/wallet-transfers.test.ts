import { describe, expect, test } from 'vitest';
import { errors, publicError } from '#http/errors.ts';
import { futuresWalletOf, house, innerHouse } from '#model/account.ts';
import type { CommandOf } from '#model/command.ts';
import type { RejectReason } from '#model/rejection.ts';
import { noopSink } from '#model/event-record.ts';
import type { Fact } from '#model/events.ts';
import { engineLimits } from '#model/limits.ts';
import type { Balance } from '#model/units.ts';
import { as } from '#model/units.ts';
import { assets, people, WalletHarness } from './wallet-harness.ts';

type Terms = Partial<Omit<CommandOf<'transferFunds'>, 'kind' | 'amount'>> & { readonly amount?: bigint };

const transfer = ({ amount = 100n, ...terms }: Terms = {}): CommandOf<'transferFunds'> => ({
  kind: 'transferFunds',
  account: people.alice,
  from: 'spot',
  to: 'futures',
  asset: assets.USDT,
  amount: as<Balance>(amount),
  clientTranId: null,
  ...terms,
});

function richAlice(): WalletHarness {
  const harness = new WalletHarness();
  harness.give(people.alice, assets.USDT, 1000n);
  harness.give(people.alice, assets.BTC, 1000n);
  return harness;
}

describe('DEC-WAL-05: between spot and futures', () => {
  test('SPEC-WAL-13: both legs are posted as a contract transfer, and the numbers of transfers run on', () => {
    const harness = richAlice();
    const posted = { kind: 'posted', asset: assets.USDT, held: 0, why: 'contractTransfer', order: null };
    const told = { transfer: 1, account: people.alice, asset: assets.USDT, amount: 1000n, from: 'spot', to: 'futures' };
    expect(harness.run(transfer({ amount: 1000n }))).toEqual([
      { ...posted, account: people.alice, free: -1000, balance: 0 },
      { ...posted, account: futuresWalletOf(people.alice), free: 1000, balance: 1000 },
      { kind: 'fundsTransferred', transfer: { ...told, clientTranId: null, at: harness.at } },
    ]);
    harness.restore();
    const back = harness.run(transfer({ from: 'futures', to: 'spot', amount: 1n }));
    expect(back.at(-1)).toMatchObject({ transfer: { transfer: 2, from: 'futures', to: 'spot' } });
    expect(harness.futures(people.alice, assets.USDT)).toBe(999n);
    expect(harness.free(people.alice, assets.USDT)).toBe(1n);
  });

  test('the last unit can go there and back, and one more cannot, in either direction', () => {
    const harness = richAlice();
    expect(harness.say(transfer({ amount: 1001n }))).toBe('notEnoughFunds');
    expect(harness.say(transfer({ amount: 1000n }))).toBe('fundsTransferred');
    expect(harness.say(transfer({ amount: 1n }))).toBe('notEnoughFunds');
    expect(harness.say(transfer({ from: 'futures', to: 'spot', amount: 1001n }))).toBe('notEnoughFunds');
    expect(harness.say(transfer({ from: 'futures', to: 'spot', amount: 1000n }))).toBe('fundsTransferred');
    expect(harness.say(transfer({ from: 'futures', to: 'spot', amount: 1n }))).toBe('notEnoughFunds');
    expect(harness.free(people.alice, assets.USDT)).toBe(1000n);
  });

  test('F12: what an open order holds cannot be moved', () => {
    const harness = richAlice();
    const terms = {
      symbol: as<never>(0 as never),
      side: 'buy',
      kind: 'limit',
      price: as<never>(999 as never),
    } as const;
    const rest = { quantity: as<never>(1 as never), budget: null, clientOrderId: null, stpMode: 'none' } as const;
    harness.run({ kind: 'placeOrder', account: people.alice, order: { ...terms, ...rest } });
    expect(harness.say(transfer({ amount: 2n }))).toBe('notEnoughFunds');
    expect(harness.say(transfer({ amount: 1n }))).toBe('fundsTransferred');
  });

  const refusals: readonly (readonly [what: string, terms: Terms, reason: RejectReason, code: number])[] = [
    ['F08: SPOT to SPOT', { to: 'spot' }, 'sameWallet', 10_103],
    ['F08: FUTURES to FUTURES', { from: 'futures' }, 'sameWallet', 10_103],
    ['F08: an asset that nobody knows', { asset: as(77) }, 'unknownAsset', 10_232],
    ['F08: an asset below all numbers', { asset: as(-1) }, 'unknownAsset', 10_232],
    ['an asset that is not transferable', { asset: assets.BTC }, 'notTransferable', 10_100],
    ['nothing', { amount: 0n }, 'wrongAmount', 10_097],
    ['less than nothing', { amount: -5n }, 'wrongAmount', 10_097],
    ['more than there can be', { amount: 2n ** 63n - 1n }, 'notEnoughFunds', 10_101],
    ['an empty id', { clientTranId: '' }, 'invalidConfiguration', 33_333],
    ['an id that is too long', { clientTranId: 'x'.repeat(33) }, 'invalidConfiguration', 33_333],
    ['by an account of the house', { account: house.fees }, 'unknownAccount', 10_001],
    ['by the house that buys dust', { account: innerHouse.dust }, 'unknownAccount', 10_001],
    ['by a futures wallet', { account: futuresWalletOf(people.alice) }, 'unknownAccount', 10_001],
    ['by nobody', { account: as(500) }, 'unknownAccount', 10_001],
  ];
  test.for(refusals)('%s is refused and moves nothing', ([, terms, reason, code]) => {
    const harness = richAlice();
    expect(harness.run(transfer(terms))).toEqual([{ kind: 'commandRefused', reason }]);
    expect(errors[publicError[reason]].code).toBe(code);
  });

  test('a frozen and an abnormal account move nothing; a wallet without rules neither', () => {
    const harness = richAlice();
    for (const status of ['frozen', 'abnormal'] as const) {
      harness.run({ kind: 'setAccountStatus', account: people.alice, status });
      expect(harness.say(transfer())).toBe('accountNotUsable');
    }
    const bare = new WalletHarness(null);
    expect(bare.say(transfer())).toBe('walletNotConfigured');
  });
});

describe('DEC-REQ-27: clientTranId', () => {
  const day = 86_400_000;

  test('the same id with the same terms answers the first transfer, and moves nothing', () => {
    const harness = richAlice();
    const [, , first] = harness.run(transfer({ clientTranId: 'a1' }));
    harness.restore();
    harness.at += day - 1;
    const again = harness.run(transfer({ clientTranId: 'a1' }));
    expect(again).toEqual([{ ...first, kind: 'transferRepeated' }]);
    expect(harness.futures(people.alice, assets.USDT)).toBe(100n);
  });

  test('a retry is answered even when the transfer could not be made any more', () => {
    const harness = richAlice();
    harness.run(transfer({ clientTranId: 'a1', amount: 1000n }));
    harness.run({ kind: 'setAccountStatus', account: people.alice, status: 'frozen' });
    expect(harness.say(transfer({ clientTranId: 'a1', amount: 1000n }))).toBe('transferRepeated');
  });

  const others: readonly (readonly [string, Terms])[] = [
    ['amount', { amount: 101n }],
    ['direction', { from: 'futures', to: 'spot' }],
  ];
  test.for(others)('the same id with another %s is refused', ([, terms]) => {
    const harness = richAlice();
    harness.run(transfer({ clientTranId: 'a1' }));
    expect(harness.say(transfer({ clientTranId: 'a1', ...terms }))).toBe('requestIdInUse');
    expect(harness.futures(people.alice, assets.USDT)).toBe(100n);
  });

  test('other refusals come before the one of the id, and that one before funds', () => {
    const harness = richAlice();
    harness.run(transfer({ clientTranId: 'a1' }));
    expect(harness.say(transfer({ clientTranId: 'a1', asset: assets.BTC }))).toBe('notTransferable');
    expect(harness.say(transfer({ clientTranId: 'a1', amount: 5000n }))).toBe('requestIdInUse');
  });

  test('a refused transfer takes no id, ids belong to an account, and after a day an id is free again', () => {
    const harness = richAlice();
    harness.give(people.bob, assets.USDT, 100n);
    expect(harness.say(transfer({ clientTranId: 'a1', amount: 1001n }))).toBe('notEnoughFunds');
    expect(harness.say(transfer({ clientTranId: 'a1' }))).toBe('fundsTransferred');
    expect(harness.say(transfer({ clientTranId: 'a1', account: people.bob }))).toBe('fundsTransferred');
    harness.at += day;
    expect(harness.say(transfer({ clientTranId: 'a1', amount: 7n }))).toBe('fundsTransferred');
    expect(harness.futures(people.alice, assets.USDT)).toBe(107n);
  });

  test('DEC-WAL-61: an account has a bounded number of ids at a time; without one it goes on', () => {
    const { engine, at } = richAlice();
    const told: string[] = [];
    const apply = (clientTranId: string | null, from: 'spot' | 'futures', time: number): string => {
      const to = from === 'spot' ? 'futures' : 'spot';
      const command = transfer({ clientTranId, from, to });
      const sink = {
        ...noopSink,
        fact: (fact: Fact) => void told.push('reason' in fact ? `${fact.reason}` : fact.kind),
      };
      engine.apply({ seq: as(engine.seq + 1), epoch: as(0), at: as(time), command }, sink);
      return told.at(-1)!;
    };
    for (let index = 0; index < engineLimits.transferIdsPerAccount; index += 1)
      expect(apply(`id${index}`, index % 2 === 0 ? 'spot' : 'futures', at + index)).toBe('fundsTransferred');
    expect(apply('one more', 'spot', at + day - 1)).toBe('tooManyInProgress');
    expect(apply(null, 'spot', at + day - 1)).toBe('fundsTransferred');
    expect(apply('one more', 'spot', at + day)).toBe('fundsTransferred');
    expect(apply('and another', 'spot', at + day)).toBe('tooManyInProgress');
  });
});
