import type { Command } from '#model/command.ts';
import { as, type AssetId, type Balance } from '#model/units.ts';
import type { WalletRules } from '#model/wallet.ts';
import { dustTerms } from '#engine/wallet/dust.ts';
import { freeOf } from '#engine/money/free-balance.ts';
import { futuresWalletOf, innerHouse } from '#model/account.ts';
import type { EngineState } from '#engine/state/state.ts';
import { type Chance, lotsOf } from './chance.ts';
import { anyAccount, asset, type FuzzWorld, users } from './fuzz-world.ts';

type Transfer = Extract<Command, { kind: 'transferFunds' }>;

const moves = lotsOf([
  [4, 'transfer'],
  [3, 'send'],
  [3, 'dust'],
  [1, 'dustOfOther'],
  [1, 'contact'],
  [0.5, 'fundHouse'],
  [0.3, 'rules'],
  [0.3, 'toFrozen'],
  [0.4, 'manyConversions'],
  [2, 'price'],
  [1, 'unprice'],
] as const);
const greatest = 2n ** 62n - 1n;
/** Few, so that accounts want the same ones. */
const mails = ['a@x.org', 'A@X.org', 'b@x.org', 'c@x.org', 'no mail', '\u212A@x.org', null];
const mobiles = ['1 1234', '44 7700900123', '44 7700900124', '+1 1234', '', null, null];

/** Money that moves inside the exchange: between wallets, to other accounts, out of dust; and who can be reached. */
export class TransferMaker {
  readonly #world: FuzzWorld;
  readonly #queue: (commands: readonly Command[]) => void;
  #sent: Transfer[] = [];

  /** `queue` takes commands that are to come next. */
  constructor(world: FuzzWorld, queue: (commands: readonly Command[]) => void) {
    this.#world = world;
    this.#queue = queue;
  }

