import type { SetTimer } from '#base/clock.ts';
import { faultLimits } from '#sandbox/faults/fault-rule.ts';

/** Answers that are held back, on the time of the machine: bounded in number, and let go when their rule goes. */
export class Holding {
  readonly #setTimer: SetTimer;
  /** What lets each one go, by what holds it. */
  readonly #held = new Map<object, Set<() => void>>();
  #count = 0;

  constructor(setTimer: SetTimer) {
    this.#setTimer = setTimer;
  }

  /** Resolves after `ms`, or when `release` is called for this owner; at once where too many are held. DEC-KIT-24. */
  wait(owner: object, ms: number): Promise<void> {
    if (ms <= 0 || this.#count >= faultLimits.held) return Promise.resolve();
    const held = this.#held.get(owner) ?? new Set();
    this.#held.set(owner, held);
    this.#count += 1;
    return new Promise((resolve) => {
      const letGo = (): void => {
        cancel();
        held.delete(letGo);
        if (held.size === 0) this.#held.delete(owner);
        this.#count -= 1;
        resolve();
      };
      const cancel = this.#setTimer(ms, letGo);
      held.add(letGo);
    });
  }

  /** Lets go what an owner holds. */
  release(owner: object): void {
    for (const letGo of [...(this.#held.get(owner) ?? [])]) letGo();
  }
}
