import { stateTablesOf } from '#engine/image/state-tables.ts';
import type { EngineState } from '#engine/state.ts';

/** What is wrong with a state, by every invariant of every table; nothing when all is well. */
export function audit(state: EngineState): string[] {
  const faults: string[] = [];
  for (const table of stateTablesOf(state)) table.audit(faults);
  return faults;
}
