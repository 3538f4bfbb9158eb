import { stateTablesOf } from '#engine/image/state-tables.ts';
import type { EngineState } from '#engine/state/state.ts';

/** Checks every invariant of every table; returns the violations, none if the state is sound. */
export function audit(state: EngineState): string[] {
  const faults: string[] = [];
  for (const table of stateTablesOf(state)) table.audit(faults);
  return faults;
}
