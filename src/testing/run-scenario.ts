import type { ScenarioOptions, ScenarioResult } from '#testing/scenario-run.ts';
import { scenarioText } from '#testing/shipped-scenarios.ts';

/**
 * Runs a scenario: a file by its path, one that the package ships by its name, or an object with the members of a file.
 * Without `against` it starts an exchange in this process, and closes it at the end. DEC-KIT-72.
 * @throws ScenarioInvalid where the file is none, ScenarioFailed at the first step that fails
 */
export async function runScenario(
  scenario: string | URL | Readonly<Record<string, unknown>>,
  options: ScenarioOptions = {},
): Promise<ScenarioResult> {
  const { readScenario } = await import('#testing/scenario/read-scenario.ts');
  const { runChecked } = await import('#testing/scenario/run-checked.ts');
  const isFile = typeof scenario === 'string' || scenario instanceof URL;
  // JSON is YAML.
  const { text, file } = isFile
    ? scenarioText(scenario)
    : { text: JSON.stringify(scenario, null, 1), file: 'scenario' };
  return runChecked(await readScenario(text, file), options);
}
