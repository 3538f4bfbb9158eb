import fs from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { ClockStep } from '#sequencer/clock-guard.ts';

// Two files of the data directory. `clock-confirmed` is an operator's confirmation of the machine's clock; the running
// exchange or the next start uses it and deletes it. `clock-step.json` keeps an unconfirmed step across a restart,
// because a restart is no confirmation.

const confirmationPath = (root: string): string => join(root, 'clock-confirmed');
const stepPath = (root: string): string => join(root, 'clock-step.json');

/** Result of looking for a confirmation: a current one, an outdated one, none. */
export type FoundConfirmation = 'fresh' | 'stale' | null;
const freshMs = 600_000;

/** Durably confirms the machine's current clock. Only the owner of the data directory can do so. */
export function leaveClockConfirmation(root: string): void {
  writeDurably(confirmationPath(root), '');
}

/** Whether there is an unused confirmation. */
export const hasClockConfirmation = (root: string): boolean => fs.existsSync(confirmationPath(root));

/**
 * Uses a confirmation and deletes it. It is valid for ten minutes by the confirmed clock, so that an unneeded one
 * cannot confirm a later step. Its time is the file's modification time, because the exchange may lack permission to
 * read it.
 */
export function takeClockConfirmation(root: string, now: number): FoundConfirmation {
  const found = fs.statSync(confirmationPath(root), { throwIfNoEntry: false });
  if (found === undefined) return null;
  fs.unlinkSync(confirmationPath(root));
  return Math.abs(now - found.mtimeMs) <= freshMs ? 'fresh' : 'stale';
}

const stepSchema = z.object({ kind: z.enum(['step', 'start']), byMs: z.int().positive(), shown: z.int() });

/** Stores an unconfirmed step; `null` removes it. */
export function keepClockStep(root: string, step: ClockStep | null): void {
  if (step === null) fs.rmSync(stepPath(root), { force: true });
  else writeDurably(stepPath(root), `${JSON.stringify(step)}\n`);
}

/** The stored step. An unreadable one counts as the smallest step that needs a confirmation. */
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
