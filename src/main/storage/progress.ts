import type { Seq } from '#model/units.ts';

/** A replay of fewer entries is too short to report progress. */
const longEntries = 200_000;

/** Reports the progress of a long replay at every tenth. */
export function everyTenth(from: Seq, to: Seq, tell: (message: string) => void): (at: Seq) => void {
  let told = 0;
  return (at) => {
    const tenth = Math.floor(((at - from) / (to - from)) * 10);
    if (to - from < longEntries || tenth <= told) return;
    told = tenth;
    tell(`Replaying the journal: ${tenth * 10} % of ${to - from} commands.`);
  };
}
