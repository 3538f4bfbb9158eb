import type { Repeat } from '#base/clock.ts';
import type { Command } from '#model/command.ts';
import { rebateDayMs } from '#model/rebate.ts';
import type { TimestampMs } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { EventFeed } from '#sequencer/event-feed.ts';
import type { CommandIngress } from '#sequencer/command-ingress.ts';
import type { ExchangeQueries } from '#sequencer/queries/exchange-queries.ts';
import { settleDueRebates } from '#jobs/settle-due-rebates.ts';
import type { Moment } from '#sandbox/agents/agent.ts';
import { MarketConditions } from '#sandbox/agents/market-conditions.ts';
import { MarketReplays } from '#sandbox/replays/market-replays.ts';
import { assetProfiles, marketNames } from '#sandbox/agents/market-profile.ts';
import type { MarketParticipants } from '#sandbox/agents/market-participants.ts';
import { createMarketParticipants } from '#sandbox/agents/market-participants.ts';
import type { Participant } from '#sandbox/agents/participants.ts';
import { goLive, openParticipants } from '#sandbox/agents/participants.ts';
import type { RetailMarket } from '#sandbox/agents/retail-market.ts';
import { createRetailMarket } from '#sandbox/agents/retail-market.ts';
import { liveOpenOrdersMax } from '#sandbox/demo-accounts.ts';
import { type MarketControls, movingIn, pathControls, replayControls } from '#sandbox/market-controls.ts';
import { countHistoryMoments, historyMs, longestStepMs, nextHistoryMoment } from '#sandbox/history-schedule.ts';
import { type AddressSource, enterRetail } from '#sandbox/retail-entry.ts';
import { createPausedContracts } from '#sandbox/paused-contracts.ts';
import type { TimePace } from '#sandbox/simulated-time.ts';
import type { VirtualClock } from '#sandbox/virtual-clock.ts';

/** What the simulated market needs of a running exchange. */
export interface MarketSimulationPorts {
  readonly ingress: CommandIngress;
  readonly queries: ExchangeQueries;
  readonly feed: EventFeed;
  readonly clock: VirtualClock;
  readonly seed: string;
  /** Of the first deposits of accounts that were invited. */
  readonly addressOf: AddressSource;
  /** Paces the live market. */
  readonly repeat: Repeat;
  /** Whether the agents take the wide steps of a history now; absent: never. DEC-KIT-05. */
  readonly pace?: TimePace;
  /** Called when the exchange refused the market's commands; the market continues after a pause. */
  readonly onTrouble: (error: unknown) => void;
}

/** Progress of making history, for people. */
export interface HistoryProgress {
  readonly text: string;
  /** 0 to 1. */
  readonly done: number;
}

/** The simulated market: agents that trade through the same commands as everyone else. */
export interface MarketSimulation extends MarketControls {
  /**
   * Sets the clock to where the market's history begins or continues. Call it before the first command of this start,
   * so that the listing of a new exchange is as old as its history. No effect if history is complete.
   */
  rewind(now: number): Promise<void>;
  /**
   * Lets the agents trade in virtual time up to `now`, then sets the clock to follow the wall clock and quotes whole
   * ladders. After an interruption it continues where the journal ends. No effect if history is complete.
   */
  seedHistory(options: {
    readonly now: number;
    readonly onProgress: (progress: HistoryProgress) => void;
  }): Promise<void>;
  /** Lets the agents trade in real time. */
  start(): Promise<void>;
  /** Resolves when the last commands are answered. */
  stop(): Promise<void>;
}

/** Whether the market's history is complete; false after a start that was interrupted while making it. */
export async function hasHistory(queries: ExchangeQueries): Promise<boolean> {
  const accounts = await queries.accounts();
  return accounts.some((account) => account.simulated && account.openOrdersMax === liveOpenOrdersMax);
}

