import { assert } from '#base/assert.ts';
import type { PostingKind } from '#model/account.ts';
import { house, mayOwe } from '#model/account.ts';
import { engineLimits } from '#model/limits.ts';
import { sumOf, toAmount, type AccountId, type Amount, type AssetId, type OrderNumber } from '#model/units.ts';
import type { Emitter } from '#engine/events/emitter.ts';
import { BalanceTable } from '#engine/ledger/balance-table.ts';
import type { HoldOwner, HoldTable } from '#engine/ledger/hold-table.ts';

/**
 * Double-entry ledger of users, house accounts and the outside. Matching uses holds, fills and releases only, and names
 * holds by id. Amounts are exact up to 64 bits: numbers while they are safe integers, else bigints. After every command
 * the postings of each asset sum to zero, and only accounts of `mayOwe` may be below zero.
 */
export class Ledger {
  readonly balances = new BalanceTable();
  private readonly holds: HoldTable;
  private readonly emit: Emitter;
  /**
   * Sum of the postings of this command, per asset; zero between commands. The sum is `net` plus `netLarge`: `net`
   * stays a safe integer, and postings that would exceed that are added to `netLarge`.
   */
  private readonly net = new Float64Array(engineLimits.assets);
  private readonly netLarge = new Array<bigint>(engineLimits.assets).fill(0n);
  private readonly isTouched = new Uint8Array(engineLimits.assets);
  private readonly touched = new Int32Array(engineLimits.assets);
  private touchedCount = 0;
  /** Row + 1 of the house's fees, by asset; 0 if not found yet. */
  private readonly feeRows = new Int32Array(engineLimits.assets);

  constructor(emit: Emitter, holds: HoldTable) {
    this.emit = emit;
    this.holds = holds;
  }

  /** Whether `amount` units are free besides `needed` ones; false if `needed` is not a safe integer. */
  canPay(row: number, amount: Amount, needed = 0): boolean {
    if (!Number.isSafeInteger(needed)) return false;
    const near = this.balances.free.near(row);
    if (near <= Number.MAX_SAFE_INTEGER) return near - needed >= amount;
    return this.balances.free.get(row) - BigInt(needed) >= BigInt(amount);
  }

  /**
   * Opens a hold: moves money of a row from free to held. Returns the id, which the owner stores. The caller has
   * checked `canPay`.
   */
  openHold(row: number, amount: Amount, owner: HoldOwner, why: PostingKind): number {
    const hold = this.holds.open(row, amount, owner);
    this.enter(row, -amount, amount, why, this.holds.order(hold));
    return hold;
  }

  /** Pays from a hold: one leg of a movement, whose other leg the receiver gets. */
  payFromHold(hold: number, amount: Amount, why: PostingKind): void {
    assert(this.holds.covers(hold, amount), 'a hold covers what is paid from it');
    this.holds.reduce(hold, amount);
    this.enter(this.holds.row(hold), 0, -amount, why, this.holds.order(hold));
  }

  /** Hold release: part of a hold becomes free balance again. */
  release(hold: number, amount: Amount, why: PostingKind): void {
    assert(this.holds.covers(hold, amount), 'a hold covers its release');
    this.holds.reduce(hold, amount);
    this.enter(this.holds.row(hold), amount, -amount, why, this.holds.order(hold));
  }

  /**
   * Adds to a hold from free balance, or gives back so much of it if `change` is below zero. For holds whose owner is
   * no order; `order`: the one that this happens for. The caller has checked `canPay`.
   */
  resizeHold(hold: number, change: Amount, why: PostingKind, order: OrderNumber | null): void {
    const less = toAmount(-change);
    assert(less <= 0 || this.holds.covers(hold, less), 'a hold covers its release');
    this.holds.reduce(hold, less);
    this.enter(this.holds.row(hold), less, toAmount(change), why, order);
  }

  /** Closes a hold and releases what it still covers. */
  closeHold(hold: number, why: PostingKind): void {
    const rest = this.holds.amount(hold);
    if (rest > 0) this.release(hold, rest, why);
    this.holds.close(hold);
  }

  /** Posts one leg of a movement to the free balance of a row. */
  post(row: number, amount: Amount, why: PostingKind, order: OrderNumber | null): void {
    this.enter(row, amount, 0, why, order);
  }

  /** Posts both legs of a movement that belongs to no order. The caller has checked funds and cap. */
  move(from: AccountId, to: AccountId, asset: AssetId, amount: Amount, why: PostingKind): void {
    this.post(this.balances.row(from, asset), -amount, why, null);
    this.post(this.balances.row(to, asset), amount, why, null);
  }

  /**
   * Asserts that the postings of the command sum to zero per asset; call it after each command. @throws InvariantBroken
   */
  assertBalanced(): void {
    for (let index = 0; index < this.touchedCount; index += 1) {
      const asset = this.touched[index]!;
      const large = this.netLarge[asset]!;
      const isZero = large === 0n ? this.net[asset] === 0 : large + BigInt(this.net[asset]!) === 0n;
      assert(isZero, 'postings of a command sum to zero per asset');
      this.isTouched[asset] = 0;
      if (large !== 0n) {
        this.net[asset] = 0;
        this.netLarge[asset] = 0n;
      }
    }
    this.touchedCount = 0;
  }

  /** Balance row of the house's fees in an asset. */
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

  /** The only place that changes a balance: applies one leg, adds it to the sum of the command and emits it. */
  private enter(row: number, toFree: Amount, toHeld: Amount, why: PostingKind, order: OrderNumber | null): void {
    const { balances } = this;
    const free = toAmount(toFree);
    const held = toAmount(toHeld);
    const account = this.accountOf(row);
    const asset = this.assetOf(row);
    if (free !== 0) balances.free.add(row, free);
    if (held !== 0) balances.held.add(row, held);
    assert(free >= 0 || !balances.free.isNegative(row) || mayOwe(account), 'free balance stays above zero');
    assert(held >= 0 || !balances.held.isNegative(row), 'held balance stays above zero');
    this.count(asset, free, held);
    const balance = sumOf(balances.free.amount(row), balances.held.amount(row));
    this.emit.posted(account, asset, free, held, why, order, balance);
  }

  /** Adds a leg to the sum that must be zero after the command. */
  private count(asset: AssetId, free: Amount, held: Amount): void {
    if (this.isTouched[asset] === 0) {
      this.isTouched[asset] = 1;
      this.touched[this.touchedCount++] = asset;
    }
    if (typeof free === 'number' && typeof held === 'number') {
      const leg = free + held;
      const net = this.net[asset]! + leg;
      if (Number.isSafeInteger(leg) && Number.isSafeInteger(net)) {
        this.net[asset] = net;
        return;
      }
    }
    this.netLarge[asset] = this.netLarge[asset]! + BigInt(free) + BigInt(held);
  }
}
