/** What a drill does to the cluster. */
export const faultKinds = ['kill', 'killWithMember', 'freeze', 'quorumLoss', 'restartAll'] as const;
export type FaultKind = (typeof faultKinds)[number];

/** What one fault came to. */
export interface FaultResult {
  readonly kind: FaultKind;
  /** Longest time without an acknowledged order around it; of a loss of the quorum: after its return. */
  readonly gapMs: number;
  /** Orders acknowledged from it to the next one. */
  readonly acknowledged: number;
  readonly lost: number;
  readonly double: number;
}

const names: Readonly<Record<FaultKind, string>> = {
  kill: 'SIGKILL of the leader',
  killWithMember: 'SIGKILL of the leader and its etcd member',
  freeze: 'SIGSTOP of the leader for 3.5 to 4.5 s',
  quorumLoss: 'two etcd members killed, one back after 3 to 6 s',
  restartAll: 'SIGKILL of all three nodes at once',
};

const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;
const middle = (sorted: readonly number[]): number => sorted[Math.floor(sorted.length / 2)] ?? 0;
const sum = (results: readonly FaultResult[], of: (result: FaultResult) => number): number =>
  results.reduce((total, result) => total + of(result), 0);

/** A table in Markdown, a line for each kind of fault that happened. */
export function drillTable(results: readonly FaultResult[]): string {
  const rows = faultKinds.flatMap((kind) => {
    const those = results.filter((result) => result.kind === kind);
    if (those.length === 0) return [];
    const gaps = those.map(({ gapMs }) => gapMs).sort((one, other) => one - other);
    const gap = `${seconds(middle(gaps))} | ${seconds(gaps.at(-1)!)}`;
    const counts = [sum(those, (each) => each.acknowledged), sum(those, (each) => each.lost)];
    const all = [...counts, sum(those, (each) => each.double)].map((count) => count.toLocaleString('en-US'));
    return [`| ${names[kind]} | ${those.length} | ${gap} | ${all.join(' | ')} |`];
  });
  return [
    '| fault | count | gap p50 | gap max | acknowledged | lost | double |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}
