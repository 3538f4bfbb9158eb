/** What the package gives as `bourse/testing`. DEC-KIT-72, DEC-KIT-80. */
// biome-ignore lint/performance/noBarrelFile: a package has one file for each of its exports
export { runScenario } from '#testing/run-scenario.ts';
export {
  type SandboxAddress,
  type ScenarioExchange,
  ScenarioFailed,
  type ScenarioFailure,
  type ScenarioFault,
  ScenarioInvalid,
  type ScenarioOptions,
  type ScenarioResult,
  type ScenarioStepMade,
} from '#testing/scenario-run.ts';
export { startBourse } from '#testing/start-bourse.ts';
export { type FaultyMember, OperatorProblem } from '#testing/operator-problem.ts';
export type { OperatorCalls } from '#testing/operator-calls.ts';
export type { ExchangeFacts, TestAccount, TestExchange, TestExchangeOptions } from '#testing/test-exchange.ts';
export { type TestHooks, useExchange, type UseOptions } from '#testing/use-exchange.ts';
