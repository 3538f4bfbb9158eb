import { describe, expect, test } from 'vitest';
import { errors, publicError } from '#http/errors.ts';
import { type AccountStatus, futuresWalletOf, house } from '#model/account.ts';
import type { CommandOf } from '#model/command.ts';
import { engineLimits } from '#model/limits.ts';
import type { RejectReason } from '#model/rejection.ts';
import type { AccountId, Balance, TimestampMs } from '#model/units.ts';
import { as } from '#model/units.ts';
import { climb, type Ladder, moving, reasonsOf, SubAccountDesk } from './sub-account-desk.ts';
import { assets, openRules, people } from './wallet-harness.ts';

const { alice, bob, carol, child } = people;
const { USDT, BTC } = assets;
const day = 86_400_000;
const idOf = (number: number): string => String(number).padStart(32, 'a');

describe('SPEC-SUB-07: transfers between a master and its sub-accounts', () => {
  test('both legs are posted, of one account as a contract transfer, else as a transfer', () => {
    const desk = new SubAccountDesk();
    const posted = { kind: 'posted', asset: USDT, held: 0, order: null };
    const common = { master: alice, asset: USDT, clientTranId: null, at: desk.at };
    expect(desk.run(moving({ to: desk.first }))).toEqual([
      { ...posted, account: alice, free: -100, why: 'transfer', balance: 900 },
      { ...posted, account: desk.first, free: 100, why: 'transfer', balance: 100 },
      {
        kind: 'universalTransferMade',
        transfer: {
          ...common,
          ...{ transfer: 1, from: alice, fromWallet: 'spot', to: desk.first, toWallet: 'spot', amount: 100n },
        },
      },
    ]);
    desk.restore();
    const own = { from: desk.first, to: desk.first, toWallet: 'futures', amount: 30n } as const;
    expect(desk.run(moving(own))).toEqual([
      { ...posted, account: desk.first, free: -30, why: 'contractTransfer', balance: 70 },
      { ...posted, account: futuresWalletOf(desk.first), free: 30, why: 'contractTransfer', balance: 30 },
      { kind: 'universalTransferMade', transfer: { ...common, ...own, transfer: 2, fromWallet: 'spot' } },
    ]);
  });

  test('money goes between any two of them, and spot takes every asset', () => {
    const desk = new SubAccountDesk();
    const { first, second } = desk;
    desk.run(moving({ to: first, asset: BTC, amount: 7n }));
    desk.run(moving({ from: first, to: second, asset: BTC, amount: 5n }));
    desk.run(moving({ from: second, to: alice, asset: BTC, amount: 1n }));
    expect([alice, first, second].map((each) => desk.free(each, BTC))).toEqual([994n, 2n, 4n]);
    desk.run(moving({ to: second, toWallet: 'futures', amount: 9n }));
    desk.run(moving({ from: second, fromWallet: 'futures', to: first, toWallet: 'futures', amount: 4n }));
    desk.run(moving({ from: first, fromWallet: 'futures', to: alice, amount: 3n }));
    expect([alice, first, second].map((each) => desk.futures(each, USDT))).toEqual([0n, 1n, 5n]);
    expect(desk.free(alice, USDT)).toBe(994n);
  });

  test('DEC-SUB-17: what is in the futures wallet of a sub-account without futures can come out', () => {
    const desk = new SubAccountDesk();
    desk.give(bob, USDT, 5n);
    const there = moving({ master: bob, from: bob, to: desk.customer, toWallet: 'futures', amount: 5n });
    expect(desk.say(there)).toBe('futuresNotEnabled');
    desk.run({ kind: 'enableFutures', master: bob, account: desk.customer });
    expect(desk.say(there)).toBe('universalTransferMade');
    expect(desk.say({ ...there, to: desk.other, from: desk.customer, fromWallet: 'futures' })).toBe(
      'futuresNotEnabled',
    );
    expect(desk.say({ ...there, from: desk.customer, fromWallet: 'futures', to: desk.other, toWallet: 'spot' })).toBe(
      'universalTransferMade',
    );
    expect(desk.free(desk.other, USDT)).toBe(5n);
  });
});

/** A transfer, and what it meets: the statuses of a broker and of its customers, and how much is in their futures. */
interface Attempt extends CommandOf<'makeUniversalTransfer'> {
  readonly hasRules: boolean;
  readonly funds: bigint;
  readonly ofBroker: AccountStatus;
  readonly ofParties: AccountStatus;
  readonly hasFutures: boolean;
}

