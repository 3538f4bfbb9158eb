import type { Clock, SetTimer } from '#base/clock.ts';

/** A task that is run at the end of a window. */
export interface Flushable {
  flush(): void;
}

interface Group {
  dueAt: number;
  due: Set<Flushable>;
}

/**
 * Flushes marked tasks at the end of their window. Windows of a period are multiples of it on the monotonic clock, so
 * tasks marked within the same window are flushed together. One timer serves all; none runs while no task is marked.
 */
export class FlushScheduler {
  private readonly monotonic: Clock;
  private readonly setTimer: SetTimer;
  private readonly groups = new Map<number, Group>();
  /** Tasks that the firing timer has not flushed yet. */
  private firing = new Set<Flushable>();
  private cancelTimer: (() => void) | null = null;
  private firesAt = Number.POSITIVE_INFINITY;

  constructor({ monotonic, setTimer }: { readonly monotonic: Clock; readonly setTimer: SetTimer }) {
    this.monotonic = monotonic;
    this.setTimer = setTimer;
  }

  /** Flushes `task` once at the end of the current window of `periodMs`, however often it is marked. */
  mark(task: Flushable, periodMs: number): void {
    let group = this.groups.get(periodMs);
    if (group === undefined) {
      group = { dueAt: 0, due: new Set() };
      this.groups.set(periodMs, group);
    }
    if (group.due.size === 0) {
      const now = this.monotonic.now();
      group.dueAt = (Math.floor(now / periodMs) + 1) * periodMs;
      this.arm(group.dueAt, now);
    }
    group.due.add(task);
  }

  /** Time of the monotonic clock, by which windows are measured. */
  now(): number {
    return this.monotonic.now();
  }

  /** Removes a task: it is not flushed. */
  drop(task: Flushable): void {
    this.firing.delete(task);
    for (const group of this.groups.values()) group.due.delete(task);
  }

  /** Flushes a task at once if it is marked; then it is marked no more. */
  finish(task: Flushable): void {
    if ([...this.groups.values()].some(({ due }) => due.has(task))) task.flush();
    this.drop(task);
  }

  close(): void {
    this.groups.clear();
    this.firing.clear();
    this.disarm();
  }

  private arm(at: number, now: number): void {
    if (this.firesAt <= at) return;
    this.disarm();
    this.firesAt = at;
    this.cancelTimer = this.setTimer(Math.max(1, at - now), () => this.fire());
  }

  private disarm(): void {
    this.cancelTimer?.();
    this.cancelTimer = null;
    this.firesAt = Number.POSITIVE_INFINITY;
  }

  private fire(): void {
    this.cancelTimer = null;
    this.firesAt = Number.POSITIVE_INFINITY;
    const now = this.monotonic.now();
    for (const group of this.groups.values()) {
      if (group.due.size === 0 || group.dueAt > now) continue;
      this.firing = group.due;
      group.due = new Set();
      for (const task of this.firing) task.flush();
    }
    const next = [...this.groups.values()].filter(({ due }) => due.size > 0).map(({ dueAt }) => dueAt);
    if (next.length > 0) this.arm(Math.min(...next), this.monotonic.now());
  }
}
