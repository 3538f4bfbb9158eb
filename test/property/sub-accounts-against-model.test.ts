import { describe, expect, test } from 'vitest';
import type { Event } from '#model/event-record.ts';
import type { AccountId, Balance } from '#model/units.ts';
import { as } from '#model/units.ts';
import { Chance } from '../fuzz/chance.ts';
import { type NaiveMove, NaiveSubAccounts } from '../oracle/naive-sub-accounts.ts';
import { moving, opening } from '../scenario/sub-account-desk.ts';
import { assets, people, WalletHarness } from '../scenario/wallet-harness.ts';

const seeds = Array.from({ length: 8 }, (_, seed) => seed);
const commandsEach = 300;
/** Of the model: the first may go to futures, the second may not, and nobody knows the third. */
const coins = [assets.USDT, assets.BTC, as<typeof assets.USDT>(77)] as const;
const names = [
  'deskdesk1',
  'DESKDESK1',
  'deskdesk2',
  'b'.repeat(32),
  'eight888',
  'b'.repeat(33),
  'seven77',
  'de_sk_de_sk',
];
const wallets = ['spot', 'futures'] as const;
const masters = [people.alice, people.bob, people.carol] as const;

/** What an engine answered, in the words of the model. */
function answerOf(events: readonly Event[]): string {
  const told = events.findLast(({ kind }) => kind !== 'posted');
  switch (told?.kind) {
    case 'commandRefused':
      return told.reason;
    case 'subAccountChanged':
      return `${events.length > 1 ? 'opened' : 'enabled'} ${told.subAccount.account}`;
    case 'universalTransferMade':
      return `moved ${told.transfer.transfer}`;
    case 'universalTransferRepeated':
      return `repeated ${told.transfer.transfer}`;
    default:
      return 'changed';
  }
}

/** An engine and the model side by side. */
class Pair {
  readonly harness = new WalletHarness();
  readonly model = new NaiveSubAccounts();
  readonly chance: Chance;
  #last: NaiveMove | null = null;

  constructor(seed: number) {
    this.chance = new Chance(seed);
    for (const [name, account] of Object.entries(people))
      this.model.add(account, name === 'child' ? people.alice : null);
    for (const account of masters) for (const asset of [0, 1]) this.give(account, asset, 20n);
  }

  /** One random command on both; answers what each of them said. */
  next(): readonly [engine: string, model: string] {
    const { chance, harness } = this;
    harness.at += chance.pick([0, 0, 1, 3_600_000]);
    if (chance.in(0.01)) harness.at += chance.pick([86_399_999, 86_400_000]);
    if (chance.in(0.05)) harness.restore();
    switch (chance.pick(['open', 'enable', 'class', 'status', 'move', 'move', 'move', 'move', 'move'] as const)) {
      case 'open':
        return this.open();
      case 'enable': {
        const [master, account] = [this.master(), this.party()];
        return this.said({ kind: 'enableFutures', master, account }, this.model.enable(master, account));
      }
      case 'class': {
        const account = chance.in(0.5) ? this.master() : this.party();
        const to = chance.pick(['user', 'broker', 'affiliate'] as const);
        return this.said(
          { kind: 'setAccountClass', account, class: to },
          this.model.setClass(account, to === 'broker'),
        );
      }
      case 'status': {
        const account = this.party();
        const status = chance.pick(['normal', 'normal', 'frozen', 'abnormal'] as const);
        const person = this.model.person(account);
        if (person !== undefined) person.status = status;
        return this.said({ kind: 'setAccountStatus', account, status }, person ? 'changed' : 'unknownAccount');
      }
      case 'move':
        return this.move();
    }
  }

  /** Every balance that differs. */
  differences(): string[] {
    const { harness, model } = this;
    return model.people.flatMap(({ account }) =>
      [0, 1].flatMap((asset) => {
        const id = as<AccountId>(account);
        const real = [harness.free(id, coins[asset]!), harness.futures(id, coins[asset]!)];
        const wanted = wallets.map((wallet) => model.balance(account, wallet, asset));
        return String(real) === String(wanted) ? [] : [`${account}: ${real} instead of ${wanted}`];
      }),
    );
  }

