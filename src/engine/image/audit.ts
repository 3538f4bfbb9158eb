import { auditBooks } from '#engine/image/books-audit.ts';
import { auditPositions } from '#engine/image/positions-audit.ts';
import { stateTablesOf } from '#engine/image/state-tables.ts';
import { auditWithdrawals } from '#engine/image/withdrawals-audit.ts';
import type { EngineState } from '#engine/state/state.ts';

/** Checks every invariant of and between tables; returns the violations, none if the state is sound. */
export function audit(state: EngineState): string[] {
  const faults: string[] = [];
  for (const table of stateTablesOf(state)) table.audit(faults);
  auditBooks(state, faults);
  auditPositions(state, faults);
  auditWithdrawals(state, faults);
  return faults;
}
