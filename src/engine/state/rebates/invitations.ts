import type { ByteReader, ByteWriter } from '#base/bytes.ts';
import { type Invitation, invitation as invitationCodec } from '#model/rebate.ts';
import { list } from '#model/codec/field-codec.ts';
import type { AccountId, TimestampMs } from '#model/units.ts';
import type { AccountTable } from '#engine/state/accounts/account-table.ts';
import type { StateTable } from '#engine/state/state-table.ts';

type Kept = { -readonly [Name in keyof Invitation]: Invitation[Name] };

/** Which invitations of an inviter; both ends of the time are inclusive. */
export interface InvitationPage {
  readonly code?: string | undefined;
  readonly from: TimestampMs;
  readonly to: TimestampMs;
  readonly offset: number;
  readonly limit: number;
}

/** Those who invited others, each with how it was invited and when it first invited somebody. */
interface SubAffiliates {
  readonly items: readonly { readonly invitation: Invitation; readonly activatedAt: TimestampMs }[];
  readonly total: number;
}

const invitations = list(invitationCodec);

/** Who was invited by whom, and the running number of what the invited deposit and withdraw. DEC-SUB-23. */
export class Invitations implements StateTable {
  readonly name = 'invitations';
  readonly version = 1;
  readonly isInDigest = true;
  /** The last number that a deposit or withdrawal of an invited account was given. */
  lastMove = 0;
  private readonly accounts: AccountTable;
  private readonly byAccount = new Map<AccountId, Kept>();
  /** In the order of invitation, which is that of the accounts. */
  private readonly byInviter = new Map<AccountId, Kept[]>();
  private readonly byCode = new Map<string, Kept[]>();
  /** Those whom an inviter invited and who invited others, in the order in which they did so first. */
  private readonly inviting = new Map<AccountId, Kept[]>();

  constructor(accounts: AccountTable) {
    this.accounts = accounts;
  }

  get count(): number {
    return this.byAccount.size;
  }

  /** How an account came here; `null`: nobody invited it. The engine changes it: copy what you keep. */
  of(account: AccountId): Invitation | null {
    return this.byAccount.get(account) ?? null;
  }

  /** Copies of a page, the newest first, and the total that it is of. Costs its rows, however many there are. */
  page(inviter: AccountId, asked: InvitationPage): { readonly items: readonly Invitation[]; readonly total: number } {
    const { code, from, to, offset, limit } = asked;
    const all = (code === undefined ? this.byInviter.get(inviter) : this.byCode.get(code)) ?? [];
    // All invitations by one code are of one inviter.
    if (all[0]?.inviter !== inviter) return { items: [], total: 0 };
    const first = countBefore(all, from);
    const end = Math.max(first, countBefore(all, to + 1));
    const last = end - offset;
    const items = all.slice(Math.max(first, last - limit), Math.max(first, last)).reverse();
    return { items: items.map((each) => ({ ...each })), total: end - first };
  }

  /**
   * A page of those whom an account invited and who invited others themselves, up to a time; who began last comes
   * first. Costs its rows, with a code all of them.
   */
  subAffiliates(inviter: AccountId, asked: Omit<InvitationPage, 'from'>): SubAffiliates {
    const { code, to, offset, limit } = asked;
    const everybody = this.inviting.get(inviter) ?? [];
    const all = code === undefined ? everybody : everybody.filter((each) => each.code === code);
    const total = countBefore(all, to + 1, ({ account }) => this.firstInvited(account));
    const items = all.slice(Math.max(0, total - offset - limit), Math.max(0, total - offset)).reverse();
    return {
      items: items.map((each) => ({ invitation: { ...each }, activatedAt: this.firstInvited(each.account) })),
      total,
    };
  }

  /** When an account that invited somebody did so first. */
  private firstInvited(inviter: AccountId): TimestampMs {
    return this.byInviter.get(inviter)![0]!.invitedAt;
  }

  put(invitation: Invitation): void {
    const kept = { ...invitation };
    this.byAccount.set(kept.account, kept);
    if (append(this.byInviter, kept.inviter, kept) === 1) {
      const above = this.byAccount.get(kept.inviter);
      if (above !== undefined) append(this.inviting, above.inviter, above);
    }
    append(this.byCode, kept.code, kept);
    this.accounts.setInviter(kept.account, kept.inviter);
  }

  /** Notes a trade of an account; returns the code under which it came, empty if it has no invitation. */
  noteTrade(account: AccountId, at: TimestampMs): string {
    const kept = this.byAccount.get(account);
    if (kept === undefined) return '';
    if (kept.firstTradeAt === 0) kept.firstTradeAt = at;
    kept.lastTradeAt = at;
    return kept.code;
  }

  /** Notes a deposit of an account; nothing if it was not invited. */
  noteDeposit(account: AccountId, at: TimestampMs): void {
    const kept = this.byAccount.get(account);
    if (kept === undefined) return;
    if (kept.firstDepositAt === 0) kept.firstDepositAt = at;
    kept.lastDepositAt = at;
  }

  write(writer: ByteWriter): void {
    writer.varint(this.lastMove);
    // stored order: of invitation
    invitations.write(writer, [...this.byAccount.values()]);
  }

  read(reader: ByteReader): void {
    this.lastMove = reader.varint();
    for (const each of invitations.read(reader)) this.put(each);
    this.accounts.inheritInviters();
  }

  /** Inviters are their own masters and were there before whom they invited, so nobody is above himself. */
  audit(faults: string[]): void {
    // any order: faults are the same in each
    for (const { account, inviter } of this.byAccount.values()) {
      const areFit = this.accounts.isMaster(account) && this.accounts.isMaster(inviter) && inviter < account;
      if (!areFit) faults.push(`account ${account} cannot be invited by account ${inviter}`);
      if (this.accounts.inviter(account) !== inviter)
        faults.push(`account ${account} has another inviter in its words`);
    }
  }
}

/** How many invitations are before a time, in whose order they stand. */
function countBefore(
  all: readonly Invitation[],
  time: number,
  timeOf = ({ invitedAt }: Invitation): TimestampMs => invitedAt,
): number {
  let low = 0;
  let high = all.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (timeOf(all[middle]!) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns how many there are then. */
function append<Key>(index: Map<Key, Kept[]>, key: Key, kept: Kept): number {
  const known = index.get(key);
  if (known !== undefined) return known.push(kept);
  index.set(key, [kept]);
  return 1;
}
