import type { Clock } from '#base/clock.ts';
import type { ArmedRule } from '#sandbox/faults/armed-rule.ts';
import { isOfRequests } from '#sandbox/faults/fault-rule.ts';
import type {
  StreamFaultTouch,
  StreamInterceptor,
  StreamSubject,
  TouchedPush,
} from '#websocket/connections/stream-interception.ts';
import type { UpgradeRefusal } from '#websocket/connections/upgrade.ts';

/** Does to websockets what the rules in force say: the first rule that strikes, alone. DEC-KIT-32. */
export class StreamFaults implements StreamInterceptor {
  readonly #clock: Clock;
  #rules: readonly ArmedRule[] = [];
  readonly #heldBack = new Set<(isGone: (fault: string) => boolean) => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isArmed(): boolean {
    return this.#rules.length > 0;
  }

  /** Puts rules in force in place of those before; those of requests are none of its own. */
  arm(rules: readonly ArmedRule[]): void {
    const before = this.#rules;
    this.#rules = rules.filter(({ rule: { fault } }) => !isOfRequests(fault));
    const gone = new Set(before.filter((rule) => !this.#rules.includes(rule)).map(({ id }) => id));
    if (gone.size > 0) for (const run of [...this.#heldBack]) run((fault) => gone.has(fault));
  }

  whenTakenAway(run: (isGone: (fault: string) => boolean) => void): () => void {
    this.#heldBack.add(run);
    return () => this.#heldBack.delete(run);
  }

  touch(subject: StreamSubject, push: TouchedPush): StreamFaultTouch | null {
    const now = this.#clock.now();
    for (const rule of this.#rules) {
      const { fault } = rule.rule;
      if (isOfRequests(fault) || fault.kind === 'unansweredPing' || fault.kind === 'refuseUpgrade') continue;
      if (!rule.isOver(now) && rule.isAboutPush(subject, push) && rule.strikes())
        return { fault: rule.id, touch: fault };
    }
    return null;
  }

  refusesUpgrade(subject: StreamSubject): UpgradeRefusal | null {
    const rule = this.#striking('refuseUpgrade', subject);
    const fault = rule?.rule.fault;
    if (rule === null || fault?.kind !== 'refuseUpgrade') return null;
    const { status, message: text, retryAfterSeconds } = fault;
    return { status, text, retryAfterSeconds, fault: rule.id };
  }

  ignoresPing(subject: StreamSubject): boolean {
    return this.#striking('unansweredPing', subject) !== null;
  }

  /** The first rule of a kind that strikes a connection as a whole; `null`: none does. */
  #striking(kind: 'refuseUpgrade' | 'unansweredPing', subject: StreamSubject): ArmedRule | null {
    const now = this.#clock.now();
    for (const rule of this.#rules) {
      if (rule.rule.fault.kind !== kind || rule.isOver(now)) continue;
      if (rule.isAboutConnection(subject) && rule.strikes()) return rule;
    }
    return null;
  }
}
