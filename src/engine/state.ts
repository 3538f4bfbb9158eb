import type { AssetRules } from '#domain/asset.ts';
import type { BanView } from '#domain/ban.ts';
import { oldestRules } from '#domain/rules.ts';
import type { AssetId, Digest, Epoch, Seq, SymbolId, TimestampMs } from '#domain/units.ts';
import { as } from '#domain/units.ts';
import { AccountTable } from '#engine/accounts/account-table.ts';
import { ApiKeys } from '#engine/accounts/api-keys.ts';
import { ListenKeys } from '#engine/accounts/listen-keys.ts';
import { QuarantinedTails } from '#engine/accounts/quarantined-tails.ts';
import { StpGroups } from '#engine/accounts/stp-groups.ts';
import { BookTables, type Book } from '#engine/book/book.ts';
import type { OrderCursor } from '#engine/book/order-cursor.ts';
import { Emitter } from '#engine/emitter.ts';
import { HoldTable } from '#engine/ledger/hold-table.ts';
import { Ledger } from '#engine/ledger/ledger.ts';

/** The asset that pays discounted commission, and how it is valued. */
export interface FeeToken {
  readonly token: AssetId;
  readonly valuedIn: AssetId;
  readonly discountPpm: number;
}

/**
 * All state, in one tree; whatever is not here does not survive a restart. Maps are indexes only: no order shows
 * outside.
 */
export class EngineState {
  readonly emit = new Emitter();
  readonly accounts = new AccountTable();
  readonly keys = new ApiKeys();
  readonly stpGroups = new StpGroups(this.accounts);
  readonly listenKeys = new ListenKeys();
  readonly tables = new BookTables();
  readonly holds = new HoldTable();
  readonly ledger = new Ledger(this.emit, this.holds);
  /** By `SymbolId`. */
  readonly books: Book[] = [];
  readonly symbolByName = new Map<string, SymbolId>();
  /** By `AssetId`. */
  readonly assets: AssetRules[] = [];
  readonly assetByCode = new Map<string, AssetId>();
  /** Books by pair of assets, to value one asset in another. */
  readonly bookByAssets = new Map<string, Book>();
  feeToken: FeeToken | null = null;
  /** By address, in the order of the bans. */
  readonly bans = new Map<string, BanView>();
  readonly tails = new QuarantinedTails();
  /** The version of the rules that the journal has activated. */
  rules = oldestRules;
  /** That of the last applied entry: it rises whenever the tail of a journal was put aside. */
  epoch = as<Epoch>(0);
  seq = as<Seq>(0);
  at = as<TimestampMs>(0);
  /** Event digest as it was after the last entry whose position is a multiple of the interval. */
  checkpoint: { readonly at: Seq; readonly digest: Digest } = { at: as<Seq>(0), digest: as<Digest>('') };
  /** Views lent to sinks. */
  readonly takerView: OrderCursor = this.tables.newCursor();
  readonly makerView: OrderCursor = this.tables.newCursor();
}
