import type { MarketControls } from '#sandbox/market-controls.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';
import { invalidBody, Problem } from '#operator-api/requests/problems.ts';

/** Controls of the simulated traders. @throws Problem where there are none. */
export function simulationOf({ simulation }: Pick<OperatorContext, 'simulation'>): MarketControls {
  if (simulation === null) throw new Problem('unknownPath');
  return simulation;
}

/** @throws Problem naming the first name of a list that is none of those that traders know. */
export function requireKnown(member: string, named: readonly string[], known: readonly string[]): void {
  const unknown = named.findIndex((each) => !known.includes(each));
  if (unknown >= 0) requireKnownName(`/${member}/${unknown}`, named[unknown]!, known);
}

/** @throws Problem where a name is none of those that traders know. */
export function requireKnownName(pointer: string, name: string, known: readonly string[]): void {
  if (!known.includes(name)) throw invalidBody(pointer, `must be one of ${known.join(', ')}, which the traders know`);
}
