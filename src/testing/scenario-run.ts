import type { TestAccount, TestExchange } from '#testing/test-exchange.ts';

/** An exchange that runs already: a sandbox, in which the runner takes back what it did. */
export type SandboxAddress = Pick<TestExchange, 'baseUrl' | 'wsUrl' | 'operatorUrl' | 'operatorToken'>;

/** What a bot that runs beside a scenario gets. */
export interface ScenarioExchange extends SandboxAddress {
  /** Accounts of the scenario, by name. */
  readonly accounts: Readonly<Record<string, TestAccount>>;
}

/** A step that was made. */
export interface ScenarioStepMade {
  /** Where it stands, from 1: `3`. */
  readonly number: string;
  /** What it did, in one line. */
  readonly text: string;
  /** Its note; `null`: it has none. */
  readonly note: string | null;
  /** Milliseconds of the machine. */
  readonly ms: number;
}

/** How a scenario is run. Each member may be left out. DEC-KIT-72. */
export interface ScenarioOptions {
  /** The exchange that it is run against; without it one is started, and ends with the run. */
  readonly against?: SandboxAddress;
  /** Seed of the exchange that is started, in place of the file's. */
  readonly seed?: string;
  /**
   * Called once the accounts are there, before the first step: it starts a bot, and may answer what stops it, which is
   * called behind the last step. The run fails where either rejects.
   */
  readonly beside?: (exchange: ScenarioExchange) => Promise<(() => unknown) | undefined | void>;
  /** Called after each step; of steps that are repeated once, after all of them. */
  readonly onStep?: (step: ScenarioStepMade) => void;
  /** Ends the run before the next step. */
  readonly signal?: AbortSignal;
}

/** A scenario that was run to its end. */
export interface ScenarioResult {
  readonly name: string;
  /** Steps that were made, those of rounds each time. */
  readonly steps: number;
  /** Milliseconds of the machine, without the start of the exchange. */
  readonly ms: number;
}

/** A fault of a file: where, which member, and what it must be, as a clause. Lines and columns count from 1. */
export interface ScenarioFault {
  readonly line: number;
  readonly column: number;
  /** `steps[2].order.price`; empty: the file as a whole. */
  readonly member: string;
  readonly detail: string;
}

/** A file is no scenario: nothing of it is done. DEC-KIT-70. */
export class ScenarioInvalid extends Error {
  override readonly name: string = 'ScenarioInvalid';
  /** In the order of the file. */
  readonly faults: readonly ScenarioFault[];

  constructor(file: string, faults: readonly ScenarioFault[]) {
    const lines = faults.map(({ line, column, member, detail }) => {
      const what = member === '' ? detail : `${member} ${detail}`;
      return `${file}:${line}:${column}: ${what}`;
    });
    super(lines.join('\n'));
    this.faults = faults;
  }
}

/** How a step failed. */
export interface ScenarioFailure {
  /** Where the step stands: `3`, or `3.1` within a step that repeats. */
  readonly step: string;
  /** What it does, in one line. */
  readonly text: string;
  readonly expected: string;
  readonly seen: string;
  /** The newest requests of the exchange's log, a line each, oldest first; none where it has no log. */
  readonly requests: readonly string[];
}

/** A step of a scenario failed: those behind it were not made. DEC-KIT-72. */
export class ScenarioFailed extends Error {
  override readonly name: string = 'ScenarioFailed';
  readonly failure: ScenarioFailure;

  constructor(scenario: string, failure: ScenarioFailure) {
    const { step, text, expected, seen, requests } = failure;
    const lines = requests.length === 0 ? [] : ['newest requests:', ...requests.map((line) => `  ${line}`)];
    const what = [`expected ${expected}`, `seen ${seen}`, ...lines].map((line) => `  ${line}`);
    super(`${scenario}: step ${step} failed: ${text}\n${what.join('\n')}`);
    this.failure = failure;
  }
}
