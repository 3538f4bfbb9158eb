import type { Command } from '#model/command.ts';
import type { FuzzStep } from './command-maker.ts';
import { applyPace, type Finding, type Pace, runSteps, signatureOf } from './fuzz-run.ts';

/** Longer than this nobody waits for a shorter list. */
const longestMs = 60_000;
const looksMax = 24;

/** So often that a list is looked at some two dozen times; engines restored on the way stay to the end. */
export function paceOf(count: number): Pace {
  const every = Math.max(1, Math.floor(count / looksMax));
  return { compareEvery: every, restoreEvery: every, shadows: looksMax, isFollowed: true };
}

/**
 * Fewer commands that fail alike: pieces are left out, ever smaller ones, as long as the same fault comes. Bounded in
 * time; what it answers may still hold commands that do not matter.
 */
export async function shrink(finding: Finding): Promise<Finding> {
  const wanted = signatureOf(finding);
  const end = performance.now() + longestMs;
  let best = finding;
  const attempt = async (steps: readonly FuzzStep[], pace: Pace): Promise<boolean> => {
    const found = await runSteps(finding.seed, steps, pace);
    if (found === null || signatureOf(found) !== wanted) return false;
    best = found;
    return true;
  };
  const isBare = await attempt(best.steps, applyPace);
  let hasShrunk = true;
  while (hasShrunk) {
    hasShrunk = false;
    for (let size = Math.ceil(best.steps.length / 2); size >= 1; size = Math.floor(size / 2)) {
      for (let from = best.steps.length - size; from > -size; from -= size) {
        if (performance.now() > end) return best;
        const start = Math.max(0, from);
        const rest = [...best.steps.slice(0, start), ...best.steps.slice(start + size)];
        if (await attempt(rest, isBare ? applyPace : paceOf(rest.length))) hasShrunk = true;
      }
    }
    for (let index = best.steps.length - 1; index >= 0; index -= 1) {
      for (const smaller of smallerOf((best.steps[index] as FuzzStep).command)) {
        if (performance.now() > end) return best;
        const steps = best.steps.with(index, { ...(best.steps[index] as FuzzStep), command: smaller });
        if (await attempt(steps, isBare ? applyPace : paceOf(steps.length))) hasShrunk = true;
      }
    }
  }
  return best;
}

/** The same command with one thing less in its lists. */
function smallerOf(command: Command): Command[] {
  const without = <Item>(items: readonly Item[]): Item[][] => items.map((_, at) => items.toSpliced(at, 1));
  switch (command.kind) {
    case 'placeOrders':
      return without(command.orders).map((orders) => ({ ...command, orders }));
    case 'requote':
      return [
        ...without(command.cancel).map((cancel) => ({ ...command, cancel })),
        ...without(command.place).map((place) => ({ ...command, place })),
      ];
    default:
      return [];
  }
}
