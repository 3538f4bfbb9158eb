import { accountClasses, futuresWalletOf } from '#domain/account.ts';
import type { Command } from '#domain/command.ts';
import { referCodeOf } from '#domain/refer-code.ts';
import type { AccountId, AssetId, Balance, Uid } from '#domain/units.ts';
import { as } from '#domain/units.ts';
import type { WalletKind } from '#domain/wallet.ts';
import { freeOf } from '#engine/wallet/existing.ts';
import type { EngineState } from '#engine/state.ts';
import { lotsOf } from './chance.ts';
import { anyAccount, anyCredit, asset, type FuzzWorld, users } from './fuzz-world.ts';

type Transfer = Extract<Command, { kind: 'makeUniversalTransfer' }>;

const makes = lotsOf([
  [1.5, 'open'],
  [0.7, 'futures'],
  [8, 'transfer'],
  [1, 'fund'],
  [0.5, 'register'],
  [0.8, 'class'],
  [0.3, 'freeze'],
] as const);
/** Few, so that names are wanted twice; some that no sub-account can have. */
const names = ['deskdesk1', 'deskdesk2', 'DESKDESK1', 'a'.repeat(32), 'deskdesk3', 'deskdesk4', 'short', 'de-sk-de-sk'];
const notes = ['', 'note', 'ü\ud83d\ude00', 'x'.repeat(64), 'x'.repeat(65)];
const limits = [30, 30, 30, 10, 3, 2, 0, 1_000_000, 1_000_001, -1];
const mails = ['a@x.org', 'd@x.org', 'e@x.org', 'no mail', null, null, null];
const mobiles = ['44 7700900124', '44 7700900125', '+1 1234', null, null, null];
const greatest = 2n ** 62n - 1n;

/** Desks of sub-accounts, what they move among each other, and people who register. */
export class SubAccountMaker {
  readonly #world: FuzzWorld;
  readonly #soon: (command: Command) => void;
  #sent: Transfer[] = [];

  /** `soon` takes a command that comes in a while. */
  constructor(world: FuzzWorld, soon: (command: Command) => void) {
    this.#world = world;
    this.#soon = soon;
  }

  make(state: EngineState): Command {
    const { chance } = this.#world;
    switch (chance.draw(makes)) {
      case 'open':
        return this.#open(state);
      case 'futures': {
        const master = this.#master(state);
        return { kind: 'enableFutures', master, account: this.#party(state, master) };
      }
      case 'transfer':
        return this.#transfer(state);
      case 'fund':
        return this.#fund(state);
      case 'register':
        return this.#register(state);
      case 'class':
        return { kind: 'setAccountClass', account: this.#classed(state), class: chance.pick(accountClasses) };
      case 'freeze': {
        const account = this.#party(state, this.#master(state));
        this.#soon({ kind: 'setAccountStatus', account, status: 'normal' });
        return { kind: 'setAccountStatus', account, status: chance.pick(['frozen', 'frozen', 'abnormal'] as const) };
      }
    }
  }

  /** Mostly one of the first two users; now and then whoever was opened last, or anybody. */
  #master({ accounts }: EngineState): AccountId {
    const { chance } = this.#world;
    if (chance.in(0.06)) return as<AccountId>(chance.in(0.5) ? accounts.size - 1 : anyAccount(chance));
    return as<AccountId>(chance.pick([users[0], users[1]]));
  }

  /** The master, or a sub-account of it; now and then one of nobody or of another. */
  #party({ subAccounts }: EngineState, master: AccountId): AccountId {
    const { chance } = this.#world;
    if (chance.in(0.04)) return as<AccountId>(anyAccount(chance));
    const own = subAccounts.ofMaster(master);
    return own.length === 0 || chance.in(0.3) ? master : chance.pick(own);
  }

  /** Whoever has no sub-accounts yet is more likely to be made a broker. */
  #classed(state: EngineState): AccountId {
    const { chance } = this.#world;
    return chance.in(0.5) ? as<AccountId>(users[1]) : this.#party(state, this.#master(state));
  }

  #open(state: EngineState): Command {
    const { chance } = this.#world;
    return {
      kind: 'openSubAccount',
      master: this.#master(state),
      name: chance.pick(names),
      note: chance.pick(notes),
      passwordHash: chance.pick([null, 'hash']),
      atMost: chance.pick(limits),
    };
  }

  #asset(): AssetId {
    const { chance } = this.#world;
    return as<AssetId>(chance.in(0.02) ? chance.pick([9, -1, 2 ** 32]) : chance.below(Object.keys(asset).length));
  }

  #fund(state: EngineState): Command {
    const id = this.#world.chance.below(Object.keys(asset).length);
    const account = this.#party(state, this.#master(state));
    return { kind: 'creditFunds', account, asset: as(id), amount: as<Balance>(anyCredit(this.#world, id)) };
  }

  #transfer(state: EngineState): Transfer {
    const { chance } = this.#world;
    if (this.#sent.length > 0 && chance.in(0.15)) return this.#again(chance.pick(this.#sent));
    const master = this.#master(state);
    const [from, to] = [this.#party(state, master), this.#party(state, master)];
    const [fromWallet, toWallet] = [this.#wallet(), this.#wallet()];
    const id = this.#asset();
    const isUser = state.accounts.isUser(from);
    const free = isUser ? freeOf(state, fromWallet === 'spot' ? from : futuresWalletOf(from), id) : 5n;
    const clientTranId = chance.pick([
      null,
      `${chance.below(9)}`.padStart(32, 'x'),
      'x'.repeat(31 + chance.below(3)),
      null,
    ]);
    const amount = this.#amount(free);
    const rest = { asset: id, amount, clientTranId };
    const command: Transfer = { kind: 'makeUniversalTransfer', master, from, fromWallet, to, toWallet, ...rest };
    if (clientTranId !== null) this.#sent = [...this.#sent.slice(-5), command];
    return command;
  }

  #wallet(): WalletKind {
    return this.#world.chance.in(0.7) ? 'spot' : 'futures';
  }

  /** All that is free, a unit more, some of it, or what is refused. */
  #amount(free: bigint): Balance {
    const { chance } = this.#world;
    const some = free <= 0n ? 1n : (free * BigInt(1 + chance.below(1000))) / 1000n;
    const stray = chance.pick([0n, -1n, greatest, -greatest]);
    return as<Balance>(chance.in(0.03) ? stray : chance.pick([free, free + 1n, some, some]));
  }

  /** The same once more, or with another amount. */
  #again(sent: Transfer): Transfer {
    return this.#world.chance.in(0.7) ? sent : { ...sent, amount: as<Balance>((sent.amount / 2n) | 1n) };
  }

  #register({ accounts }: EngineState): Command {
    const { chance } = this.#world;
    const code = referCodeOf(as<AccountId>(chance.below(accounts.size + 1)));
    return {
      kind: 'registerAccount',
      uid: chance.pick([null, null, null, as<Uid>(10_000_000), as<Uid>(30_000_000 + chance.below(5))]),
      name: 'somebody',
      class: chance.pick(accountClasses),
      kycLevel: chance.pick([1, 1, 2, 4, 5]),
      simulated: false,
      email: chance.pick(mails),
      mobile: chance.pick(mobiles),
      inviteCode: chance.pick([null, code, code, 'zzzzz', 'no-code']),
    };
  }
}
