import { type JsonSchema, jsonSchemaOf, sampleOf } from '#http/documents/json-schema.ts';
import { anchorOf, markdownOf, table } from '#http/documents/markdown.ts';
import { catalogue, groups } from '#operator-api/catalogue.ts';
import { descriptionOf as sentencesOf } from '#http/declared-endpoint.ts';
import { type AnyOperatorEndpoint, commandsOf } from '#operator-api/declaration/endpoint.ts';
import { problemsOf } from '#operator-api/documents/openapi.ts';
import {
  editProblems,
  type ProblemCode,
  problems,
  sharedProblems,
  writeProblems,
} from '#operator-api/requests/problems.ts';

/** The reference of the operator API as Markdown; written to `docs/reference/` by `tools/generate-reference.mjs`. */

/** Type and bounds of a member in words. */
function typeText(schema: JsonSchema): string {
  const either = schema['anyOf'] as readonly JsonSchema[] | undefined;
  if (either !== undefined) return either.map(typeText).join(' or ');
  const words = schema['enum'] as readonly string[] | undefined;
  if (words !== undefined) return words.map((word) => `\`${word}\``).join(', ');
  if (schema['type'] === 'array') return `list of ${typeText((schema['items'] ?? {}) as JsonSchema)}`;
  const { minimum, maximum } = schema;
  const bounds = minimum === undefined || maximum === undefined ? '' : `, ${String(minimum)} to ${String(maximum)}`;
  return `${String(schema['type'] ?? 'any')}${bounds}`;
}

/** What a member is: its own words, else those of what it may be. */
function descriptionOf(schema: JsonSchema): string {
  const { description } = schema;
  if (description !== undefined) return String(description);
  const either = (schema['anyOf'] ?? []) as readonly JsonSchema[];
  return either.map(descriptionOf).find((text) => text !== '') ?? '';
}

interface PartRow {
  readonly name: string;
  readonly place: string;
  readonly isRequired: boolean;
  readonly schema: JsonSchema;
}

function rowsOf({ parameters, query, body }: AnyOperatorEndpoint): readonly PartRow[] {
  const parts = { path: parameters, query, body };
  return Object.entries(parts).flatMap(([place, part]) => {
    if (part === null) return [];
    const schema = jsonSchemaOf(part, 'input');
    const required = (schema['required'] ?? []) as readonly string[];
    const properties = (schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>;
    return Object.entries(properties).map(([name, member]) => ({
      name,
      place,
      isRequired: place === 'path' || required.includes(name),
      schema: member,
    }));
  });
}

function endpointSection(endpoint: AnyOperatorEndpoint): string {
  const { name, method, path, scope, answer } = endpoint;
  const rows = rowsOf(endpoint).map((row) => [
    `\`${row.name}\``,
    row.place,
    typeText(row.schema),
    row.isRequired ? 'yes' : 'no',
    descriptionOf(row.schema),
  ]);
  const own = endpoint.problems.map((code) => `\`${code}\` (${problems[code].status})`);
  const edited = endpoint.edits === undefined ? null : catalogue[endpoint.edits as keyof typeof catalogue].name;
  const ifMatch = edited === null ? '' : ` \`If-Match\` takes the \`ETag\` of [${edited}](#${anchorOf(edited)}).`;
  const shaped = endpoint.isStreamed === true ? 'each line' : 'the answer';
  const sandbox = endpoint.sandboxOnly === undefined ? '' : ' In the sandbox only.';
  return markdownOf([
    `### ${name}`,
    `\`${method} ${path}\` — ${commandsOf(endpoint)
      .map(({ words }) => `\`bourse op ${words}\``)
      .join(', ')}`,
    `${sentencesOf(endpoint)}${sandbox}${ifMatch}${scope === null ? '' : ` Scope: \`${scope}\`.`}`,
    rows.length === 0 ? '' : table(['member', 'in', 'type', 'required', 'what it is'], rows),
    own.length === 0 ? '' : `Problems of its own: ${own.join(', ')}.`,
    `Shape of ${shaped}:\n\n\`\`\`json\n${JSON.stringify(sampleOf(jsonSchemaOf(answer)), null, 2)}\n\`\`\``,
  ]).trimEnd();
}

const groupSection = ({ name, description, endpoints }: (typeof groups)[number]): readonly string[] => [
  `## ${name}`,
  description,
  ...Object.values<AnyOperatorEndpoint>(endpoints).map(endpointSection),
];

function problemTable(): string {
  const all = Object.values<AnyOperatorEndpoint>(catalogue);
  const shown = (Object.keys(problems) as ProblemCode[]).filter((code) =>
    all.some((endpoint) => problemsOf(endpoint).includes(code)),
  );
  const users = (code: ProblemCode): string => {
    if (sharedProblems.includes(code)) return 'every endpoint';
    if (writeProblems.includes(code)) return 'every write';
    if (code === 'tooManyStreams') return 'every stream';
    if (editProblems.includes(code)) return 'every write that takes `If-Match`';
    return all
      .filter((endpoint) => endpoint.problems.includes(code))
      .map(({ name }) => `[${name}](#${anchorOf(name)})`)
      .join(', ');
  };
  return table(
    ['code', 'HTTP', 'title', 'from'],
    shown.map((code) => [`\`${code}\``, `${problems[code].status}`, problems[code].title, users(code)]),
  );
}

/** Documents generated from the operator's catalogue, by their file names in `docs/reference/`. */
export function operatorReferenceDocuments(): Readonly<Record<string, string>> {
  const overview = groups.flatMap(({ endpoints }) =>
    Object.values<AnyOperatorEndpoint>(endpoints).map(({ name, method, path, scope }) => [
      `[${name}](#${anchorOf(name)})`,
      `\`${method} ${path}\``,
      scope === null ? 'any token' : `\`${scope}\``,
    ]),
  );
  const document = markdownOf([
    '# Endpoints of the operator API',
    '<!-- Generated by tools/generate-reference.mjs; edit src/operator-api instead. -->',
    'How to call them: [operator-api.md](../operations/operator-api.md). A running exchange shows the same at ' +
      '`/docs` of its operator port, and as OpenAPI 3.1 at `/openapi.json`.',
    table(['name', 'endpoint', 'scope'], overview),
    ...groups.flatMap(groupSection),
    '## Problems',
    problemTable(),
  ]);
  return { 'operator-endpoints.md': document };
}
