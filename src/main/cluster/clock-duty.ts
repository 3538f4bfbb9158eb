import { type Repeat, stopwatch, wallClock } from '#base/clock.ts';
import { ClockOffset } from '#cluster/clock/clock-offset.ts';
import { clockTrouble, NodeClock } from '#cluster/clock/node-clock.ts';
import type { NodeStatus, Term } from '#cluster/command-log.ts';

/** The clock of this machine is wrong, so another node has to lead. */
export class ClockWrong extends Error {
  override name = 'ClockWrong';
}

/** What a node that watches its clock needs. */
export interface ClockDutyParts {
  readonly node: string;
  /** Nodes that reported lately. */
  readonly nodes: () => readonly NodeStatus[];
  readonly tell: (message: string) => void;
  /** This node led, has ended its term, and has to stop. */
  readonly onEnded: (error: Error) => void;
}

const lookMs = 500;

/**
 * Keeps a node whose clock is off from leading and from clients until it is right again; a leader ends its term.
 * DEC-CLU-19.
 */
export class ClockDuty {
  /** Measures against the leader's clock. */
  readonly offset = new ClockOffset({ wall: wallClock, now: stopwatch });
  /** What is known of the own clock. */
  readonly clock: NodeClock;
  private readonly parts: ClockDutyParts;
  private term: Term | null = null;
  private isOff = false;

  constructor(parts: ClockDutyParts) {
    this.parts = parts;
    this.clock = new NodeClock(parts.node, this.offset);
  }

  /** What is wrong with the clock, as a sentence; `null`: nothing. */
  trouble(): string | null {
    const off = this.clock.offBy(this.parts.nodes());
    return off === null ? null : clockTrouble(off);
  }

  /** From now on this node leads, for as long as its clock is right. */
  leads(term: Term): void {
    this.term = term;
  }

  /** Looks at the clock again and again. Answers what ends it. */
  start(repeat: Repeat): () => void {
    return repeat(lookMs, () => this.look());
  }

  private async look(): Promise<void> {
    const trouble = this.trouble();
    const { tell, node } = this.parts;
    if (trouble !== null && !this.isOff) tell(`${node} stands aside: ${trouble}.`);
    if (trouble === null && this.isOff) tell(`${node} is back: the clock of this machine is right again.`);
    this.isOff = trouble !== null;
    const { term } = this;
    if (trouble === null || term === null) return;
    this.term = null;
    // So that a node with the right time leads at once, and not this one again after its next start.
    await term.resign().catch(() => undefined);
    this.parts.onEnded(new ClockWrong(`${trouble}: another node has to lead`));
  }
}
