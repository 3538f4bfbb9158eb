import type { z } from 'zod';
import { descriptionOf } from '#http/declared-endpoint.ts';
import { type JsonSchema, jsonSchemaOf } from '#http/documents/json-schema.ts';
import { catalogue as operatorCatalogue } from '#operator-api/catalogue.ts';
import type { AnyOperatorEndpoint } from '#operator-api/declaration/endpoint.ts';
import { catalogue as publicCatalogue } from '#public-api/catalogue.ts';
import { type AnyEndpoint, isMutating } from '#public-api/declaration/endpoint.ts';
import { type FieldFacts, factsOf } from '#public-api/declaration/fields.ts';
import { callDocstring, pascalCase, snakeCase } from './python-text.ts';
import { literal, PythonTypes } from './python-types.ts';

/*
 * The endpoints of both APIs as classes of Python: a method each, with its parameters by keyword, and the types of what
 * they take and answer. What sends them is written by hand. DEC-KIT-90.
 */

interface Parameter {
  /** As it is sent. */
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
}

interface Method {
  readonly id: string;
  readonly text: string;
  readonly parameters: readonly Parameter[];
  /** Arguments of the call that carries it out, behind the endpoint. */
  readonly sent: readonly string[];
  /** The endpoint as data. */
  readonly endpoint: string;
  readonly answer: string;
}

const isNullable = (type: string): boolean => / \| None$/.test(type);

/** One argument; where a null means something, what is left out is told apart from it. */
function argumentText({ name, type, isRequired }: Parameter): string {
  const argument = snakeCase(name);
  if (isRequired) return `        ${argument}: ${type},\n`;
  if (isNullable(type)) return `        ${argument}: ${type.replace(/ \| None$/, ' | Omitted | None')} = OMITTED,\n`;
  return `        ${argument}: ${type} | None = None,\n`;
}

function callText({ id, text, parameters, sent, endpoint, answer }: Method): string {
  const ordered = [...parameters.filter((each) => each.isRequired), ...parameters.filter((each) => !each.isRequired)];
  const taken =
    ordered.length === 0 ? 'self' : `\n        self,\n        *,\n${ordered.map(argumentText).join('')}    `;
  const about = callDocstring(
    text,
    ordered.map(({ name, description }) => ({ name: snakeCase(name), description })),
  );
  const passed = [endpoint, ...sent].map((line) => `            ${line},\n`).join('');
  return (
    `    async def ${snakeCase(id)}(${taken}) -> ${answer}:\n${about}` +
    `        answer: ${answer} = await self._call(\n${passed}        )\n        return answer\n`
  );
}

/** Members as a dict of Python: those that are `None` are left out by whoever sends them. */
const dictText = (names: readonly string[]): string =>
  `{${names.map((name) => `${JSON.stringify(name)}: ${snakeCase(name)}`).join(', ')}}`;

function publicType({ type, values }: FieldFacts): string {
  switch (type) {
    case 'string':
      return 'str';
    case 'integer':
      return 'int';
    case 'decimal':
      return 'Amount';
    case 'boolean':
      return 'bool';
    case 'enum':
      return literal(values ?? []);
    case 'list':
      return 'str | Sequence[str]';
    case 'orders':
      return 'Sequence[Mapping[str, Any]]';
  }
}

function publicDescription({ type, description, min, max, default: byDefault }: FieldFacts): string {
  const bounds = type === 'integer' && max !== undefined && max < 1e9 ? [`${min} to ${max}.`] : [];
  return [description, ...bounds, ...(byDefault === undefined ? [] : [`By itself ${byDefault}.`])].join(' ');
}

function publicCall(id: string, endpoint: AnyEndpoint, types: PythonTypes): Method {
  const parameters = Object.entries(endpoint.request.shape as Record<string, z.ZodType>).map(([name, field]) => {
    const facts = factsOf(field);
    return { name, type: publicType(facts), isRequired: facts.required, description: publicDescription(facts) };
  });
  const isSigned = endpoint.access.kind === 'signed';
  const parts = [id, endpoint.method, endpoint.path, endpoint.surface].map((part) => JSON.stringify(part));
  const flags = [isSigned, isMutating(endpoint), endpoint.envelope !== 'bare'].map((flag) => (flag ? 'True' : 'False'));
  return {
    id,
    text: descriptionOf(endpoint),
    parameters,
    sent: [dictText(parameters.map(({ name }) => name))],
    endpoint: `Endpoint(${[...parts, ...flags].join(', ')})`,
    answer: types.typeOf(jsonSchemaOf(endpoint.response), `${pascalCase(id)}Answer`),
  };
}

