import type { SetTimer } from '#base/clock.ts';
import type { Leader, LogWatcher } from '#cluster/command-log.ts';

/** How changes reach a node. */
export interface WatchPath {
  /** While it is not, they wait. */
  readonly isOpen: boolean;
  readonly delayMs: number;
}

type Change = (watcher: LogWatcher) => void;

interface Watch {
  readonly node: object;
  readonly watcher: LogWatcher;
  path: WatchPath;
  waiting: Change[];
  /** Set while the next change is on its way. */
  stop: (() => void) | null;
}

/** Changes that wait for a node that is cut off; beyond them it has to read. */
const waitingMax = 10_000;

/** Brings each watcher the changes of a log in memory, in order, each by a timer of its own. */
export class MemoryWatches {
  private readonly setTimer: SetTimer;
  private readonly leader: () => Leader | null;
  private readonly watches = new Set<Watch>();

  constructor(setTimer: SetTimer, leader: () => Leader | null) {
    this.setTimer = setTimer;
    this.leader = leader;
  }

  /** Begins with the leader of now. Answers what ends it. */
  add(node: object, watcher: LogWatcher, path: WatchPath): () => void {
    const watch: Watch = { node, watcher, path, waiting: [], stop: null };
    this.watches.add(watch);
    this.push(watch, this.leaderOfNow());
    return () => {
      this.watches.delete(watch);
      watch.stop?.();
    };
  }

  tell(change: Change): void {
    for (const watch of this.watches) this.push(watch, change);
  }

  /** Drops what is on its way, to one node or to all, and says so. */
  interrupt(node?: object): void {
    for (const watch of this.watches) {
      if (node !== undefined && watch.node !== node) continue;
      watch.waiting = [];
      this.push(watch, (watcher) => watcher.interrupted());
      this.push(watch, this.leaderOfNow());
    }
  }

  setPath(node: object, path: WatchPath): void {
    for (const watch of this.watches) {
      if (watch.node !== node) continue;
      watch.path = path;
      watch.stop?.();
      watch.stop = null;
      this.pump(watch);
    }
  }

  private leaderOfNow(): Change {
    const leader = this.leader();
    return (watcher) => watcher.leader(leader);
  }

  private push(watch: Watch, change: Change): void {
    watch.waiting.push(change);
    if (watch.waiting.length > waitingMax) {
      watch.waiting = [(watcher) => watcher.interrupted(), this.leaderOfNow()];
    }
    this.pump(watch);
  }

  private pump(watch: Watch): void {
    if (watch.stop !== null || !watch.path.isOpen || watch.waiting.length === 0) return;
    watch.stop = this.setTimer(watch.path.delayMs, () => {
      watch.stop = null;
      if (!this.watches.has(watch)) return;
      const change = watch.waiting.shift();
      this.pump(watch);
      change?.(watch.watcher);
    });
  }
}