describe('DEC-SUB-32: refusals of universal transfers', () => {
  test('each comes in its place', () => {
    const worst: Attempt = {
      ...moving({ master: child, from: alice, to: alice, asset: as(77), amount: 0n, clientTranId: 'too short' }),
      ...{ fromWallet: 'futures', toWallet: 'futures' },
      ...{ hasRules: false, funds: 0n, ofBroker: 'frozen', ofParties: 'frozen', hasFutures: false },
    };
    const { customer, other } = new SubAccountDesk();
    const ladder: Ladder<Attempt> = [
      ['unknownAccount', { master: bob }],
      ['notOfThisMaster', { from: customer, to: customer }],
      ['accountNotUsable', { ofBroker: 'normal' }],
      ['targetForbidden', { ofParties: 'abnormal' }],
      ['targetNotUsable', { ofParties: 'normal' }],
      ['walletNotConfigured', { hasRules: true }],
      ['invalidConfiguration', { clientTranId: idOf(1) }],
      ['sameWallet', { to: other }],
      ['unknownAsset', { asset: BTC }],
      ['notTransferable', { asset: USDT }],
      ['futuresNotEnabled', { hasFutures: true }],
      ['wrongAmount', { amount: as<Balance>(6n) }],
      ['requestIdInUse', { clientTranId: idOf(2) }],
      ['notEnoughFunds', { funds: 6n }],
    ];
    const said = climb(worst, ladder, (attempt) => {
      const { hasRules, funds, ofBroker, ofParties, hasFutures, ...command } = attempt;
      const next = new SubAccountDesk(hasRules ? openRules : null);
      if (hasRules) {
        next.give(bob, USDT, 1n);
        const taken = moving({ master: bob, from: bob, to: customer, amount: 1n, clientTranId: idOf(1) });
        expect(next.say(taken)).toBe('universalTransferMade');
      }
      if (hasFutures)
        for (const account of [customer, other]) next.run({ kind: 'enableFutures', master: bob, account });
      if (funds > 0n) next.give(customer, USDT, funds - 1n);
      if (funds > 0n) {
        const toFutures = moving({ master: bob, from: customer, to: customer, toWallet: 'futures', amount: funds });
        expect(next.say(toFutures)).toBe('universalTransferMade');
      }
      next.setStatus(bob, ofBroker);
      for (const account of [customer, other]) next.setStatus(account, ofParties);
      return next.say(command);
    });
    expect(said).toEqual([...reasonsOf(ladder), 'universalTransferMade']);
  });

  const codes: readonly (readonly [RejectReason, number])[] = [
    ['notOfThisMaster', 140_001],
    ['targetForbidden', 140_002],
    ['accountNotUsable', 60_005],
    ['sameWallet', 10_103],
    ['futuresNotEnabled', 10_099],
    ['notEnoughFunds', 10_101],
  ];
  test.for(codes)('%s is the code %i', ([reason, code]) => {
    expect(errors[publicError[reason]].code).toBe(code);
  });

  const strangers: readonly (readonly [string, AccountId])[] = [
    ['another master', bob],
    ['a person', carol],
    ['the sub-account of another', as<AccountId>(11)],
    ['an account that was opened without a name of its own', child],
    ['the house', house.fees],
    ['its own futures wallet', futuresWalletOf(alice)],
    ['nobody', as<AccountId>(77)],
  ];
  test.for(strangers)('SPEC-SUB-10: nothing goes to or comes from %s', ([, stranger]) => {
    const desk = new SubAccountDesk();
    expect(desk.customer).toBe(11);
    if (stranger < 77) desk.give(stranger === house.fees ? carol : stranger, USDT, 100n);
    expect(desk.run(moving({ to: stranger }))).toEqual([{ kind: 'commandRefused', reason: 'notOfThisMaster' }]);
    expect(desk.run(moving({ from: stranger }))).toEqual([{ kind: 'commandRefused', reason: 'notOfThisMaster' }]);
  });

  test('a frozen sub-account neither gives nor takes, on whichever side it is', () => {
    const desk = new SubAccountDesk();
    const { first, second } = desk;
    desk.run(moving({ to: first }));
    for (const [status, reason] of [
      ['frozen', 'targetForbidden'],
      ['abnormal', 'targetNotUsable'],
    ] as const) {
      desk.setStatus(first, status);
      for (const [from, to] of [
        [alice, first],
        [first, alice],
        [first, second],
        [second, first],
      ] as const)
        expect(desk.say(moving({ from, to, amount: 1n }))).toBe(reason);
      expect(desk.say(moving({ from: alice, to: second, amount: 1n }))).toBe('universalTransferMade');
    }
  });

  test.for(['', 'a'.repeat(31), 'a'.repeat(33), `${'a'.repeat(31)}-`, `${'a'.repeat(31)}ä`, `${'a'.repeat(32)}\n`])(
    'DEC-SUB-11: the clientTranId %j is not 32 letters and digits',
    (clientTranId) => {
      const desk = new SubAccountDesk();
      expect(desk.say(moving({ to: desk.first, clientTranId }))).toBe('invalidConfiguration');
    },
  );
});

