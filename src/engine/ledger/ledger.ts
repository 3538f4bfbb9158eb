import { assert } from '#base/assert.ts';
import type { PostingKind } from '#domain/account.ts';
import { house } from '#domain/account.ts';
import { engineLimits } from '#domain/limits.ts';
import type { AccountId, AssetId, OrderNumber } from '#domain/units.ts';
import type { Emitter } from '#engine/emitter.ts';
import { BalanceTable } from '#engine/ledger/balance-table.ts';
import type { HoldTable } from '#engine/ledger/hold-table.ts';

/**
 * Double entry over users, house and the outside world. The book speaks to it in holds, fills and releases only.
 * After every command the postings of each asset sum to zero and nobody but the outside is below zero.
 */
export class Ledger {
  readonly balances = new BalanceTable();
  readonly holds: HoldTable;
  private readonly emit: Emitter;
  /**
   * What this command's postings add up to, per asset; all zero between commands. The sum is that of both parts: `net`
   * holds safe integers, and what would leave them moves to `netBeyond`.
   */
  private readonly net = new Float64Array(engineLimits.assets);
  private readonly netBeyond = new BigInt64Array(engineLimits.assets);
  private readonly isTouched = new Uint8Array(engineLimits.assets);
  private readonly touched = new Int32Array(engineLimits.assets);
  private touchedCount = 0;
  /** By asset, the row of the house's fees + 1; 0 where it was not asked for yet. */
  private readonly feeRows = new Int32Array(engineLimits.assets);

  constructor(emit: Emitter, holds: HoldTable) {
    this.emit = emit;
    this.holds = holds;
  }

  /** Whether `amount` units are free besides `promised` ones; no when those are beyond what a double holds. */
  canGive(row: number, amount: number, promised = 0): boolean {
    if (!Number.isSafeInteger(promised)) return false;
    const near = this.balances.free.near(row);
    if (near <= Number.MAX_SAFE_INTEGER) return near - promised >= amount;
    return this.balances.free.get(row) - BigInt(promised) >= BigInt(amount);
  }

  /** Sets money aside: free becomes held. The record of the hold has its row; the caller has checked `canGive`. */
  openHold(hold: number, amount: number, order: OrderNumber): void {
    const row = this.holds.row(hold);
    this.balances.free.add(row, -amount);
    this.balances.held.add(row, amount);
    assert(!this.balances.free.isNegative(row), 'free balance stays above zero');
    this.emit.posted(this.accountOf(row), this.assetOf(row), -amount, amount, 'orderHold', order);
    this.holds.open(hold, amount);
  }

  /** Pays a fill out of a hold. */
  payFromHold(hold: number, amount: number, order: OrderNumber): void {
    const row = this.holds.row(hold);
    assert(this.holds.amount(hold) >= amount, 'a hold covers its fill');
    this.holds.reduce(hold, amount);
    this.balances.held.add(row, -amount);
    this.enter(row, 0, -amount, 'fill', order);
  }

  /** Gives part of a hold back to its owner. */
  release(hold: number, amount: number, why: PostingKind, order: OrderNumber): void {
    const row = this.holds.row(hold);
    assert(this.holds.amount(hold) >= amount, 'a hold covers its release');
    this.holds.reduce(hold, amount);
    this.balances.held.add(row, -amount);
    this.balances.free.add(row, amount);
    this.emit.posted(this.accountOf(row), this.assetOf(row), amount, -amount, why, order);
  }

  /** Ends a hold; what it still covers goes back to its owner. */
  closeHold(hold: number, why: PostingKind, order: OrderNumber): void {
    const rest = this.holds.amount(hold);
    if (rest > 0) this.release(hold, rest, why, order);
    this.holds.close(hold);
  }

  /** Moves free money of one row: one leg of double entry. */
  post(row: number, amount: number, why: PostingKind, order: OrderNumber): void {
    this.balances.free.add(row, amount);
    if (amount < 0) {
      assert(
        !this.balances.free.isNegative(row) || this.accountOf(row) === house.outside,
        'free balance stays above zero',
      );
    }
    this.enter(row, amount, 0, why, order);
  }

  /** Both legs of a movement that may exceed a safe integer. Answers nothing; the caller has checked funds and cap. */
  move(from: AccountId, to: AccountId, asset: AssetId, amount: bigint, why: PostingKind): void {
    this.moveLeg(from, asset, -amount, why);
    this.moveLeg(to, asset, amount, why);
  }

  /** Ends a command: stops the role if money was made or lost. */
  assertBalanced(): void {
    for (let index = 0; index < this.touchedCount; index += 1) {
      const asset = this.touched[index]!;
      const beyond = this.netBeyond[asset]!;
      const isZero = beyond === 0n ? this.net[asset] === 0 : beyond + BigInt(this.net[asset]!) === 0n;
      assert(isZero, 'postings of a command sum to zero per asset');
      this.isTouched[asset] = 0;
      if (beyond !== 0n) {
        this.net[asset] = 0;
        this.netBeyond[asset] = 0n;
      }
    }
    this.touchedCount = 0;
  }

  /** Row of the house's fees in an asset. */
  feeRow(asset: AssetId): number {
    const known = this.feeRows[asset]!;
    if (known > 0) return known - 1;
    const row = this.balances.row(house.fees, asset);
    this.feeRows[asset] = row + 1;
    return row;
  }

  accountOf(row: number): AccountId {
    return this.balances.accountOf(row) as AccountId;
  }

  assetOf(row: number): AssetId {
    return this.balances.assetOf(row) as AssetId;
  }

  private moveLeg(account: AccountId, asset: AssetId, amount: bigint, why: PostingKind): void {
    const row = this.balances.row(account, asset);
    const after = this.balances.free.get(row) + amount;
    assert(after >= 0n || account === house.outside, 'free balance stays above zero');
    this.balances.free.set(row, after);
    this.touch(asset);
    this.netBeyond[asset] = this.netBeyond[asset]! + amount;
    this.emit.fact({ kind: 'fundsMoved', account, asset, free: amount as never, held: 0n as never, why });
  }

  private enter(row: number, free: number, held: number, why: PostingKind, order: OrderNumber): void {
    const asset = this.balances.assetOf(row);
    this.touch(asset);
    const net = this.net[asset]! + free + held;
    if (Number.isSafeInteger(net)) {
      this.net[asset] = net;
    } else {
      this.netBeyond[asset] = this.netBeyond[asset]! + BigInt(this.net[asset]!) + BigInt(free) + BigInt(held);
      this.net[asset] = 0;
    }
    this.emit.posted(this.balances.accountOf(row) as AccountId, asset as AssetId, free, held, why, order);
  }

  /** Notes an asset whose postings have to sum to zero when the command ends. */
  private touch(asset: number): void {
    if (this.isTouched[asset] !== 0) return;
    this.isTouched[asset] = 1;
    this.touched[this.touchedCount++] = asset;
  }
}
