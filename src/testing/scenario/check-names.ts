import type { SchemaFault } from '#operator-api/requests/schema-faults.ts';
import { referencesIn } from '#testing/scenario/references.ts';
import { scenarioLimits } from '#testing/scenario/scenario-schema.ts';

type Path = readonly PropertyKey[];
const isTree = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Names that steps may use at a place of the file. */
interface Known {
  readonly accounts: ReadonlySet<string>;
  readonly answers: Set<string>;
  readonly streams: Set<string>;
}

/** Names that steps use before anything has them: accounts, answers of earlier steps, streams. DEC-KIT-71. */
export function checkNames(scenario: unknown): readonly SchemaFault[] {
  if (!isTree(scenario)) return [];
  const { accounts, steps } = scenario;
  const known = {
    accounts: new Set(isTree(accounts) ? Object.keys(accounts) : []),
    answers: new Set<string>(),
    streams: new Set<string>(),
  };
  return checkSteps(steps, ['steps'], known);
}

function checkSteps(steps: unknown, path: Path, known: Known): readonly SchemaFault[] {
  if (!Array.isArray(steps)) return [];
  const depth = path.filter((part) => part === 'steps').length;
  if (depth > scenarioLimits.nested)
    return [{ path, detail: `must not be repeated within more than ${scenarioLimits.nested - 1} others` }];
  return steps.flatMap((step, at) => (isTree(step) ? checkStep(step, [...path, at], known) : []));
}

function checkStep(step: Readonly<Record<string, unknown>>, path: Path, known: Known): readonly SchemaFault[] {
  const { repeat, as, listen, ...others } = step;
  const faults = [...checkValue({ ...others, ...(listen === undefined ? {} : { listen }) }, path, known)];
  if (isTree(listen) && typeof listen['stream'] === 'string') known.streams.add(listen['stream']);
  if (isTree(repeat)) {
    const { count, steps } = repeat;
    if (typeof count === 'string') faults.push(...taken(count, [...path, 'repeat', 'count'], known));
    faults.push(...checkSteps(steps, [...path, 'repeat', 'steps'], known));
  }
  if (typeof as === 'string') faults.push(...taken(as, [...path, 'as'], known));
  return faults;
}

/** Gives a name to an answer: later ones may take it over, but no account's. */
function taken(name: string, path: Path, { accounts, answers }: Known): readonly SchemaFault[] {
  answers.add(name);
  return accounts.has(name) ? [{ path, detail: 'must not be the name of an account' }] : [];
}

/** Members whose content is not the scenario's own. */
const foreign: ReadonlySet<PropertyKey> = new Set(['parameters', 'with', 'has', 'answer']);

/** References and names of accounts and streams in a value, wherever they stand. */
function checkValue(value: unknown, path: Path, known: Known): readonly SchemaFault[] {
  if (typeof value === 'string') return checkText(value, path, known);
  if (Array.isArray(value)) return value.flatMap((item, at) => checkValue(item, [...path, at], known));
  if (!isTree(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const at = [...path, name];
    if (typeof inner !== 'string' || inner.includes(`\${`)) return checkValue(inner, at, known);
    if (path.some((part) => foreign.has(part))) return [];
    if (name === 'account' && !known.accounts.has(inner))
      return [{ path: at, detail: `must be an account of the scenario: ${[...known.accounts].join(', ') || 'none'}` }];
    if (name === 'stream' && path.at(-1) !== 'listen' && !known.streams.has(inner))
      return [
        { path: at, detail: `must be a stream that an earlier step opens: ${[...known.streams].join(', ') || 'none'}` },
      ];
    return [];
  });
}

function checkText(text: string, path: Path, { accounts, answers }: Known): readonly SchemaFault[] {
  const unclosed = text.replaceAll(/\$\{[^}]*\}/g, '').includes(`\${`);
  return [...referencesIn(text), ...(unclosed ? [null] : [])].flatMap((reference) => {
    if (reference === null) return [{ path, detail: `must have references such as \${name.member}` }];
    const [name = ''] = reference.split('.');
    return accounts.has(name) || answers.has(name)
      ? []
      : [{ path, detail: `must not use ${name} before a step has it as its name` }];
  });
}
