import { houseNames, ledgerSections, type PostingKind } from '#model/account.ts';
import type { Fact } from '#model/events.ts';
import type { AccountId, Amount, AssetId, OrderNumber, Seq, TimestampMs } from '#model/units.ts';
import type { HistoryStore } from '#history/history-store.ts';
import {
  type LedgerLineRow,
  type LedgerReference,
  lastMoment,
  simulatedFutures,
  simulatedSpot,
} from '#history/tables/ledger-tables.ts';
import type { AddRow } from '#history/collectors/wallet-collector.ts';

/** Sums over the wallets of simulated accounts, by asset. */
export type SimulatedSums = ReadonlyMap<AccountId, Map<AssetId, bigint>>;

/** No sums yet. */
export const noSums = (): SimulatedSums =>
  new Map([
    [simulatedSpot, new Map()],
    [simulatedFutures, new Map()],
  ]);

/** Balances read at a time. */
const balancesPerPage = 1000;

/** The sums that history ends with. */
export async function storedSums(store: HistoryStore): Promise<SimulatedSums> {
  const sums = noSums();
  const range = { from: simulatedFutures, to: simulatedSpot };
  let after: { readonly asset: AssetId; readonly account: AccountId } | null = null;
  for (;;) {
    const page: Awaited<ReturnType<HistoryStore['balances']>> = await store.balances(range, lastMoment, {
      limit: balancesPerPage,
      after,
    });
    for (const { account, asset, balance } of page) sums.get(account)!.set(asset, balance);
    if (page.length < balancesPerPage) return sums;
    after = page.at(-1)!;
  }
}

/** A line of the entry at hand, which may still grow and get its reference. */
type OpenLine = { -readonly [Field in keyof LedgerLineRow]: LedgerLineRow[Field] };

/** Which postings a fact tells the reason of. */
interface Cause {
  readonly reference: LedgerReference;
  readonly number: number;
  readonly whys: readonly PostingKind[];
}

/** What simulated accounts got of an asset in the entry at hand. */
interface SimulatedChange {
  readonly account: AccountId;
  readonly asset: AssetId;
  readonly why: PostingKind;
  free: bigint;
  held: bigint;
}

/**
 * Turns postings into ledger lines: each that changes what an account owns, by itself for accounts of users, summed up
 * by entry, asset and purpose for accounts of the house and the outside, and by entry and asset for all simulated
 * accounts together, which trade with each other mostly. The balances of every asset sum to zero after each entry.
 * DEC-WAL-68.
 */
export class LedgerCollector {
  readonly #add: AddRow;
  readonly #isKept: (account: AccountId) => boolean;
  readonly #sums: SimulatedSums;
  #seq = 0 as Seq;
  #at = 0 as TimestampMs;
  #lines: OpenLine[] = [];
  /** Lines before this one have got their reference, or get none. */
  #firstOpen = 0;
  /** Newest line of the entry of each account that is summed up, by asset and account. */
  readonly #newest = new Map<number, OpenLine>();
  readonly #simulated = new Map<number, SimulatedChange>();

  constructor(add: AddRow, sums: SimulatedSums, isKept: (account: AccountId) => boolean) {
    this.#add = add;
    this.#sums = sums;
    this.#isKept = isKept;
  }

