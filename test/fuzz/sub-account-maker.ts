import { accountClasses } from '#model/account.ts';
import type { Command } from '#model/command.ts';
import { referCodeOf } from '#model/refer-code.ts';
import type { AccountId, AssetId, Balance, Uid } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { WalletKind } from '#model/wallet.ts';
import { freeOf } from '#engine/money/free-balance.ts';
import { walletOf } from '#engine/wallet/transferable.ts';
import type { EngineState } from '#engine/state/state.ts';
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
  [0.5, 'close'],
] as const);
/** Few, so that names are wanted twice. */
const names = ['deskdesk1', 'deskdesk2', 'DESKDESK1', 'a'.repeat(32), 'deskdesk3', 'deskdesk4', 'deskdesk5'];
const noNames = ['short', 'de-sk-de-sk', '', 'a'.repeat(33)];
const notes = ['', 'note', 'ü\ud83d\ude00', 'x'.repeat(64), ''];
const limits = [30, 30, 30, 10, 3, 2, 0, 1_000_000];
const noMails = ['no mail', '\u212A@x.org', 'a@x.org'];
const mobiles = ['44 7700900124', '44 7700900125', '+1 1234', null, null, null, null, null];
const otherWallet = { spot: 'futures', futures: 'spot' } as const;
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
      case 'close': {
        const account = chance.in(0.5)
          ? this.#party(state, this.#master(state))
          : as<AccountId>(state.accounts.size - 1);
        this.#soon({ kind: 'setAccountClosed', account, closed: false });
        return { kind: 'setAccountClosed', account, closed: chance.in(0.9) };
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
    return own.length === 0 || chance.in(0.25) ? master : chance.pick(own);
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
      name: chance.pick(chance.in(0.05) ? noNames : names),
      note: chance.in(0.02) ? 'x'.repeat(65) : chance.pick(notes),
      passwordHash: chance.pick([null, 'hash']),
      atMost: chance.in(0.02) ? chance.pick([-1, 1_000_001]) : chance.pick(limits),
    };
  }

  /** Mostly one that the wallet has some of. */
  #asset(state: EngineState, wallet: AccountId): AssetId {
    const { chance } = this.#world;
    if (chance.in(0.02)) return as<AssetId>(chance.pick([9, -1, 2 ** 32]));
    const all = Object.values(asset).map((id) => as<AssetId>(id));
    const owned = all.filter((id) => freeOf(state, wallet, id) > 0n);
    return chance.pick(owned.length === 0 || chance.in(0.1) ? all : owned);
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
    const fromWallet = this.#wallet();
    const toWallet = from === to && chance.in(0.9) ? otherWallet[fromWallet] : this.#wallet();
    const wallet = state.accounts.isUser(from) ? walletOf(from, fromWallet) : as<AccountId>(users[0]);
    const id = this.#asset(state, wallet);
    const id32 = `${chance.below(30)}`.padStart(32, 'x');
    const clientTranId = chance.in(0.5) ? null : chance.in(0.05) ? id32.slice(1) : id32;
    const amount = this.#amount(freeOf(state, wallet, id));
    const rest = { asset: id, amount, clientTranId };
    const command: Transfer = { kind: 'makeUniversalTransfer', master, from, fromWallet, to, toWallet, ...rest };
    if (clientTranId !== null) this.#sent = [...this.#sent.slice(-5), command];
    return command;
  }

  #wallet(): WalletKind {
    return this.#world.chance.in(0.6) ? 'spot' : 'futures';
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
    const anyOf = chance.in(0.8) ? chance.pick(users) : chance.below(accounts.size + 1);
    const code = referCodeOf(as<AccountId>(anyOf));
    for (const id of [asset.base, asset.quote, asset.token]) {
      const amount = as<Balance>(anyCredit(this.#world, id));
      this.#soon({ kind: 'creditFunds', account: as<AccountId>(accounts.size), asset: as(id), amount });
    }
    return {
      kind: 'registerAccount',
      uid: chance.in(0.7) ? null : as<Uid>(chance.pick([10_000_000, 30_000_000 + chance.below(500)])),
      name: 'somebody',
      class: chance.pick(accountClasses),
      kycLevel: chance.in(0.05) ? 5 : 1 + chance.below(4),
      simulated: false,
      email: chance.in(0.1) ? chance.pick(noMails) : chance.pick([null, `${chance.below(30)}@z.org`]),
      mobile: chance.pick(mobiles),
      inviteCode: chance.in(0.1) ? chance.pick(['zzzzz', 'no-code']) : chance.pick([null, code, code]),
    };
  }
}
