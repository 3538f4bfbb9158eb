import type { Epoch } from '#model/units.ts';
import type { ClockReport, NodeStatus } from '#cluster/command-log.ts';
import type { ClockOffset } from '#cluster/clock/clock-offset.ts';

/** A clock that is further off than this from most of the cluster is wrong, in milliseconds. */
export const clockToleranceMs = 1000;

/**
 * The offset that most nodes agree on: the median. Where two are in the middle, the one nearer to the leader's, which
 * is 0.
 */
export function agreedOffset(offsets: readonly number[]): number {
  const sorted = [...offsets].sort((a, b) => a - b);
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)] ?? 0, sorted[Math.floor(sorted.length / 2)] ?? 0];
  return Math.abs(low) <= Math.abs(high) ? low : high;
}

/**
 * Whether the clock of this node is right, by what nodes measured against the clock of one leader. Most of them decide,
 * so that a leader with a wrong clock is found too. DEC-CLU-19.
 */
export class NodeClock {
  private readonly node: string;
  private readonly offset: Pick<ClockOffset, 'ms'>;
  private epoch: Epoch | null = null;
  private leader: string | null = null;

  constructor(node: string, offset: Pick<ClockOffset, 'ms'>) {
    this.node = node;
    this.offset = offset;
  }

  private get isLeading(): boolean {
    return this.leader === this.node;
  }

  /** Told who leads; while nobody does, what was measured before counts. */
  follows(leader: { readonly node: string; readonly epoch: Epoch } | null): void {
    if (leader === null) return;
    this.epoch = leader.epoch;
    this.leader = leader.node;
  }

  /** What this node reports; `undefined`: it has not measured. */
  report(): ClockReport | undefined {
    const ms = this.isLeading ? 0 : this.offset.ms;
    return this.epoch === null || ms === null ? undefined : { epoch: this.epoch, ms };
  }

  /** How far the own clock is off from most of the cluster, in milliseconds; `null`: not by more than a second. */
  offBy(nodes: readonly NodeStatus[]): number | null {
    const own = this.report();
    if (own === undefined) return null;
    const others = nodes.flatMap(({ node, clock }) =>
      node === this.node || node === this.leader || clock?.epoch !== own.epoch ? [] : [clock.ms],
    );
    const off = own.ms - agreedOffset(this.isLeading ? [0, ...others] : [0, own.ms, ...others]);
    return Math.abs(off) > clockToleranceMs ? off : null;
  }
}

/** A sentence about a clock that is off. */
export function clockTrouble(offMs: number): string {
  const seconds = (Math.abs(offMs) / 1000).toFixed(1);
  return `the clock of this machine is ${seconds} s ${offMs > 0 ? 'ahead of' : 'behind'} the cluster's`;
}
