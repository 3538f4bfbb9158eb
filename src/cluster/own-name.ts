import type { NodeStatus } from '#cluster/command-log.ts';

/** Another process that reports under this node's name: it did so before this one began, or began later. */
export type Namesake = 'earlier' | 'later';

/** A process is there if it is seen so often: once it may be by a report that was on its way when it ended. */
const sightsMin = 2;

/**
 * Finds out whether another process reports under the name of this node. Each report tells what was reported before it:
 * a process that is alone finds its own there. Whoever found the other one's at its first report is the second. No
 * clock is compared. DEC-CLU-29.
 */
export class OwnName {
  /** Tells the processes of one name apart. */
  readonly run: string;
  /** Whose report was there at first; `undefined`: this process has not reported yet. */
  private first: string | null | undefined = undefined;
  private other: string | null = null;
  private sights = 0;

  constructor(run: string) {
    this.run = run;
  }

  /** To be told what each report found. Answers who else is there, once that is certain; `null`: nobody. */
  found(before: NodeStatus | null): Namesake | null {
    // Builds that do not tell their run have all the same.
    const run = before === null ? null : (before.run ?? '');
    if (this.first === undefined) {
      this.first = run;
      return null;
    }
    if (run !== null && run !== this.run) {
      this.sights = run === this.other ? this.sights + 1 : 1;
      this.other = run;
    }
    if (this.sights < sightsMin) return null;
    return this.other === this.first ? 'earlier' : 'later';
  }
}