describe('scarce money of a desk', () => {
  test('the last unit goes from wallet to wallet, and one more never does', () => {
    const desk = new SubAccountDesk();
    const { first, second } = desk;
    const wallets = [alice, first, second].flatMap((account) =>
      (['spot', 'futures'] as const).map((wallet) => ({ account, wallet })),
    );
    let [at] = wallets;
    for (const to of [...wallets, ...wallets].slice(1)) {
      const terms = { from: at!.account, fromWallet: at!.wallet, to: to.account, toWallet: to.wallet };
      expect(desk.say(moving({ ...terms, amount: 1001n }))).toBe('notEnoughFunds');
      expect(desk.say(moving({ ...terms, amount: 1000n }))).toBe('universalTransferMade');
      expect(desk.say(moving({ ...terms, amount: 1n }))).toBe('notEnoughFunds');
      at = to;
    }
    expect(desk.futures(second, USDT)).toBe(1000n);
    expect(desk.say(moving({ from: second, fromWallet: 'futures', amount: 2n ** 62n }))).toBe('notEnoughFunds');
    expect(desk.say(moving({ from: second, fromWallet: 'futures', amount: -1n }))).toBe('wrongAmount');
  });

  test('what an open order holds stays with it', async () => {
    const desk = new SubAccountDesk();
    desk.run(moving({ to: desk.first, amount: 1000n }));
    const terms = {
      symbol: as<never>(0 as never),
      side: 'buy',
      kind: 'limit',
      price: as<never>(999 as never),
    } as const;
    const rest = { quantity: as<never>(1 as never), budget: null, clientOrderId: null, stpMode: 'none' } as const;
    desk.run({ kind: 'placeOrder', account: desk.first, order: { ...terms, ...rest } });
    expect(await desk.subAccounts.transferable(desk.first, 'spot', USDT)).toBe(1n);
    expect(desk.say(moving({ from: desk.first, amount: 2n }))).toBe('notEnoughFunds');
    expect(desk.say(moving({ from: desk.first, amount: 1n }))).toBe('universalTransferMade');
    expect(await desk.subAccounts.transferable(desk.first, 'spot', USDT)).toBe(0n);
    expect(await desk.subAccounts.transferable(desk.second, 'futures', BTC)).toBe(0n);
  });
});

