import { type FieldCodec, omit, record } from '#model/codec/field-codec.ts';
import { type MarginMode, position as positionCodec } from '#model/contract.ts';
import type { AccountId, SymbolId, TimestampMs } from '#model/units.ts';
import { as } from '#model/units.ts';
import { noHold } from '#engine/ledger/hold-table.ts';
import { RecordTable } from '#engine/state/state-table.ts';

/** What an account has of a contract: its settings, and its position while `lots` is not 0. */
export interface Position {
  readonly account: AccountId;
  readonly contract: SymbolId;
  /** Above zero long, below zero short. Changed by `Positions.changeLots` only. */
  lots: number;
  /** What the open lots cost, with the sign of the lots. */
  cost: bigint;
  mode: MarginMode;
  leverage: number;
  /** Realised profit since the position was opened. */
  realised: bigint;
  openedAt: TimestampMs;
  updatedAt: TimestampMs;
  /** The hold with its margin; `noHold` without a position. */
  hold: number;
}

/** Greatest number of contracts and pairs together; see `engineLimits.symbols`. */
const symbolsMost = 65_536;
/** Id of a position as the owner of a hold: a safe integer. */
export const positionId = (account: AccountId, contract: SymbolId): number => account * symbolsMost + contract;

const stored = record(omit(positionCodec, 'margin'));
/** A position in images; its hold comes with the holds. */
const positionRow: FieldCodec<Position> = {
  content: stored.content,
  write: (writer, { cost, realised, ...rest }) =>
    stored.write(writer, { ...rest, cost: as(cost), realised: as(realised) }),
  read: (reader) => ({ ...stored.read(reader), hold: noHold }),
};

/**
 * Positions and their settings. Lists of a contract are in the order in which positions were opened, lists of an
 * account in the order of contracts.
 */
export class Positions extends RecordTable<Position> {
  readonly name = 'positions';
  private readonly byId = new Map<number, Position>();
  private readonly ofAccount = new Map<AccountId, Position[]>();
  private readonly openOf = new Map<SymbolId, Map<AccountId, Position>>();
  private readonly longLotsOf = new Map<SymbolId, number>();

  constructor() {
    super(positionRow);
  }

  /** Records, of which some only have settings. */
  get count(): number {
    return this.byId.size;
  }

  find(account: AccountId, contract: SymbolId): Position | null {
    return this.byId.get(positionId(account, contract)) ?? null;
  }

  byHoldOwner(id: number): Position | null {
    return this.byId.get(id) ?? null;
  }

  /** Open positions of an account, in the order of contracts. */
  of(account: AccountId): readonly Position[] {
    return this.recordsOf(account).filter(({ lots }) => lots !== 0);
  }

  /** Every record of an account, settings too, in the order of contracts. Read it at once: it is not a copy. */
  recordsOf(account: AccountId): readonly Position[] {
    return this.ofAccount.get(account) ?? [];
  }

  /** Open positions of a contract, the one opened first comes first. They may change while they are read. */
  in(contract: SymbolId): Iterable<Position> {
    // stored order: of opening, and images keep it
    return this.openOf.get(contract)?.values() ?? [];
  }

  /** Open positions of a contract. */
  openCount(contract: SymbolId): number {
    return this.openOf.get(contract)?.size ?? 0;
  }

  /** Lots of all long positions of a contract: its open interest. */
  longLots(contract: SymbolId): number {
    return this.longLotsOf.get(contract) ?? 0;
  }

  /** Adds lots to a position; below zero it takes them. */
  changeLots(position: Position, by: number): void {
    const before = Math.max(0, position.lots);
    position.lots += by;
    this.addLong(position.contract, Math.max(0, position.lots) - before);
  }

  private addLong(contract: SymbolId, lots: number): void {
    if (lots !== 0) this.longLotsOf.set(contract, this.longLots(contract) + lots);
  }

  /** Every record: open positions by contract in the order of opening, then mere settings by owner. */
  all(): readonly Position[] {
    // any order: sorted below, but for the order of opening
    const contracts = [...this.openOf.keys()].sort((first, second) => first - second);
    // any order: sorted at once
    const settings = [...this.byId].filter(([, { lots }]) => lots === 0).sort(([first], [second]) => first - second);
    return [...contracts.flatMap((contract) => [...this.in(contract)]), ...settings.map(([, position]) => position)];
  }

  /** Adds a record. */
  put(position: Position): void {
    this.byId.set(positionId(position.account, position.contract), position);
    const own = this.ofAccount.get(position.account);
    if (own === undefined) this.ofAccount.set(position.account, [position]);
    else {
      own.push(position);
      own.sort((first, second) => first.contract - second.contract);
    }
    if (position.lots !== 0) this.noteOpen(position);
    this.addLong(position.contract, Math.max(0, position.lots));
  }

  /** Call it when a record gets lots. */
  noteOpen(position: Position): void {
    const open = this.openOf.get(position.contract);
    if (open === undefined) this.openOf.set(position.contract, new Map([[position.account, position]]));
    else open.set(position.account, position);
  }

  /** Call it when a record has no lots any more. */
  noteClosed(position: Position): void {
    this.openOf.get(position.contract)!.delete(position.account);
  }
}
