const dayMs = 86_400_000;

type Status = 'normal' | 'frozen' | 'abnormal';
type Wallet = 'spot' | 'futures';

/** What the exchange knows of somebody; a list of all is searched from end to end. */
interface NaivePerson {
  readonly account: number;
  /** `null`: its own. */
  readonly master: number | null;
  /** Of a sub-account that was opened under a name; else `null`. */
  readonly name: string | null;
  status: Status;
  isBroker: boolean;
  hasFutures: boolean;
}

/** A transfer between wallets: asset 0 may go to futures, asset 1 may not. */
export interface NaiveMove {
  readonly master: number;
  readonly from: number;
  readonly fromWallet: Wallet;
  readonly to: number;
  readonly toWallet: Wallet;
  readonly asset: number;
  readonly amount: bigint;
  readonly id: string | null;
}

/** Sub-accounts and what moves between them, as the rules tell them. Answers are reasons, or what came about. */
export class NaiveSubAccounts {
  readonly people: NaivePerson[] = [];
  readonly moves: (NaiveMove & { readonly at: number })[] = [];
  private readonly balances = new Map<string, bigint>();

  add(account: number, master: number | null, name: string | null = null): void {
    const isBroker = master !== null && this.person(master)!.isBroker;
    this.people.push({ account, master, name, status: 'normal', isBroker: false, hasFutures: !isBroker });
  }

  person(account: number): NaivePerson | undefined {
    return this.people.find((each) => each.account === account);
  }

  /** Those of a master that have names. */
  desk(master: number): NaivePerson[] {
    return this.people.filter((each) => each.master === master && each.name !== null);
  }

  balance(account: number, wallet: Wallet, asset: number): bigint {
    return this.balances.get(`${account} ${wallet} ${asset}`) ?? 0n;
  }

  give(account: number, wallet: Wallet, asset: number, amount: bigint): void {
    this.balances.set(`${account} ${wallet} ${asset}`, this.balance(account, wallet, asset) + amount);
  }

  /** DEC-SUB-01. The number that a new one gets is the next. */
  open(master: number, name: string, note: string, atMost: number): string {
    const refused = this.refusedAsMaster(master);
    if (refused !== null) return refused;
    const letters = [...name].every((letter) => /[0-9A-Za-z]/.test(letter));
    const isNumber = [...name].every((letter) => letter >= '0' && letter <= '9');
    if (!letters || isNumber || name.length < 8 || name.length > 32) return 'invalidConfiguration';
    if (note.length > 64 || atMost < 0 || atMost > 1_000_000) return 'invalidConfiguration';
    const own = this.desk(master);
    if (own.some((each) => each.name === name)) return 'subAccountNameInUse';
    if (own.length >= atMost) return 'tooManySubAccounts';
    const account = Math.max(...this.people.map((each) => each.account)) + 1;
    this.add(account, master, name);
    return `opened ${account}`;
  }

  /** DEC-SUB-17. */
  enable(master: number, account: number): string {
    const refused = this.refusedAsMaster(master);
    if (refused !== null) return refused;
    const own = this.desk(master).find((each) => each.account === account);
    if (own === undefined) return 'notOfThisMaster';
    if (this.statusOf(own) !== 'normal') return 'targetForbidden';
    own.hasFutures = true;
    return `enabled ${account}`;
  }

  /** DEC-SUB-33. */
  setClass(account: number, isBroker: boolean): string {
    const person = this.person(account);
    if (person === undefined) return 'unknownAccount';
    if (person.master !== null) return 'wrongState';
    if (person.isBroker !== isBroker && this.people.some((each) => each.master === account)) return 'wrongState';
    person.isBroker = isBroker;
    return 'changed';
  }

  /** SPEC-SUB-07, DEC-SUB-32, DEC-REQ-27. */
  move(move: NaiveMove, at: number): string {
    const earlier = this.moves.findIndex(
      (each) => move.id !== null && each.id === move.id && each.master === move.master && at - each.at < dayMs,
    );
    if (earlier >= 0 && isSame(this.moves[earlier]!, move)) return `repeated ${earlier + 1}`;
    const reason = this.refusedMove(move) ?? (earlier >= 0 ? 'requestIdInUse' : null);
    if (reason !== null) return reason;
    if (this.balance(move.from, move.fromWallet, move.asset) < move.amount) return 'notEnoughFunds';
    this.give(move.from, move.fromWallet, move.asset, -move.amount);
    this.give(move.to, move.toWallet, move.asset, move.amount);
    this.moves.push({ ...move, at });
    return `moved ${this.moves.length}`;
  }

  /** Its own, or what its master has where that is no broker. DEC-SUB-101. */
  private statusOf({ status, master }: NaivePerson): Status {
    const above = master === null ? undefined : this.person(master);
    const isFreeOfIt = above === undefined || above.isBroker || above.status === 'normal';
    return status === 'abnormal' || isFreeOfIt ? status : above.status;
  }

  private refusedAsMaster(master: number): string | null {
    const person = this.person(master);
    if (person === undefined || person.master !== null) return 'unknownAccount';
    return person.status === 'normal' ? null : 'accountNotUsable';
  }

  private refusedMove({ master, from, fromWallet, to, toWallet, asset, amount, id }: NaiveMove): string | null {
    const refused = this.refusedAsMaster(master);
    if (refused === 'unknownAccount') return refused;
    const parties = [from, to].map((account) =>
      account === master ? this.person(account) : this.desk(master).find((each) => each.account === account),
    );
    if (parties.includes(undefined)) return 'notOfThisMaster';
    if (refused !== null) return refused;
    const statuses = parties.map((each) => this.statusOf(each!));
    if (statuses.includes('frozen')) return 'targetForbidden';
    if (statuses.includes('abnormal')) return 'targetNotUsable';
    if (id !== null && id.length !== 32) return 'invalidConfiguration';
    if (from === to && fromWallet === toWallet) return 'sameWallet';
    if (asset > 1) return 'unknownAsset';
    if (asset === 1 && [fromWallet, toWallet].includes('futures')) return 'notTransferable';
    if (toWallet === 'futures' && !parties[1]!.hasFutures) return 'futuresNotEnabled';
    return amount > 0n ? null : 'wrongAmount';
  }
}

const isSame = (one: NaiveMove, other: NaiveMove): boolean =>
  (['from', 'fromWallet', 'to', 'toWallet', 'asset', 'amount'] as const).every((name) => one[name] === other[name]);
