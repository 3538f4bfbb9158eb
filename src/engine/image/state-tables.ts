import type { TimestampMs } from '#model/units.ts';
import type { Book, BookTables } from '#engine/book/book.ts';
import type { Emitter } from '#engine/events/emitter.ts';
import { balancesTable } from '#engine/image/balances-table.ts';
import { booksTable, closedOrdersTable } from '#engine/image/books-table.ts';
import { holdsTable } from '#engine/image/holds-table.ts';
import type { HoldTable } from '#engine/ledger/hold-table.ts';
import type { Ledger } from '#engine/ledger/ledger.ts';
import type { RunningCommand } from '#engine/state/progress.ts';
import type { StateTable } from '#engine/state/state-table.ts';
import type { EngineState } from '#engine/state/state.ts';

/** Members of the state that are in images as tables of this folder, which read several of them. */
type Packed = BookTables | HoldTable | Ledger | Emitter;
/** Members that no image has: what is of the running command, and short names of members of others. */
type Passing = RunningCommand | TimestampMs | Book[];

type Member = StateTable | Packed | Passing;

/** A state with a member of any other kind does not compile here: that member must become a table. */
const membersOf = (state: Readonly<Record<keyof EngineState, Member>>): readonly Member[] => Object.values(state);

const isTable = (member: Member): member is StateTable => typeof member === 'object' && 'isInDigest' in member;

/** Every table of a state, in the order of the image: a table may depend on those before it. */
export function stateTablesOf(state: EngineState): readonly StateTable[] {
  return [
    ...membersOf(state).filter(isTable),
    balancesTable(state),
    booksTable(state),
    holdsTable(state),
    closedOrdersTable(state),
  ];
}