  private said(command: Parameters<WalletHarness['run']>[0], wanted: string): readonly [string, string] {
    return [answerOf(this.harness.run(command)), wanted];
  }

  private give(account: AccountId, asset: number, amount: bigint): void {
    this.harness.give(account, coins[asset]!, amount);
    this.model.give(account, 'spot', asset, amount);
  }

  private master(): AccountId {
    return this.chance.in(0.05) ? this.party() : this.chance.pick(masters);
  }

  private party(): AccountId {
    const { chance, model } = this;
    return as<AccountId>(chance.in(0.02) ? 77 : chance.pick(model.people).account);
  }

  private open(): readonly [string, string] {
    const { chance, model } = this;
    const terms = {
      master: this.master(),
      name: chance.pick(names),
      atMost: chance.pick([30, 3, 2, 0, -1, 1_000_001]),
    };
    const note = 'n'.repeat(chance.pick([0, 0, 64, 65]));
    return this.said(opening({ ...terms, note }), model.open(terms.master, terms.name, note, terms.atMost));
  }

  /** Mostly between accounts of one desk. */
  private move(): readonly [string, string] {
    const { chance, model, harness } = this;
    const last = this.#last;
    const move = last !== null && chance.in(0.15) ? { ...last, ...this.changed(last) } : this.anyMove();
    if (move.id !== null) this.#last = move;
    const { id, asset, amount, ...rest } = move;
    const terms = { ...rest, master: as<AccountId>(rest.master), from: as<AccountId>(rest.from) };
    const command = moving({ ...terms, to: as<AccountId>(rest.to), asset: coins[asset]!, amount, clientTranId: id });
    return this.said(command, model.move(move, harness.at));
  }

  private changed({ amount }: NaiveMove): Partial<NaiveMove> {
    return this.chance.pick([{}, {}, { amount: as<Balance>(amount + 1n) }, { toWallet: 'futures' as const }]);
  }

  private anyMove(): NaiveMove {
    const { chance, model } = this;
    const master = this.master();
    const desk = [master as number, ...model.desk(master).map(({ account }) => account)];
    const party = (): number => (chance.in(0.05) ? this.party() : chance.pick(desk));
    const [from, to] = [party(), party()];
    const [fromWallet, toWallet] = [chance.pick(wallets), chance.pick(wallets)];
    const asset = chance.pick([0, 0, 0, 1, 2]);
    const all = model.balance(from, fromWallet, asset);
    const amount = chance.pick([all, all, all + 1n, 1n, 1n, 0n, -1n]);
    const id = chance.pick([null, 'a', 'b', 'c']);
    const length = chance.in(0.05) ? 31 : 32;
    return { master, from, fromWallet, to, toWallet, asset, amount, id: id === null ? null : id.repeat(length) };
  }
}

describe('sub-accounts against a model', () => {
  const met = new Set<string>();

  test.each(seeds)('DEC-SUB-01, SPEC-SUB-07: random commands are answered as the rules say (seed %i)', (seed) => {
    const pair = new Pair(seed);
    for (let made = 0; made < commandsEach; made += 1) {
      const [engine, wanted] = pair.next();
      expect([made, engine]).toEqual([made, wanted]);
      if (made % 10 === 0) expect(pair.differences()).toEqual([]);
      met.add(wanted.split(' ')[0]!);
    }
    const uids = pair.harness.engine.state.accounts.records.map(({ uid }) => uid);
    expect(new Set(uids).size).toBe(uids.length);
  });

  test('they met every answer', () => {
    const refusals = ['unknownAccount', 'accountNotUsable', 'invalidConfiguration', 'subAccountNameInUse'];
    const ofMoves = ['targetForbidden', 'targetNotUsable', 'sameWallet', 'unknownAsset', 'notTransferable'];
    const ofMoney = ['futuresNotEnabled', 'wrongAmount', 'requestIdInUse', 'notEnoughFunds'];
    const others = ['tooManySubAccounts', 'notOfThisMaster', 'wrongState'];
    const made = ['opened', 'enabled', 'changed', 'moved', 'repeated'];
    expect([...met].sort()).toEqual([...refusals, ...ofMoves, ...ofMoney, ...others, ...made].sort());
  });
});
