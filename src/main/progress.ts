import type { Seq } from '#domain/units.ts';

/** Work on fewer entries than this is over before anybody wonders. */
const longEntries = 200_000;

/** Tells how far a replay is, at every tenth of a long one. */
export function everyTenth(from: Seq, to: Seq, tell: (message: string) => void): (at: Seq) => void {
  let told = 0;
  return (at) => {
    const tenth = Math.floor(((at - from) / (to - from)) * 10);
    if (to - from < longEntries || tenth <= told) return;
    told = tenth;
    tell(`Replaying the journal: ${tenth * 10} % of ${to - from} commands.`);
  };
}
