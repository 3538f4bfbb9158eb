import type { z } from 'zod';
import type { WatchedCondition } from '#sandbox/clock-conditions.ts';
import { type AdvancePace, clockBounds, type ClockControls } from '#sandbox/clock-controls.ts';
import type { HandlersOf } from '#operator-api/handlers.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';
import { createRequestMemory } from '#operator-api/requests/act.ts';
import { invalidBody, Problem } from '#operator-api/requests/problems.ts';
import type { clockEndpoints } from '#operator-api/sandbox/clock-endpoints.ts';
import { readCondition } from '#operator-api/sandbox/clock-condition.ts';

type Endpoints = typeof clockEndpoints;
type StateAnswer = z.input<Endpoints['getClock']['answer']>;
type EndAnswer = z.input<Endpoints['advanceClock']['answer']>;
type Change = z.output<Endpoints['setClock']['body']>;

/** Waits for nothing but the span. */
const never: WatchedCondition = { outcome: () => null, end: () => {} };

/** Advances that may be asked for at a time: one goes on, the others wait. */
const advancesMost = 100;

const shownState = (time: ClockControls): StateAnswer => {
  const { factor, ...state } = time.state();
  return { ...state, factor: factor === null ? null : String(factor) };
};

/** How a request changes the clock. @throws Problem naming the member that is at fault */
function readChange({ mode, factor, now }: Change, time: ClockControls): Parameters<ClockControls['change']>[0] {
  const state = time.state();
  if (mode === undefined && factor === undefined && now === undefined)
    throw invalidBody('', 'must name mode, factor or now');
  if (mode === 'following' && now !== undefined)
    throw invalidBody('/now', "must be left out where the clock follows the machine's");
  const wanted = mode ?? (factor !== undefined || state.mode === 'following' ? 'running' : state.mode);
  if (factor !== undefined && wanted !== 'running')
    throw invalidBody('/factor', 'must be left out unless the clock is to run');
  if (now !== undefined && now < state.now)
    throw invalidBody('/now', `must not be before what the clock shows, ${state.now}`);
  if (now !== undefined && now > clockBounds.latest) throw invalidBody('/now', `must be at most ${clockBounds.latest}`);
  const kept = mode === undefined ? state.factor : null;
  return {
    mode: wanted,
    factor: factor === undefined ? (kept ?? 1) : Number(factor),
    ...(now === undefined ? {} : { at: now }),
  };
}

/** Handlers of the clock of a sandbox; served only where there is one. DEC-KIT-01 to DEC-KIT-04, DEC-OPR-28. */
export function clockHandlers(context: OperatorContext): HandlersOf<Endpoints> {
  const once = createRequestMemory(context);
  let advances = 0;
  const clock = (): ClockControls => {
    if (context.time === null) throw new Problem('unknownPath');
    return context.time;
  };
  /** Advances until a condition is met, and answers when it is over or, without waiting, at once. */
  const advance = async (
    { byMs, pace, wait }: { readonly byMs: number; readonly pace: AdvancePace; readonly wait: boolean },
    { outcome, end }: WatchedCondition = never,
  ): Promise<EndAnswer> => {
    const time = clock();
    if (advances >= advancesMost) {
      end();
      throw new Problem('clockAdvancing');
    }
    advances += 1;
    const ended = time
      .advance(byMs, { pace, isOver: () => outcome() !== null })
      .then(({ now, ended: how }): EndAnswer => ({ now, ended: outcome() ?? (how === 'cancelled' ? how : 'reached') }))
      .finally(() => {
        advances -= 1;
        end();
      });
    if (wait) return ended;
    ended.catch((error: unknown) => context.log.error({ err: error }, 'advancing the clock failed'));
    return { now: time.state().now, ended: 'onItsWay' };
  };
  const requireRoom = (ms: number, pointer: string): void => {
    if (clock().state().now + ms > clockBounds.latest)
      throw invalidBody(pointer, `must not lead beyond ${clockBounds.latest}, the beginning of 2200`);
  };
  return {
    getClock: () => shownState(clock()),
    setClock: (request) =>
      once('set', request, async () => {
        const time = clock();
        if (advances > 0) throw new Problem('clockAdvancing');
        const change = readChange(request.body, time);
        await time.change(change);
        if (change.mode === 'following' && time.state().mode !== 'following') throw new Problem('clockAhead');
        return shownState(time);
      }),
    advanceClock: (request) =>
      once('advance', request, async () => {
        const { ms, pace, wait } = request.body;
        requireRoom(ms, '/ms');
        return advance({ byMs: ms, pace, wait });
      }),
    cancelAdvance: async () => {
      const time = clock();
      await time.cancel();
      return shownState(time);
    },
    advanceClockUntil: (request) =>
      once('until', request, async () => {
        const { limitMs, pace, wait } = request.body;
        requireRoom(limitMs, '/limitMs');
        const condition = await readCondition(context, request.body);
        const outcome = condition.outcome();
        if (outcome !== null) {
          condition.end();
          return { now: context.clock.now(), ended: outcome };
        }
        const byMs = Math.min(limitMs, condition.at === null ? limitMs : condition.at - context.clock.now());
        return advance({ byMs, pace, wait }, condition);
      }),
  };
}
