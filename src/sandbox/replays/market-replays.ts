import { Replay, type ReplayPlan, type ReplayProgress } from '#sandbox/replays/replay.ts';
import { replayLimits } from '#sandbox/replays/recording.ts';

/** The replays of all markets, in the order in which they were asked for. They are of this process, and end with it. */
export class MarketReplays {
  readonly #replays = new Map<string, Replay>();
  #last = 0;

  /** `null`: too many are under way; of those that are over the oldest makes room. */
  add(plan: ReplayPlan): ReplayProgress | null {
    while (!this.#hasRoomFor(plan.recording.entries)) {
      const over = [...this.#replays.values()].find((replay) => !isUnderWay(replay));
      if (over === undefined) return null;
      this.#replays.delete(over.id);
    }
    this.#last += 1;
    const replay = new Replay(`replay-${this.#last}`, plan);
    this.#replays.set(replay.id, replay);
    return replay;
  }

  #hasRoomFor(entries: number): boolean {
    let kept = entries;
    for (const { plan } of this.#replays.values()) kept += plan.recording.entries;
    return this.#replays.size < replayLimits.replays && kept <= replayLimits.keptEntries;
  }

  all(): readonly ReplayProgress[] {
    return [...this.#replays.values()];
  }

  /** Those that wait or play. */
  underWay(): readonly Replay[] {
    return [...this.#replays.values()].filter(isUnderWay);
  }

  /** Ends one where it is, and forgets it; `null`: there is none of this id. */
  remove(id: string): Replay | null {
    const replay = this.#replays.get(id);
    if (replay === undefined) return null;
    replay.end();
    this.#replays.delete(id);
    return replay;
  }
}

const isUnderWay = ({ state }: ReplayProgress): boolean => state === 'waiting' || state === 'playing';
