/** What a scenario is about. */
export interface ScenarioText {
  /** Name of its file, by which it is run. */
  readonly id: string;
  /** What happens. */
  readonly name: string;
  /** Why it bites. */
  readonly why: string;
  /** The whole file. */
  readonly text: string;
}

/** What stands at the head of a scenario that Bourse brings along: its name in a line, its reason in folded lines. */
export function scenarioText(path: string, text: string): ScenarioText {
  const id = path.replace(/^.*\//, '').replace(/\.yaml$/, '');
  const name = /^name: (.+)$/m.exec(text)?.[1] ?? id;
  const folded = /^why: >\n((?: {2}.+\n)+)/m.exec(text)?.[1] ?? '';
  return { id, name, why: folded.replaceAll(/\s+/g, ' ').trim(), text };
}
