import { pino, type Logger } from 'pino';
import { ClusterRefused } from '#main/cluster/join-chain.ts';
import type { ExchangeOptions, RunningExchange } from '#main/composition/open-exchange.ts';
import { openHosted } from '#main/states/sandbox-host.ts';
import type { StartLines } from '#main/start-lines.ts';
import { exitCodes } from '#operator-commands/exit-codes.ts';

/** What a start is given. */
export interface AllInOneOptions
  extends Pick<ExchangeOptions, 'config' | 'configurationFile' | 'directory' | 'version' | 'onServing'> {
  readonly lines: StartLines;
}

/**
 * Runs the exchange in this process until it is stopped or fails. Answers the exit code.
 * @throws what `openHosted` throws
 */
export async function runAllInOne({ lines, ...options }: AllInOneOptions): Promise<number> {
  const { config } = options;
  const log = pino({ level: config.logLevel }, process.stderr);
  const stop = waitForStop(log, lines);
  const called = { onFailed: stop.failed, onStepDown: stop.stepDown, stopped: stop.asked };
  try {
    const exchange = await openHosted({ ...options, ...called, tell: lines.tell, log });
    if (exchange === null) return await stop.asked;
    tellReady(lines, exchange);
    const code = await stop.asked;
    if (!stop.isOrderly()) return code;
    lines.tell('Stopping: finishing what is in flight.');
    return await closedWithin(config.shutdownSeconds, code, exchange.close);
  } catch (error) {
    // What fails while it ends for that reason is not why it ends.
    if (stop.isRefused()) return exitCodes.usage;
    throw error;
  } finally {
    stop.end();
  }
}

/** Tells that all is ready: people in full, programs without the keys, which `demo.json` has for them. */
function tellReady({ isForPeople, tell }: StartLines, { addresses, welcome, clock }: RunningExchange): void {
  if (welcome === null) tell(`Bourse is ready: ${addresses.baseUrl}`, addresses);
  else tell(isForPeople ? welcome : 'Bourse sandbox is ready.', { ...addresses, clock });
}

/** Resolves with the code when all is closed, with 1 when that takes too long. */
async function closedWithin(seconds: number, code: number, close: () => Promise<void>): Promise<number> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<number>((resolve) => {
    timer = setTimeout(() => resolve(1), seconds * 1000);
  });
  try {
    return await Promise.race([close().then(() => code), tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

/** When a process ends, and how. */
interface Stop {
  /** Resolves with the exit code: 0 when the process is asked to stop, 2 when its cluster refuses it, else 1. */
  readonly asked: Promise<number>;
  /** Whether it finishes what is on its way. */
  readonly isOrderly: () => boolean;
  /** Whether its cluster refuses it. DEC-CLU-29. */
  readonly isRefused: () => boolean;
  /** Nothing can be acknowledged any more. */
  readonly failed: (error: Error) => void;
  /** As `asked`, but whoever supervises the process has to start it again. DEC-CLU-16. */
  readonly stepDown: () => void;
  /** Leaves the signals of the process alone again. */
  readonly end: () => void;
}

const signals = ['SIGTERM', 'SIGINT'] as const;

function waitForStop(log: Logger, { isForPeople, fail, tell }: StartLines): Stop {
  let resolveCode: (code: number) => void = () => {};
  let isOver = false;
  let isOrderly = true;
  let isRefused = false;
  const asked = new Promise<number>((resolve) => {
    resolveCode = resolve;
  });
  const end = (code: number, orderly = true): void => {
    if (!isOver) isOrderly = orderly;
    isOver = true;
    resolveCode(code);
  };
  const onSignal = (): void => end(0);
  for (const signal of signals) process.once(signal, onSignal);
  return {
    asked,
    isOrderly: () => isOrderly,
    isRefused: () => isRefused,
    failed: (error) => {
      if (error instanceof ClusterRefused) {
        isRefused ||= !isOver;
        if (!isOver) fail(error.message);
        end(exitCodes.usage, false);
        return;
      }
      if (isForPeople) fail(error.message);
      log.fatal({ err: error }, 'nothing can be acknowledged any more: stopping, so that recovery can read back');
      end(1, false);
    },
    stepDown: () => {
      if (!isOver) tell('Stepping down: another node is to lead.');
      end(1);
    },
    end: () => {
      for (const signal of signals) process.off(signal, onSignal);
    },
  };
}