const tickMs = 100;
/** A longer pause between two ticks (a sleeping machine, a jump of the clock) counts as this much time. */
const longestPauseMs = 3_000;
/** Ticks skipped after the exchange refused commands. */
const troublePauseTicks = 20;
const progressSteps = 20;
/** Steps of history whose commands are submitted before waiting for them. */
const momentsTogether = 4;

const isOtherDay = (at: number, next: number): boolean => Math.floor(at / rebateDayMs) < Math.floor(next / rebateDayMs);

/** The agents' market over the ports of a running exchange. Nothing happens until a method is called. */
export function createMarketSimulation(ports: MarketSimulationPorts): MarketSimulation {
  const { ingress, queries, clock } = ports;
  const [conditions, replays] = [new MarketConditions(), new MarketReplays()];
  let traders: MarketParticipants | null = null;
  let retail: RetailMarket | null = null;
  let participants: readonly Participant[] = [];
  let unsubscribe = (): void => {};
  let stopTicking = (): void => {};
  let stopQuoting = (): void => {};
  let running: Promise<void> | null = null;
  /** Whether the next step lays out whole ladders. */
  let isWholeDue = true;

  const submit: CommandIngress['submit'] = (command) => ingress.submit(command);
  const pausedContracts = createPausedContracts(submit, queries);
  /** Lets small traders in who were there so long before the market went live, and settles what earlier days owe. */
  const admit = async (entered: RetailMarket, agoMs: number): Promise<void> => {
    const payers = participants.filter(({ role, tradesContracts }) => role === 'taker' && !tradesContracts);
    await enterRetail({ ...ports, submit }, { retail: entered, payers }, agoMs);
    await settleDueRebates({ submit, queries }, as<TimestampMs>(clock.now()));
  };
  /** Opens missing accounts and loads the participants' state from the engine. `values`: those that go on. */
  const build = async (agoMs: number, values: MarketParticipants['values'] | null): Promise<MarketParticipants> => {
    participants = await openParticipants({ submit, queries, seed: ports.seed });
    const { seq, at } = await queries.position();
    const schedule = { conditions, replays };
    const made = await createMarketParticipants(queries, participants, ports.seed, schedule, values);
    const entered = createRetailMarket(made, `${ports.seed}/${seq}`, at);
    await admit(entered, agoMs);
    const end = ports.feed.subscribe(made.fold.sink);
    try {
      await made.fold.load(queries);
    } catch (error) {
      end();
      throw error;
    }
    unsubscribe();
    unsubscribe = end;
    traders = made;
    retail = entered;
    isWholeDue = true;
    return made;
  };
  const enter = async (agoMs: number): Promise<MarketParticipants> => traders ?? build(agoMs, null);
  const commandsOf = (agents: MarketParticipants, moment: Moment): readonly Command[] =>
    agents.allowed([...agents.act(moment), ...(retail?.act(moment) ?? [])]);
  const liveCommandsOf = (agents: MarketParticipants, moment: Moment): readonly Command[] => [
    ...agents.approach(moment),
    ...commandsOf(agents, moment),
  ];
  /** Submits the commands at once, so that they share a journal batch. */
  const post = async (commands: readonly Command[]): Promise<void> => {
    await Promise.all(commands.map((command) => ingress.post(command)));
    for (const command of commands) {
      if (command.kind === 'requote') {
        for (const order of command.cancel) traders?.fold.forget(command.account, command.symbol, order);
      }
    }
  };
  const rewind = async (now: number): Promise<void> => {
    if (await hasHistory(queries)) return;
    const position = await queries.position();
    clock.set(Math.max(position.at, now - historyMs));
  };
  const seedHistory: MarketSimulation['seedHistory'] = async ({ now, onProgress }) => {
    if (await hasHistory(queries)) return;
    await rewind(now);
    const agents = await enter(now - clock.now());
    const from = clock.now();
    const moments = countHistoryMoments(from, now);
    const days = Math.max(1, Math.round((now - from) / 86_400_000));
    const pending: Promise<void>[] = [];
    let at = from;
    for (let index = 0; at < now; index += 1) {
      if (index % Math.ceil(moments / progressSteps) === 0) {
        const day = Math.max(1, Math.ceil((at - from) / 86_400_000));
        onProgress({ text: `trading the past ${days} days, now at day ${day}`, done: index / moments });
      }
      const next = nextHistoryMoment(at, now);
      const moment: Moment = { now: next, elapsedMs: next - at, pace: 'history', whole: false };
      pending.push(post(agents.approach(moment)));
      clock.set(next);
      if (isOtherDay(at, next)) {
        await Promise.all(pending.splice(0));
        await admit(retail!, now - next);
      }
      pending.push(post(commandsOf(agents, moment)));
      at = next;
      if (pending.length >= 2 * momentsTogether || at === now) await Promise.all(pending.splice(0));
    }
    onProgress({ text: 'quoting the whole book', done: 1 });
    clock.followWallClock();
    participants = await goLive(submit, participants);
    await post(liveCommandsOf(agents, { now: clock.now(), elapsedMs: tickMs, pace: 'live', whole: true }));
  };
  const start = async (): Promise<void> => {
    await enter(0);
    participants = await goLive(submit, participants);
    let last = clock.now();
    isWholeDue = true;
    let pausedTicks = 0;
    const tick = async (): Promise<void> => {
      const now = clock.now();
      const isCoarse = ports.pace?.isCoarse() ?? false;
      const elapsedMs = Math.min(Math.max(0, now - last), isCoarse ? longestStepMs : longestPauseMs);
      last = now;
      await pausedContracts.enableDue(now).catch(ports.onTrouble);
      if (!(await queries.isTradingOpen())) {
        isWholeDue = true;
        return;
      }
      if (traders === null || (elapsedMs === 0 && (isCoarse || !isWholeDue))) return;
      const whole = isWholeDue;
      isWholeDue = isCoarse;
      try {
        await post(liveCommandsOf(traders, { now, elapsedMs, pace: isCoarse ? 'history' : 'live', whole }));
      } catch (error) {
        isWholeDue ||= whole;
        pausedTicks = troublePauseTicks;
        ports.onTrouble(error);
      }
    };
    const beat = (): Promise<void> => {
      running ??= tick().finally(() => {
        running = null;
      });
      return running;
    };
    stopQuoting = ports.pace?.onFine(beat) ?? stopQuoting;
    stopTicking = ports.repeat(tickMs, () => {
      if (running !== null) return running;
      if (pausedTicks > 0) {
        pausedTicks -= 1;
        return;
      }
      return beat();
    });
  };
  const stop = async (): Promise<void> => {
    stopTicking();
    stopQuoting();
    if (running !== null) await running;
    unsubscribe();
    traders = null;
    retail = null;
  };
  const takeUpListing = async (): Promise<void> => {
    while (running !== null) await running;
    if (traders === null) return;
    const { values } = traders;
    const built = build(0, values);
    // Steps that wait for it do not fail with it.
    running = built.then(
      () => void (running = null),
      () => void (running = null),
    );
    await built;
  };
  const move: MarketSimulation['move'] = ({ assets, factor, durationMs }) => {
    for (const asset of assets) traders?.move(asset, factor, durationMs);
  };
  const names = (): readonly string[] => traders?.markets.map(({ rules }) => rules.name) ?? marketNames;
  return {
    seed: ports.seed,
    get assets() {
      return movingIn(traders?.values ?? { profiles: assetProfiles });
    },
    get isActing() {
      return traders !== null;
    },
    markets: () => names().map((name) => ({ name, condition: conditions.of(name) })),
    setCondition: (markets, condition) => {
      const known = names();
      for (const market of markets) if (!known.includes(market)) throw new RangeError(`nobody trades ${market}`);
      for (const market of markets) conditions.set(market, condition);
    },
    clearConditions: () => conditions.clear(),
    ...pathControls(() => traders),
    ...replayControls(replays, () => traders),
    ...{ takeUpListing, enableAt: pausedContracts.enableAt },
    ...{ move, rewind, seedHistory, start, stop },
  };
}
