import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { million } from '#base/whole-numbers.ts';
import { clockBounds } from '#sandbox/clock-controls.ts';
import type { MarketControls } from '#sandbox/market-controls.ts';
import { readRecording, RecordFault } from '#sandbox/replays/read-recording.ts';
import type { RecordFormat, Recording } from '#sandbox/replays/recording.ts';
import type { ReplayPlan, ReplayProgress } from '#sandbox/replays/replay.ts';
import type { HandlersOf } from '#operator-api/handlers.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';
import { createRequestMemory } from '#operator-api/requests/act.ts';
import { brokenRule, invalidBody, Problem } from '#operator-api/requests/problems.ts';
import type { replayEndpoints } from '#operator-api/sandbox/replay-endpoints.ts';
import { requireKnownName, simulationOf } from '#operator-api/sandbox/simulation-of.ts';

type Endpoints = typeof replayEndpoints;
type ReplayAnswer = z.input<Endpoints['startReplay']['answer']>;

const shown = ({ id, plan, state, played, endsAt }: ReplayProgress): ReplayAnswer => ({
  id,
  market: plan.market,
  format: plan.recording.format,
  factor: String(plan.factor),
  volumePpm: Math.round(plan.volume * million),
  price: plan.price,
  state,
  startAt: plan.startAt,
  endsAt,
  recordedFrom: Math.floor(plan.recording.firstAt),
  entries: plan.recording.entries,
  played,
});

/** @throws Problem that names line and column. */
async function readRecord(format: RecordFormat, record: string): Promise<Recording> {
  try {
    return await readRecording(format, record);
  } catch (error) {
    if (error instanceof RecordFault) throw invalidBody('/record', error.message);
    throw error;
  }
}

/** Handlers of replays; served only where there are simulated traders. DEC-KIT-64. */
export function replayHandlers(context: OperatorContext): HandlersOf<Endpoints> {
  const { clock } = context;
  const once = createRequestMemory(context);
  const start = async (simulation: MarketControls, body: z.output<Endpoints['startReplay']['body']>) => {
    const { market, format, record, factor, volumePpm, price, seed } = body;
    const known = simulation.markets().map(({ name }) => name);
    requireKnownName('/market', market, known);
    const recording = await readRecord(format, record);
    const startAt = body.startAt ?? clock.now();
    if (startAt < clock.now()) throw invalidBody('/startAt', 'must not be in the past');
    if (startAt > clockBounds.latest) throw invalidBody('/startAt', 'must not be after the beginning of 2200');
    if (recording.lengthMs / Number(factor) > clockBounds.advanceMsMost)
      throw brokenRule('/factor', 'must be greater: the replay must not take more than ten years');
    const terms = { factor: Number(factor), volume: volumePpm / million, price, seed };
    const plan: ReplayPlan = { market, recording, startAt, ...terms };
    const fault = simulation.replayFault(plan);
    if (fault !== null) throw brokenRule('/record', fault);
    if (!simulation.isActing) throw new Problem('tradersElsewhere');
    const replay = simulation.replay(plan);
    if (replay === null) throw new Problem('tooManyReplays');
    return shown(replay);
  };
  return {
    startReplay: (request) => {
      const { record, ...others } = request.body;
      // What is remembered of a repeated request is short.
      const digest = createHash('sha256').update(record).digest('hex');
      const remembered = { ...request, body: { ...others, record: digest } };
      return once('startReplay', remembered, () => start(simulationOf(context), request.body));
    },
    listReplays: () => ({ items: simulationOf(context).replays().map(shown) }),
    endReplay: (request) =>
      once('endReplay', request, async () => {
        const simulation = simulationOf(context);
        if (!simulation.isActing) throw new Problem('tradersElsewhere');
        const ended = simulation.endReplay(request.path.id);
        if (ended === null) throw new Problem('unknownReplay');
        return shown(ended);
      }),
  };
}
