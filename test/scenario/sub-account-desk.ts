import type { AccountStatus } from '#model/account.ts';
import type { CommandOf } from '#model/command.ts';
import type { Fact } from '#model/events.ts';
import type { RejectReason } from '#model/rejection.ts';
import type { SubAccountView } from '#model/sub-account.ts';
import type { AccountId, Balance } from '#model/units.ts';
import { as } from '#model/units.ts';
import { type SubAccountQueries, subAccountQueries } from '#sequencer/queries/sub-account-queries.ts';
import { assets, people, WalletHarness } from './wallet-harness.ts';

type Opening = CommandOf<'openSubAccount'>;
type Transfer = CommandOf<'makeUniversalTransfer'>;
type TransferTerms = Partial<Omit<Transfer, 'kind' | 'amount'>> & { readonly amount?: bigint };

/** A sub-account of alice, unless told otherwise. */
export const opening = (terms: Partial<Omit<Opening, 'kind'>> = {}): Opening => ({
  kind: 'openSubAccount',
  master: people.alice,
  name: 'alicesdesk1',
  note: '',
  passwordHash: null,
  atMost: 30,
  ...terms,
});

/** From alice's spot wallet to that of another account. */
export const moving = ({ amount = 100n, ...terms }: TransferTerms = {}): Transfer => ({
  kind: 'makeUniversalTransfer',
  master: people.alice,
  from: people.alice,
  fromWallet: 'spot',
  to: people.alice,
  toWallet: 'spot',
  asset: assets.USDT,
  amount: as<Balance>(amount),
  clientTranId: null,
  ...terms,
});

/** An exchange where alice is a master with two sub-accounts, and bob a broker with two. Only alice has money. */
export class SubAccountDesk extends WalletHarness {
  readonly first = this.opened({ name: 'alicesdesk1' });
  readonly second = this.opened({ name: 'alicesdesk2' });
  readonly customer: AccountId;
  readonly other: AccountId;

  constructor(...terms: ConstructorParameters<typeof WalletHarness>) {
    super(...terms);
    this.run({ kind: 'setAccountClass', account: people.bob, class: 'broker' });
    this.customer = this.opened({ master: people.bob, name: 'customer1' });
    this.other = this.opened({ master: people.bob, name: 'customer2' });
    this.give(people.alice, assets.USDT, 1000n);
    this.give(people.alice, assets.BTC, 1000n);
  }

  get subAccounts(): SubAccountQueries {
    return subAccountQueries(this.engine);
  }

  /** Opens a sub-account and answers its account. */
  opened(terms: Partial<Omit<Opening, 'kind'>>): AccountId {
    return this.told(opening(terms)).account;
  }

  /** What the last event tells of a sub-account. */
  told(command: Opening | CommandOf<'enableFutures'>): SubAccountView {
    const fact = this.run(command).at(-1) as Extract<Fact, { kind: 'subAccountChanged' }>;
    return fact.subAccount;
  }

  setStatus(account: AccountId, status: AccountStatus): void {
    this.run({ kind: 'setAccountStatus', account, status });
  }
}

/** What is wrong with an attempt, in the order in which it is refused, each with what mends it. */
export type Ladder<Attempt> = readonly (readonly [reason: RejectReason, mend: Partial<Attempt>])[];

/** What is said of an attempt that is mended step by step, from the worst to the one that has nothing wrong. */
export function climb<Attempt extends object>(
  worst: Attempt,
  ladder: Ladder<Attempt>,
  say: (attempt: Attempt) => string,
): string[] {
  const said = [say(worst)];
  let attempt = worst;
  for (const [, mend] of ladder) {
    attempt = { ...attempt, ...mend };
    said.push(say(attempt));
  }
  return said;
}

/** The reasons of a ladder, in its order. */
export const reasonsOf = (ladder: readonly (readonly [RejectReason, object])[]): RejectReason[] =>
  ladder.map(([reason]) => reason);