describe('DEC-SUB-34, DEC-REQ-27: clientTranId of universal transfers', () => {
  test('the same id with the same terms answers the first, for a day, whatever became of the parties', () => {
    const desk = new SubAccountDesk();
    const command = moving({ to: desk.first, amount: 1000n, clientTranId: idOf(1) });
    const first = desk.run(command).at(-1);
    desk.restore();
    desk.setStatus(desk.first, 'frozen');
    desk.setStatus(alice, 'frozen');
    desk.at += day - 1;
    expect(desk.run(command)).toEqual([{ ...first, kind: 'universalTransferRepeated' }]);
    desk.at += 1;
    expect(desk.say(command)).toBe('accountNotUsable');
  });

  test('with any other term it is refused', () => {
    const desk = new SubAccountDesk();
    const { first, second } = desk;
    desk.give(first, USDT, 100n);
    const terms = { from: first, to: alice, clientTranId: idOf(1) };
    expect(desk.say(moving(terms))).toBe('universalTransferMade');
    for (const changed of [{ from: second }, { to: second }, { toWallet: 'futures' }, { amount: 99n }] as const)
      expect(desk.say(moving({ ...terms, ...changed }))).toBe('requestIdInUse');
    expect(desk.say(moving({ ...terms, asset: BTC }))).toBe('requestIdInUse');
    expect(desk.say(moving({ ...terms, from: first, fromWallet: 'futures' }))).toBe('requestIdInUse');
    expect(desk.free(alice, USDT)).toBe(1100n);
  });

  test('ids are of one master, a refused transfer takes none, and numbers run over all masters', () => {
    const desk = new SubAccountDesk();
    desk.give(bob, USDT, 100n);
    const ofBob = moving({ master: bob, from: bob, to: desk.customer, clientTranId: idOf(1) });
    expect(desk.say(moving({ to: desk.first, amount: 1001n, clientTranId: idOf(1) }))).toBe('notEnoughFunds');
    expect(desk.run(moving({ to: desk.first, clientTranId: idOf(1) })).at(-1)).toMatchObject({
      transfer: { transfer: 1 },
    });
    expect(desk.run(ofBob).at(-1)).toMatchObject({ kind: 'universalTransferMade', transfer: { transfer: 2 } });
  });

  test('its own transfers between wallets have ids of their own', () => {
    const desk = new SubAccountDesk();
    const terms = { account: alice, from: 'spot', to: 'futures', asset: USDT, amount: as<Balance>(1n) } as const;
    expect(desk.say({ kind: 'transferFunds', ...terms, clientTranId: idOf(1) })).toBe('fundsTransferred');
    expect(desk.say(moving({ to: desk.first, clientTranId: idOf(1) }))).toBe('universalTransferMade');
  });

  test('DEC-WAL-61: a master has a bounded number of ids at a time', () => {
    const desk = new SubAccountDesk();
    const { universalTransfers } = desk.engine.state;
    const made = { transfer: 1, master: alice, from: alice, to: desk.first, asset: USDT } as const;
    for (let index = 0; index < engineLimits.transferIdsPerAccount; index += 1) {
      const clientTranId = idOf(index);
      const rest = {
        fromWallet: 'spot',
        toWallet: 'spot',
        amount: as<Balance>(1n),
        clientTranId,
        at: as<TimestampMs>(desk.at),
      } as const;
      universalTransfers.put({ ...made, ...rest });
    }
    desk.at += day - 1;
    expect(desk.say(moving({ to: desk.first, clientTranId: idOf(99_999) }))).toBe('tooManyInProgress');
    expect(desk.say(moving({ to: desk.first }))).toBe('universalTransferMade');
    desk.at += 1;
    expect(desk.say(moving({ to: desk.first, clientTranId: idOf(99_999) }))).toBe('universalTransferMade');
  });
});

describe('questions about sub-accounts', () => {
  test('SPEC-SUB-02: a page has those of the master in the order in which they were opened', async () => {
    const desk = new SubAccountDesk();
    const names = ['alicesdesk1', 'alicesdesk2'];
    for (let number = 3; number <= 7; number += 1) {
      names.push(`alicesdesk${number}`);
      desk.opened({ name: `alicesdesk${number}` });
    }
    desk.setStatus(desk.second, 'frozen');
    desk.restore();
    const page = async (asked: object, master = alice): Promise<[string[], number]> => {
      const { items, total } = await desk.subAccounts.page(master, { offset: 0, limit: 3, ...asked });
      return [items.map(({ name }) => name), total];
    };
    expect(await page({})).toEqual([names.slice(0, 3), 7]);
    expect(await page({ offset: 6 })).toEqual([names.slice(6), 7]);
    expect(await page({ offset: 7 })).toEqual([[], 7]);
    expect(await page({ isFrozen: true })).toEqual([['alicesdesk2'], 1]);
    expect(await page({ isFrozen: false, offset: 1, limit: 2 })).toEqual([['alicesdesk3', 'alicesdesk4'], 6]);
    expect(await page({ name: 'alicesdesk3' })).toEqual([['alicesdesk3'], 1]);
    expect(await page({ name: 'alicesdesk2', isFrozen: false })).toEqual([[], 0]);
    expect(await page({ name: 'customer1' })).toEqual([[], 0]);
    expect(await page({}, carol)).toEqual([[], 0]);
    expect(await page({}, desk.first)).toEqual([[], 0]);
  });

  test('SPEC-SUB-10: a name is known under its own master only', async () => {
    const { subAccounts, first, customer } = new SubAccountDesk();
    expect((await subAccounts.named(alice, 'alicesdesk1'))?.account).toBe(first);
    expect(await subAccounts.named(bob, 'alicesdesk1')).toBeNull();
    expect(await subAccounts.named(alice, 'customer1')).toBeNull();
    expect((await subAccounts.of(customer))?.master).toBe(bob);
    expect(await subAccounts.of(child)).toBeNull();
    expect(await subAccounts.of(alice)).toBeNull();
  });
});
