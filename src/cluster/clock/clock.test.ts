import { describe, expect, test } from 'vitest';
import { ClockOffset } from '#cluster/clock/clock-offset.ts';
import { agreedOffset, clockTrouble, NodeClock } from '#cluster/clock/node-clock.ts';
import type { NodeStatus } from '#cluster/command-log.ts';
import type { Epoch, Seq } from '#model/units.ts';
import { as } from '#model/units.ts';

/** A node whose clock and whose way to the leader the test sets. */
class Machine {
  /** True time since the beginning, in milliseconds. */
  time = 0;
  /** By how much the own clock and the leader's are wrong. */
  own = 0;
  leader = 0;
  readonly offset = new ClockOffset({
    wall: { now: () => Math.floor(this.time + this.own) },
    now: () => this.time + 77,
  });

  ask(thereMs: number, backMs: number): void {
    const ref = this.offset.ask();
    this.time += thereMs;
    const at = Math.floor(this.time + this.leader);
    this.time += backMs;
    this.offset.answered(ref, at);
  }
}

describe('DEC-CLU-19: the offset to the leader', () => {
  test('is as exact as the way there and back is short, and never claims more', () => {
    const machine = new Machine();
    expect(machine.offset.ms).toBeNull();
    machine.own = 3000;
    machine.ask(1, 1);
    expect(machine.offset.ms).toBeGreaterThan(2990);
    expect(machine.offset.ms).toBeLessThanOrEqual(3000);
    machine.own = -3000;
    expect(machine.offset.ms).toBeLessThan(-2990);
  });

  test('a busy node and a delayed answer do not look like a wrong clock', () => {
    for (const [there, back] of [
      [5000, 1],
      [1, 5000],
      [2000, 4000],
    ] as const) {
      const machine = new Machine();
      machine.ask(there, back);
      expect(Math.abs(machine.offset.ms!)).toBe(0);
    }
    const machine = new Machine();
    machine.own = 1500;
    machine.ask(1, 1);
    for (let count = 0; count < 7; count += 1) machine.ask(2500, 0);
    expect(machine.offset.ms).toBeGreaterThan(1490);
  });

  test('idle time changes nothing, and a step of the own clock shows at once', () => {
    const machine = new Machine();
    machine.ask(1, 1);
    machine.time += 3_600_000;
    expect(machine.offset.ms).toBe(0);
    machine.own = 2000;
    expect(machine.offset.ms).toBeGreaterThan(1990);
  });

  test('a step of the leader shows once the answers before it are forgotten', () => {
    const machine = new Machine();
    machine.ask(1, 1);
    machine.leader = 5000;
    for (let count = 0; count < 8; count += 1) machine.ask(2, 2);
    expect(machine.offset.ms).toBeLessThan(-4990);
  });

  test('a new leader is measured anew, and until it answers the old one counts', () => {
    const machine = new Machine();
    machine.own = 1500;
    machine.ask(1, 1);
    machine.offset.begin();
    expect(machine.offset.ms).toBeGreaterThan(1490);
    machine.leader = 1500;
    machine.ask(200, 200);
    expect(Math.abs(machine.offset.ms!)).toBe(0);
  });

  test('answers to what was not asked are refused, and few questions are remembered', () => {
    const machine = new Machine();
    const first = machine.offset.ask();
    expect(() => machine.offset.answered(first + 1, 0)).toThrow('which was not asked');
    for (let count = 0; count < 100; count += 1) machine.offset.ask();
    expect(() => machine.offset.answered(first, 0)).toThrow('which was not asked');
    expect(machine.offset.ms).toBeNull();
  });
});

const leading = (node: string, epoch: number) => ({ node, epoch: as<Epoch>(epoch) });
const statusOf = (node: string, epoch: number, ms: number | null): NodeStatus => ({
  ...{ node, address: '', build: '', isCandidate: true, newestRules: 1, commandFormat: 1 },
  ...{ journaled: as<Seq>(1), applied: as<Seq>(1) },
  clock: ms === null ? undefined : { epoch: as<Epoch>(epoch), ms },
});
function clockOf(node: string, ms: number | null, leader = 'one', epoch = 3): NodeClock {
  const clock = new NodeClock(node, { ms });
  clock.follows(leading(leader, epoch));
  return clock;
}

describe('DEC-CLU-19: most nodes decide whose clock is wrong', () => {
  test('the median; of two in the middle the one nearer to the leader', () => {
    expect(agreedOffset([0])).toBe(0);
    expect(agreedOffset([0, 5000])).toBe(0);
    expect(agreedOffset([0, -5000])).toBe(0);
    expect(agreedOffset([5000, 0, 4900])).toBe(4900);
    expect(agreedOffset([0, 20, 5000, 5010])).toBe(20);
  });

  test('a follower that differs from leader and others is wrong, by more than a second only', () => {
    const nodes = [statusOf('one', 3, 0), statusOf('two', 3, 1), statusOf('three', 3, 1500)];
    expect(clockOf('three', 1500).offBy(nodes)).toBe(1499);
    expect(clockOf('three', -1001).offBy(nodes)).toBe(-1001);
    expect(clockOf('three', 1000).offBy(nodes)).toBeNull();
    expect(clockOf('two', 1).offBy(nodes)).toBeNull();
    expect(clockOf('one', 0).offBy(nodes)).toBeNull();
    expect(clockOf('three', null).offBy(nodes)).toBeNull();
  });

  test('a leader that two of three say is off is wrong, and they are not', () => {
    const nodes = [statusOf('one', 3, 0), statusOf('two', 3, 4000), statusOf('three', 3, 4100)];
    expect(clockOf('one', 77).offBy(nodes)).toBe(-4000);
    expect(clockOf('two', 4000).offBy(nodes)).toBeNull();
    expect(clockOf('three', 4100).offBy(nodes)).toBeNull();
    expect(clockOf('one', 77).offBy(nodes.slice(0, 2))).toBeNull();
  });

  test('reports about another leader, and none at all, count for nothing', () => {
    const nodes = [statusOf('two', 3, 4000), statusOf('three', 3, 4100), statusOf('four', 4, null)];
    const next = clockOf('two', 4000, 'one', 3);
    next.follows(leading('two', 4));
    expect(next.report()).toEqual({ epoch: 4, ms: 0 });
    expect(next.offBy(nodes)).toBeNull();
  });

  test('while nobody leads, what was measured last counts', () => {
    const clock = clockOf('three', 2000);
    clock.follows(null);
    expect(clock.offBy([statusOf('two', 3, 0)])).toBe(2000);
    expect(clockTrouble(2000)).toBe("the clock of this machine is 2.0 s ahead of the cluster's");
    expect(clockTrouble(-1500)).toBe("the clock of this machine is 1.5 s behind the cluster's");
  });
});
