import type { FuzzStep } from './command-maker.ts';
import { applyPace, type Finding, type Pace, runSteps, signatureOf } from './fuzz-run.ts';

const runsMax = 600;
const looksMax = 24;

/** So often that a list is looked at some two dozen times; engines restored on the way stay to the end. */
export function paceOf(count: number): Pace {
  const every = Math.max(1, Math.floor(count / looksMax));
  return { compareEvery: every, restoreEvery: every, shadows: looksMax };
}

/**
 * Fewer commands that fail alike: pieces are left out, ever smaller ones, as long as the same fault comes. Bounded; what
 * it answers may still hold commands that do not matter.
 */
export async function shrink(finding: Finding): Promise<Finding> {
  const wanted = signatureOf(finding);
  const isApplied = /^(apply|postings|ask|decode)/.test(finding.during);
  let best = finding;
  let runs = 0;
  const attempt = async (steps: readonly FuzzStep[]): Promise<boolean> => {
    runs += 1;
    const pace = isApplied ? applyPace : paceOf(steps.length);
    const found = await runSteps(finding.seed, steps, pace);
    if (found === null || signatureOf(found) !== wanted) return false;
    best = found;
    return true;
  };
  for (let size = Math.ceil(best.steps.length / 2); size >= 1 && runs < runsMax; size = Math.floor(size / 2)) {
    for (let from = best.steps.length - size; from > -size && runs < runsMax; from -= size) {
      const start = Math.max(0, from);
      await attempt([...best.steps.slice(0, start), ...best.steps.slice(start + size)]);
    }
  }
  return best;
}
