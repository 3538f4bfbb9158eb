import fs from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { ClockStep } from '#sequencer/clock-guard.ts';

// Two small files of the data directory. `clock-confirmed` says that an operator looked at the machine's clock, and is
// used up by the running exchange or by the next start. `clock-step.json` outlives a process whose clock nobody had
// confirmed: starting again is no confirmation.

const confirmationPath = (root: string): string => join(root, 'clock-confirmed');
const stepPath = (root: string): string => join(root, 'clock-step.json');

/** Which confirmation was found: one of now, one of another time, none. */
export type FoundConfirmation = 'fresh' | 'stale' | null;
const freshMs = 600_000;

/** Says that the machine's clock is right as it is now. Durable; only the owner of the data directory can. */
export function leaveClockConfirmation(root: string): void {
  writeDurably(confirmationPath(root), '');
}

/** Whether a confirmation waits to be taken. */
export const hasClockConfirmation = (root: string): boolean => fs.existsSync(confirmationPath(root));

/**
 * Takes a confirmation away. It counts for ten minutes by the very clock that it is about, so that one that was not
 * needed cannot confirm a step of later. Its time is that of the file: the exchange may not be allowed to read it.
 */
export function takeClockConfirmation(root: string, now: number): FoundConfirmation {
  const found = fs.statSync(confirmationPath(root), { throwIfNoEntry: false });
  if (found === undefined) return null;
  fs.unlinkSync(confirmationPath(root));
  return Math.abs(now - found.mtimeMs) <= freshMs ? 'fresh' : 'stale';
}

const stepSchema = z.object({ kind: z.enum(['step', 'start']), byMs: z.int().positive(), shown: z.int() });

/** Keeps a step that waits for its confirmation; `null`: there is none any more. */
export function keepClockStep(root: string, step: ClockStep | null): void {
  if (step === null) fs.rmSync(stepPath(root), { force: true });
  else writeDurably(stepPath(root), `${JSON.stringify(step)}\n`);
}

/** The step that was kept. One that cannot be read counts as the smallest that needs a confirmation. */
export function keptClockStep(root: string, leastMs: number): ClockStep | null {
  if (!fs.existsSync(stepPath(root))) return null;
  const unreadable: ClockStep = { kind: 'step', byMs: leastMs, shown: 0 };
  try {
    const found = stepSchema.safeParse(JSON.parse(fs.readFileSync(stepPath(root), 'utf8')));
    return found.success ? found.data : unreadable;
  } catch {
    return unreadable;
  }
}

function writeDurably(path: string, text: string): void {
  const aside = `${path}.new`;
  const descriptor = fs.openSync(aside, 'w', 0o600);
  try {
    fs.writeSync(descriptor, text);
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
  fs.renameSync(aside, path);
  const folder = fs.openSync(join(path, '..'), fs.constants.O_RDONLY);
  try {
    fs.fsyncSync(folder);
  } finally {
    fs.closeSync(folder);
  }
}
