import { assert } from '#base/assert.ts';
import type { PostingKind } from '#domain/account.ts';
import { house } from '#domain/account.ts';
import { engineLimits } from '#domain/limits.ts';
import { toAmount, type AccountId, type Amount, type AssetId, type OrderNumber } from '#domain/units.ts';
import type { Emitter } from '#engine/emitter.ts';
import { BalanceTable } from '#engine/ledger/balance-table.ts';
import type { HoldOwner, HoldTable } from '#engine/ledger/hold-table.ts';

/**
 * Double entry over users, house and the outside world. The book speaks to it in holds, fills and releases only, and
 * names holds by their ids. Amounts are exact, of up to 64 bits: numbers where they are safe integers, else bigints.
 * After every command the postings of each asset sum to zero and nobody but the outside is below zero.
 */
export class Ledger {
  readonly balances = new BalanceTable();
  private readonly holds: HoldTable;
  private readonly emit: Emitter;
  /**
   * What this command's postings add up to, per asset; all zero between commands. The sum is that of both parts: `net`
   * stays a safe integer, and legs that would make it exceed one count in `netLarge`.
   */
  private readonly net = new Float64Array(engineLimits.assets);
  private readonly netLarge = new Array<bigint>(engineLimits.assets).fill(0n);
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
  canGive(row: number, amount: Amount, promised = 0): boolean {
    if (!Number.isSafeInteger(promised)) return false;
    const near = this.balances.free.near(row);
    if (near <= Number.MAX_SAFE_INTEGER) return near - promised >= amount;
    return this.balances.free.get(row) - BigInt(promised) >= BigInt(amount);
  }

  /** Sets money of a row aside for an owner, who keeps the id answered. The caller has checked `canGive`. */
  openHold(row: number, amount: Amount, owner: HoldOwner, why: PostingKind): number {
    const hold = this.holds.open(row, amount, owner);
    this.enter(row, -amount, amount, why, this.holds.order(hold));
    return hold;
  }

  /** Pays out of a hold: the leg of a movement that somebody else receives. */
  payFromHold(hold: number, amount: Amount, why: PostingKind): void {
    assert(this.holds.covers(hold, amount), 'a hold covers what is paid from it');
    this.holds.reduce(hold, amount);
    this.enter(this.holds.row(hold), 0, -amount, why, this.holds.order(hold));
  }

  /** Gives part of a hold back to its owner. */
  release(hold: number, amount: Amount, why: PostingKind): void {
    assert(this.holds.covers(hold, amount), 'a hold covers its release');
    this.holds.reduce(hold, amount);
    this.enter(this.holds.row(hold), amount, -amount, why, this.holds.order(hold));
  }

  /** Ends a hold; what it still covers goes back to its owner. */
  closeHold(hold: number, why: PostingKind): void {
    const rest = this.holds.amount(hold);
    if (rest > 0) this.release(hold, rest, why);
    this.holds.close(hold);
  }

  /** Moves free money of one row: one leg of double entry. */
  post(row: number, amount: Amount, why: PostingKind, order: OrderNumber | null): void {
    this.enter(row, amount, 0, why, order);
  }

  /** Both legs of a movement that no order is behind. The caller has checked funds and cap. */
  move(from: AccountId, to: AccountId, asset: AssetId, amount: Amount, why: PostingKind): void {
    this.post(this.balances.row(from, asset), -amount, why, null);
    this.post(this.balances.row(to, asset), amount, why, null);
  }

  /** Ends a command: stops the role if money was made or lost. */
  settle(): void {
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

  /** The one place where a balance changes: every leg of every movement comes by here, and counts in its sum. */
  private enter(row: number, toFree: Amount, toHeld: Amount, why: PostingKind, order: OrderNumber | null): void {
    const { balances } = this;
    const free = toAmount(toFree);
    const held = toAmount(toHeld);
    const account = this.accountOf(row);
    const asset = this.assetOf(row);
    if (free !== 0) balances.free.add(row, free);
    if (held !== 0) balances.held.add(row, held);
    assert(free >= 0 || !balances.free.isNegative(row) || account === house.outside, 'free balance stays above zero');
    assert(held >= 0 || !balances.held.isNegative(row), 'held balance stays above zero');
    this.count(asset, free, held);
    this.emit.posted(account, asset, free, held, why, order);
  }

  /** Adds both parts of a leg to what has to be zero when the command ends. */
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
