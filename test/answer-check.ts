import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { momentFormat } from '#operator-api/declaration/fields.ts';

/** An answer as a client got it. */
export interface CheckedAnswer {
  readonly status: number;
  /** Value of a header; `null`: it was not sent. */
  readonly header: (name: string) => string | null;
  readonly text: string;
}

// biome-ignore lint/suspicious/noExplicitAny: the document is read as its readers get it
type Json = any;

const pointer = (...parts: readonly string[]): string =>
  parts.map((part) => `/${encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('');

interface Responses {
  /** Where they stand in the document. */
  readonly at: readonly string[];
  readonly byStatus: Json;
}

/**
 * Holds answers against the OpenAPI document that their server serves: status, content type, headers that are
 * announced, and the body by its schema: members, types, patterns, words, codes.
 */
export class AnswerCheck {
  private readonly document: Json;
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true, formats: { [momentFormat]: true } });
  private readonly validators = new Map<string, ValidateFunction>();
  private readonly templates: readonly (readonly [string, RegExp])[];

  constructor(document: Json) {
    this.document = document;
    this.ajv.addSchema({ $id: 'document', ...document }, undefined, undefined, false);
    this.templates = Object.keys(document.paths).map((path) => [
      path,
      new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
    ]);
  }

  /** The operation that a request is for; `undefined`: the document has none. */
  operationOf(method: string, target: string): Json {
    const path = this.templateOf(target);
    return path === undefined ? undefined : this.document.paths[path][method.toLowerCase()];
  }

  /** What an answer says that the document does not; empty when nothing does. */
  faults(method: string, target: string, answer: CheckedAnswer): readonly string[] {
    const { status, text } = answer;
    if (method === 'OPTIONS' && status === 204) return text === '' ? [] : ['204 with a body'];
    const { at, byStatus } = this.responsesOf(method, target);
    const response = byStatus[status];
    if (response === undefined) return [`status ${status} is not among ${Object.keys(byStatus)}`];
    const type = (answer.header('content-type') ?? 'none').split(';')[0] as string;
    if (response.content[type] === undefined) return [`content type ${type}`];
    const missing = Object.keys(response.headers ?? {}).filter((name) => answer.header(name) === null);
    const headerFaults = missing.map((name) => `header ${name} is missing`);
    if (method === 'HEAD') return headerFaults;
    const place = [...at, `${status}`, 'content', type, 'schema'];
    if (type === 'text/csv') return headerFaults;
    const bodies = type === 'application/x-ndjson' ? text.split('\n').slice(0, -1) : [text];
    const schemaFaults = bodies.flatMap((body) => this.bodyFaults(place, body));
    return [...headerFaults, ...schemaFaults];
  }

  /** What is wrong with a value by the schema at a place of the document. */
  schemaFaults(place: readonly string[], value: unknown): readonly string[] {
    const reference = `document#${pointer(...place)}`;
    let validate = this.validators.get(reference);
    if (validate === undefined) {
      validate = this.ajv.compile({ $ref: reference });
      this.validators.set(reference, validate);
    }
    if (validate(value)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath || 'body'} ${message} ${JSON.stringify(params)}`,
    );
  }

  private bodyFaults(place: readonly string[], text: string): readonly string[] {
    let body: unknown;
    try {
      body = JSON.parse(text);
    } catch {
      return ['the body is no JSON'];
    }
    return this.schemaFaults(place, body);
  }

  private templateOf(target: string): string | undefined {
    const path = target.split('?')[0] as string;
    if (this.document.paths[path] !== undefined) return path;
    return this.templates.find(([, pattern]) => pattern.test(path))?.[0];
  }

  private responsesOf(method: string, target: string): Responses {
    const operation = this.operationOf(method, target);
    if (operation !== undefined) {
      const at = ['paths', this.templateOf(target) as string, method.toLowerCase(), 'responses'];
      return { at, byStatus: operation.responses };
    }
    const unrouted = this.document['x-unrouted'];
    const path = target.split('?')[0] as string;
    const prefix = Object.keys(unrouted).find((each) => path === each || path.startsWith(`${each}/`)) ?? '/';
    return { at: ['x-unrouted', prefix], byStatus: unrouted[prefix] };
  }
}