  /** The entry at hand has no further events. */
  ended(): void {
    if (this.#simulated.size === 0) return;
    for (const { account, asset, why, free, held } of this.#simulated.values()) {
      if (free + held === 0n) continue;
      const sums = this.#sums.get(account)!;
      const balance = (sums.get(asset) ?? 0n) + free + held;
      sums.set(asset, balance);
      this.#line(account, asset, { free, held }, why, null, balance);
    }
    this.#simulated.clear();
  }

  began(seq: Seq, at: TimestampMs): void {
    this.#seq = seq;
    this.#at = at;
    if (this.#lines.length === 0) return;
    this.#lines = [];
    this.#firstOpen = 0;
    this.#newest.clear();
  }

  /** Holds and their releases are no lines: they change nothing of what an account owns. */
  posted(
    account: AccountId,
    asset: AssetId,
    free: Amount,
    held: Amount,
    why: PostingKind,
    order: OrderNumber | null,
    balance: Amount,
  ): void {
    if (free === -held) return;
    const change = { free: BigInt(free), held: BigInt(held) };
    if (!this.#isKept(account)) this.#addSimulated(account, asset, change, why);
    else if (houseNames.has(account)) this.#addUp(account, asset, change, why, order, BigInt(balance));
    else this.#line(account, asset, change, why, order, BigInt(balance));
  }

  /** A fact comes after the postings that it tells the reason of. */
  fact(fact: Fact): void {
    if (this.#firstOpen === this.#lines.length) return;
    const cause = causeOf(fact);
    if (cause === null) return;
    for (let at = this.#firstOpen; at < this.#lines.length; at += 1) {
      const line = this.#lines[at]!;
      if (line.order !== null || line.reference !== null || !cause.whys.includes(line.why)) continue;
      line.referenceKind = cause.reference;
      line.reference = cause.number;
    }
    while (this.#lines[this.#firstOpen]?.reference !== null && this.#firstOpen < this.#lines.length) {
      this.#firstOpen += 1;
    }
  }

  #addSimulated(account: AccountId, asset: AssetId, change: Change, why: PostingKind): void {
    const sum = account < ledgerSections.futuresFrom ? simulatedSpot : simulatedFutures;
    const key = asset * keyStep + sum;
    const known = this.#simulated.get(key);
    if (known === undefined) this.#simulated.set(key, { account: sum, asset, why, ...change });
    else {
      known.free += change.free;
      known.held += change.held;
    }
  }

  #addUp(
    account: AccountId,
    asset: AssetId,
    change: Change,
    why: PostingKind,
    order: OrderNumber | null,
    balance: bigint,
  ): void {
    const key = asset * keyStep + account;
    const known = this.#newest.get(key);
    if (known === undefined || known.why !== why || known.reference !== null) {
      this.#newest.set(key, this.#line(account, asset, change, why, order, balance));
      return;
    }
    known.free += change.free;
    known.held += change.held;
    known.change = known.free + known.held;
    known.balance = balance;
    if (known.order !== order) known.order = null;
  }

  #line(
    account: AccountId,
    asset: AssetId,
    { free, held }: Change,
    why: PostingKind,
    order: OrderNumber | null,
    balance: bigint,
  ): OpenLine {
    const place = { account, at: this.#at, seq: this.#seq, line: this.#lines.length };
    const line = { ...place, asset, change: free + held, free, held, balance, why, order, ...unknownReference };
    this.#lines.push(line);
    this.#add('ledgerLines', line);
    return line;
  }
}

interface Change {
  readonly free: bigint;
  readonly held: bigint;
}

const unknownReference = { referenceKind: null, reference: null } as const;

/** More than there are ledger accounts. */
const keyStep = 2 ** 28;

/** Which postings a fact tells the reason of; `null`: none. */
function causeOf(fact: Fact): Cause | null {
  switch (fact.kind) {
    case 'depositChanged':
    case 'depositLost': {
      const { deposit, status } = fact.deposit;
      const whys = ['deposit', 'chainLoss', ...(status === 'refund' ? (['withdrawal'] as const) : [])] as const;
      return { reference: 'deposit', number: deposit, whys };
    }
    case 'withdrawalChanged':
      return {
        reference: 'withdrawal',
        number: fact.withdrawal.withdrawal,
        whys: ['withdrawal', 'withdrawalFee', 'networkFee'],
      };
    case 'fundsTransferred':
      return { reference: 'transfer', number: fact.transfer.transfer, whys: ['contractTransfer'] };
    case 'universalTransferMade':
      return {
        reference: 'universalTransfer',
        number: fact.transfer.transfer,
        whys: ['transfer', 'contractTransfer'],
      };
    case 'fundsSent':
      return { reference: 'send', number: fact.send.send, whys: ['transfer'] };
    case 'dustConverted':
      return fact.conversion === null
        ? null
        : { reference: 'conversion', number: fact.conversion.conversion, whys: ['dust', 'fee'] };
    case 'balanceAdjusted':
      return {
        reference: 'adjustment',
        number: fact.adjustment.adjustment,
        whys: ['adjustment', 'capital', 'revenue'],
      };
    default:
      return null;
  }
}