  make(state: EngineState): Command {
    const { chance } = this.#world;
    switch (chance.draw(moves)) {
      case 'transfer':
        return this.#transfer(state);
      case 'send':
        return this.#send(state);
      case 'dust':
        return this.#dust();
      case 'dustOfOther':
        return { kind: 'creditFunds', account: as(this.#account()), asset: as(asset.other), amount: this.#crumb() };
      case 'contact':
        return this.#contact();
      case 'fundHouse':
        return { kind: 'creditFunds', account: innerHouse.dust, asset: this.#token(state), amount: this.#crumb() };
      case 'rules':
        return { kind: 'configureWallet', rules: anyWalletRules(chance) };
      case 'price':
        return this.#price();
      case 'unprice':
        return { kind: 'removeReferencePrice', asset: this.#asset(), reason: chance.pick(['why', 'why', '']) };
      case 'toFrozen':
        return this.#toFrozen();
      case 'manyConversions':
        return this.#manyConversions(state);
    }
  }

  #account(): number {
    return anyAccount(this.#world.chance);
  }

  #token(state: EngineState): AssetId {
    return dustTerms(state)?.token ?? as<AssetId>(asset.token);
  }

  #asset(): AssetId {
    const { chance } = this.#world;
    return as<AssetId>(chance.in(0.02) ? chance.pick([9, 4096, -1, 2 ** 32]) : chance.below(Object.keys(asset).length));
  }

  #price(): Command {
    const { chance } = this.#world;
    return {
      kind: 'setReferencePrice',
      asset: this.#asset(),
      digits: as<Balance>(chance.pick([1n, 3n, 12_345n, 10n ** 12n, greatest, 0n])),
      decimals: chance.pick([0, 2, 6, 12, 18, 19]),
      validMs: chance.pick([0, 1, 60_000, 3_600_000, 10 ** 13]),
      reason: 'why',
    };
  }

  #crumb(): Balance {
    return as<Balance>(BigInt(this.#world.chance.pick([1, 2, 3, 100, 12_345, 10 ** 9])));
  }

  /** All that is free, a unit more, some of it, or what is refused. */
  #amount(free: bigint): Balance {
    const { chance } = this.#world;
    const some = free <= 0n ? 1n : (free * BigInt(1 + chance.below(1000))) / 1000n;
    return as<Balance>(
      chance.in(0.03) ? chance.pick([0n, -1n, greatest, -greatest]) : chance.pick([free, free + 1n, some, some]),
    );
  }

  #transfer(state: EngineState): Command {
    const { chance } = this.#world;
    if (this.#sent.length > 0 && chance.in(0.15)) return this.#again(chance.pick(this.#sent));
    const account = as<Transfer['account']>(this.#account());
    const id = this.#asset();
    const [from, to] = chance.pick([
      ['spot', 'futures'],
      ['futures', 'spot'],
      ['futures', 'spot'],
      ['spot', 'futures'],
      ['spot', 'spot'],
    ] as const);
    const isUser = state.accounts.isUser(account);
    const free = isUser ? freeOf(state, from === 'spot' ? account : futuresWalletOf(account), id) : 5n;
    const clientTranId = chance.pick([
      null,
      `t${chance.below(9)}`,
      `t${chance.below(9)}`,
      'x'.repeat(30 + chance.below(4)),
    ]);
    const command: Transfer = {
      kind: 'transferFunds',
      account,
      from,
      to,
      asset: id,
      amount: this.#amount(free),
      clientTranId,
    };
    if (clientTranId !== null) this.#sent = [...this.#sent.slice(-5), command];
    return command;
  }

  /** The same once more, or with another amount. */
  #again(sent: Transfer): Transfer {
    return this.#world.chance.in(0.7) ? sent : { ...sent, amount: as<Balance>((sent.amount / 2n) | 1n) };
  }

  #send(state: EngineState): Command {
    const { chance } = this.#world;
    const account = as<Transfer['account']>(this.#account());
    const id = this.#asset();
    const targetKind = chance.pick(['email', 'uid', 'uid', 'mobile'] as const);
    const target = {
      email: chance.pick(mails) ?? '',
      uid: chance.pick([`${10_000_000 + chance.below(users.length + 1)}`, '1', '01', '-1', '9'.repeat(30)]),
      mobile: chance.pick(mobiles) ?? '',
    }[targetKind];
    const free = state.accounts.isUser(account) ? freeOf(state, account, id) : 5n;
    const clientTranId = chance.pick([null, null, null, 'a'.repeat(32), 'b'.repeat(32), 'short']);
    const sent = { kind: 'sendFunds', account, targetKind, target, asset: id, clientTranId } as const;
    const amount = this.#amount(free);
    if (clientTranId !== null && chance.in(0.3)) this.#queue([{ ...sent, amount }]);
    return { ...sent, amount };
  }

  #dust(): Command {
    const { chance } = this.#world;
    const count = chance.in(0.03) ? 20 : chance.below(5);
    const wanted = Array.from({ length: count }, (_, index) => (count === 20 ? as<AssetId>(index) : this.#asset()));
    return { kind: 'convertDust', account: as(this.#account()), assets: wanted };
  }

  /** Something for an account that gets nothing now. */
  #toFrozen(): Command {
    const { chance } = this.#world;
    const [to, from] = chance.pick([users, [...users].reverse()]);
    const account = as<Transfer['account']>(to as number);
    const sent = {
      account: as<Transfer['account']>(from as number),
      asset: as<AssetId>(asset.quote),
      amount: as<Balance>(1n),
    };
    const target = `${10_000_000 + account - users[0]}`;
    this.#queue([
      { kind: 'creditFunds', ...sent },
      { kind: 'sendFunds', ...sent, targetKind: 'uid', target, clientTranId: null },
      { kind: 'setAccountStatus', account, status: 'normal' },
    ]);
    return { kind: 'setAccountStatus', account, status: chance.pick(['frozen', 'frozen', 'abnormal'] as const) };
  }

  /** As many conversions as a day has, and some more, where the rules and the house let them be. */
  #manyConversions(state: EngineState): Command {
    const account = as<Transfer['account']>(this.#account());
    const crumb = { asset: as<AssetId>(asset.base), amount: as<Balance>(10_000n) };
    const price = { digits: as<Balance>(1n), decimals: 0, validMs: 10 ** 9, reason: 'why' };
    const commands: Command[] = [
      { kind: 'setReferencePrice', asset: crumb.asset, ...price },
      { kind: 'setReferencePrice', asset: this.#token(state), ...price },
      { kind: 'creditFunds', account: innerHouse.dust, asset: this.#token(state), amount: as<Balance>(10n ** 9n) },
    ];
    for (let index = 0; index < 13; index += 1)
      commands.push(
        { kind: 'creditFunds', account, ...crumb },
        { kind: 'convertDust', account, assets: [crumb.asset] },
      );
    this.#queue(commands);
    const dustBelow = as<Balance>(greatest);
    const dustCallMax = as<Balance>(this.#world.chance.pick([greatest, greatest, 0n]));
    const rules = { valuedIn: as<AssetId>(asset.quote), dustBelow, dustCallMax, dustFeePpm: 2000 };
    return { kind: 'configureWallet', rules: { ...anyWalletRules(this.#world.chance), ...rules } };
  }

  #contact(): Command {
    const { chance } = this.#world;
    const account = as<Transfer['account']>(this.#account());
    return { kind: 'setContact', account, email: chance.pick(mails), mobile: chance.pick(mobiles) };
  }
}

/** Rules under which most can be moved, and dust is a crumb or all that one has. */
export function anyWalletRules(chance: Chance): WalletRules {
  const below = chance.pick([1n, 5n, 1000n, 10n ** 12n, greatest]);
  return {
    valuedIn: as(chance.pick([asset.quote, asset.quote, asset.quote, asset.base, 9])),
    largeDeposit: as<Balance>(10n ** 12n),
    dailyCaps: [1n, 10n, 100n, 1000n].map((cap) => as<Balance>(cap * 10n ** 9n)),
    riskHoldAbove: null,
    fourEyesAbove: null,
    adjustFourEyesAbove: chance.pick([null, 0n, 10n ** 6n, 10n ** 12n]) as Balance | null,
    newAddressDelayMs: 0,
    waitMs: 0,
    transferable: Object.values(asset)
      .filter(() => chance.in(0.8))
      .map((id) => as<AssetId>(id)),
    dustBelow: as<Balance>(below),
    dustCallMax: as<Balance>(chance.pick([below, greatest, below * 2n < greatest ? below * 2n : below])),
    dustFeePpm: chance.pick([2000, 2000, 0, 1, 999_999, 1_000_000, 1_000_001]),
  };
}
