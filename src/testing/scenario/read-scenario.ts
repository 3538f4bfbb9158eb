import { faultsOf } from '#operator-api/requests/schema-faults.ts';
import { checkNames } from '#testing/scenario/check-names.ts';
import { isOpen } from '#testing/scenario/references.ts';
import { type Scenario, scenarioLimits, scenarioSchema } from '#testing/scenario/scenario-schema.ts';
import { memberText, readYaml, type YamlTree } from '#testing/scenario/yaml-tree.ts';
import { ScenarioInvalid } from '#testing/scenario-run.ts';

/** Faults that are told of one file. */
const faultsMax = 50;

/** Reads a scenario; all is checked that can be before it runs. @throws ScenarioInvalid. DEC-KIT-70, DEC-KIT-71. */
export async function readScenario(text: string, file: string): Promise<Scenario> {
  if (text.length > scenarioLimits.bytes) {
    const detail = `must have at most ${scenarioLimits.bytes} characters`;
    throw new ScenarioInvalid(file, [{ line: 1, column: 1, member: '', detail }]);
  }
  const tree = await readYaml(text);
  if (!('placeOf' in tree)) throw new ScenarioInvalid(file, tree.slice(0, faultsMax));
  const value = withWrittenNumbers(tree);
  const faults = [...schemaFaults(value), ...checkNames(value)]
    .map(({ path, detail }) => ({ ...tree.placeOf(path), member: memberText(path), detail }))
    .sort((one, other) => one.line - other.line || one.column - other.column);
  if (faults.length > 0) throw new ScenarioInvalid(file, faults.slice(0, faultsMax));
  // Members of steps stay as they are written: they are read again once their references are replaced.
  const { steps } = value as Pick<Scenario, 'steps'>;
  const { steps: _, ...others } = scenarioSchema.parse({ ...(value as object), steps: [{ pause: { for: '0ms' } }] });
  return { ...others, steps };
}

/** A member of a path, `undefined` where there is none. */
function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (at, part) =>
      typeof at === 'object' && at !== null ? (at as Readonly<Record<PropertyKey, unknown>>)[part] : undefined,
    value,
  );
}

/** Faults of the schema, but for values that show only when references are replaced. */
function schemaFaults(value: unknown) {
  const { error } = scenarioSchema.safeParse(value);
  return error === undefined ? [] : faultsOf(error, value).filter(({ path }) => !isOpen(valueAt(value, path)));
}

/** The values of a file; amounts that were written without quotes are the text that they were written as. */
function withWrittenNumbers(tree: YamlTree): unknown {
  const value = structuredClone(tree.value);
  const { error } = scenarioSchema.safeParse(value);
  for (const issue of error?.issues ?? []) {
    const written = tree.writtenNumber(issue.path);
    if (issue.code !== 'invalid_type' || issue.expected !== 'string' || written === null) continue;
    const holder = valueAt(value, issue.path.slice(0, -1)) as Record<PropertyKey, unknown>;
    holder[issue.path.at(-1) as PropertyKey] = written;
  }
  return value;
}
