import { postingKinds } from '#model/account.ts';
import { type AccountId, as, type AssetId, type OrderNumber, type Seq, type TimestampMs } from '#model/units.ts';
import { bigInteger, declareTable, integer, nullable, type RowOf, time, word } from '#history/tables/history-table.ts';

/** What a ledger line may refer to besides orders, each by its running number. */
export const ledgerReferences = [
  'deposit',
  'withdrawal',
  'transfer',
  'send',
  'conversion',
  'universalTransfer',
  'adjustment',
] as const;
export type LedgerReference = (typeof ledgerReferences)[number];

/** Owner of the lines of the spot wallets of all simulated accounts, which are kept as one. */
export const simulatedSpot = as<AccountId>(-1);
/** Owner of the lines of their futures wallets. */
export const simulatedFutures = as<AccountId>(-2);

/**
 * Changes of what a ledger account owns, each with what it owns afterwards: for every asset the balances of all
 * accounts sum to zero after each entry. The lines of an entry count from 0, over all accounts. DEC-WAL-68.
 */
export const ledgerLines = declareTable('ledgerLines', {
  since: 1,
  columns: {
    account: integer<AccountId>(),
    at: time(),
    seq: integer<Seq>(),
    line: integer<number>(),
    asset: integer<AssetId>(),
    /** What both parts of the balance changed by together. */
    change: bigInteger<bigint>(),
    free: bigInteger<bigint>(),
    held: bigInteger<bigint>(),
    /** Both parts of the balance afterwards. */
    balance: bigInteger<bigint>(),
    why: word(postingKinds),
    /** The order that moved it; `null`: none, or several. */
    order: nullable(integer<OrderNumber>('order_number')),
    referenceKind: nullable(word(ledgerReferences)),
    reference: nullable(integer<number>()),
  },
  key: ['account', 'at', 'seq', 'line'],
  // Leads to the last line of an asset and account by a moment.
  indexes: [{ name: 'ledger_lines_by_asset', columns: ['asset', 'account', 'at', 'seq', 'line'], isUnique: false }],
  retention: null,
  isFinal: true,
  position: 'seq',
});

/** A change of what a ledger account owns. */
export type LedgerLineRow = RowOf<typeof ledgerLines>;

/** After every entry up to a time that stands at most at a position. */
export interface LedgerMoment {
  readonly at: TimestampMs;
  readonly seq: Seq;
}
/** After every entry there is. */
export const lastMoment: LedgerMoment = { at: as(Number.MAX_SAFE_INTEGER), seq: as(Number.MAX_SAFE_INTEGER) };

/** What a ledger account owned of an asset. */
export interface LedgerBalance {
  readonly asset: AssetId;
  readonly account: AccountId;
  readonly balance: bigint;
}
