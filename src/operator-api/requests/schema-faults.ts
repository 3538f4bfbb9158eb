import type { z } from 'zod';

const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  int: 'a whole number',
  number: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
};

/** What is counted where an issue is about the size of text or a list. */
const countedIn: Readonly<Record<string, string>> = { string: ' characters', array: ' items' };

/** `must have at most 64 characters`, `must be at least 1`. */
function boundClause(origin: string, bound: string): string {
  const counted = countedIn[origin];
  return counted === undefined ? `must be ${bound}` : `must have ${bound}${counted}`;
}

/** What an issue of a schema says of its member: a clause such as `must be text`. */
function clauseOf(issue: z.core.$ZodIssue, isMissing: boolean): string {
  if (isMissing) return 'is missing';
  if (issue.message.startsWith('must ')) return issue.message;
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${typeNames[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return boundClause(issue.origin, `at least ${issue.minimum}`);
    case 'too_big':
      return boundClause(issue.origin, `at most ${issue.maximum}`);
    default:
      return 'is not what it must be';
  }
}

/** Whether nothing stands at a path of a value. */
function isMissingAt(value: unknown, path: readonly PropertyKey[]): boolean {
  let at = value;
  for (const name of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return true;
    at = (at as Record<PropertyKey, unknown>)[name];
  }
  return false;
}

/** What is at fault in a value: where, and a clause such as `must be text`. */
export interface SchemaFault {
  readonly path: readonly PropertyKey[];
  readonly detail: string;
}

/** Faults of a value that a schema refused, unknown members each by its name. */
export function faultsOf(error: z.ZodError, value: unknown): readonly SchemaFault[] {
  return error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({ path: [...issue.path, key], detail: 'is not known here' }))
      : [{ path: issue.path, detail: clauseOf(issue, isMissingAt(value, issue.path)) }],
  );
}