function operatorParameters(id: string, schema: JsonSchema, types: PythonTypes): readonly Parameter[] {
  const { properties = {}, required = [] } = schema as {
    readonly properties?: Readonly<Record<string, JsonSchema>>;
    readonly required?: readonly string[];
  };
  return Object.entries(properties).map(([name, each]) => ({
    name,
    type: types.typeOf(each, `${pascalCase(id)}${pascalCase(name)}`),
    isRequired: required.includes(name),
    description: String(each['description'] ?? ''),
  }));
}

function operatorCall(id: string, endpoint: AnyOperatorEndpoint, sent: PythonTypes, answered: PythonTypes): Method {
  const isStreamed = endpoint.isStreamed === true;
  const query = isStreamed ? endpoint.query.omit({ format: true }) : endpoint.query;
  const [inPath, inQuery, inBody] = [endpoint.parameters, query, endpoint.body].map((part) =>
    part === null ? [] : operatorParameters(id, jsonSchemaOf(part, 'input'), sent),
  ) as [readonly Parameter[], readonly Parameter[], readonly Parameter[]];
  const answer = answered.typeOf(jsonSchemaOf(endpoint.answer), `${pascalCase(id)}Answer`);
  const parts = [id, endpoint.method, endpoint.path].map((part) => JSON.stringify(part));
  // Where these are None that is sent, and says something; None is left out elsewhere.
  const nullable = inBody.flatMap(({ name, type }) => (isNullable(type) ? [`${JSON.stringify(name)},`] : []));
  const names = (parameters: readonly Parameter[]) => dictText(parameters.map(({ name }) => name));
  return {
    id,
    text: descriptionOf(endpoint),
    parameters: [...inPath, ...inQuery, ...inBody],
    sent: [names([...inPath, ...inQuery]), endpoint.body === null ? 'None' : names(inBody)],
    endpoint: `OperatorEndpoint(${[...parts, isStreamed ? 'True' : 'False', `(${nullable.join(' ')})`].join(', ')})`,
    answer: isStreamed ? `list[${answer}]` : answer,
  };
}

const head = (about: string, imports: readonly string[]): string =>
  [
    `"""${about}`,
    '',
    'Generated by tools/generate-reference.mjs of the catalogue; edit that instead.',
    '"""',
    '',
    'from __future__ import annotations',
    '',
    ...imports,
    '',
    '',
    '',
  ].join('\n');

const publicImports = [
  'from abc import ABC, abstractmethod',
  'from collections.abc import Mapping, Sequence',
  'from decimal import Decimal',
  'from typing import Any, Literal',
  '',
  'from typing_extensions import NotRequired, TypedDict',
  '',
  'from bourse.decimals import Amount',
  'from bourse.endpoint import Endpoint',
];

/** `bourse/generated/public_api.py`. */
export function publicApi(): string {
  const types = new PythonTypes('answered');
  const calls = Object.entries<AnyEndpoint>(publicCatalogue).map(([id, endpoint]) => publicCall(id, endpoint, types));
  const sending =
    '    @abstractmethod\n' +
    '    async def _call(self, endpoint: Endpoint, parameters: Mapping[str, Any]) -> Any:\n' +
    '        """Sends a request, and answers what came of it."""\n\n';
  const start = 'class PublicApi(ABC):\n    """Every endpoint of the public API as a method."""\n\n';
  return [
    head('The public API: a method for each endpoint, and the types of their answers.', publicImports),
    types.declarations(),
    `\n\n${start}${sending}${calls.map(callText).join('\n')}`,
  ].join('');
}

const operatorImports = [
  'from abc import ABC, abstractmethod',
  'from collections.abc import Mapping, Sequence',
  'from typing import Any, Literal',
  '',
  'from typing_extensions import NotRequired, TypedDict',
  '',
  'from bourse.endpoint import OMITTED, Omitted, OperatorEndpoint',
];

/** `bourse/generated/operator_api.py`. */
export function operatorApi(): string {
  const [sent, answered] = [new PythonTypes('sent'), new PythonTypes('answered')];
  const calls = Object.entries<AnyOperatorEndpoint>(operatorCatalogue).map(([id, endpoint]) =>
    operatorCall(id, endpoint, sent, answered),
  );
  const sending =
    '    @abstractmethod\n    async def _call(\n        self,\n        endpoint: OperatorEndpoint,\n' +
    '        parameters: Mapping[str, Any],\n        body: Mapping[str, Any] | None,\n    ) -> Any:\n' +
    '        """Sends a request, and answers what came of it."""\n\n';
  const start = 'class OperatorApi(ABC):\n    """Every endpoint of the operator API as a method."""\n\n';
  return [
    head('The operator API: a method for each endpoint, and the types of what they take and answer.', operatorImports),
    [sent.declarations(), answered.declarations()].filter((text) => text !== '').join('\n\n'),
    `\n\n${start}${sending}${calls.map(callText).join('\n')}`,
  ].join('');
}
