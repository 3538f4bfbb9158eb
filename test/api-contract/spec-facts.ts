import { readFileSync } from 'node:fs';

/** Facts of the specification as data, in test/spec. */
export interface ParameterFact {
  readonly name: string;
  readonly required: boolean;
  readonly default?: string;
  readonly max?: number;
  readonly itemsMax?: number;
  readonly values?: readonly string[];
  readonly in?: 'path';
}
export type WeightFact = number | { readonly parameter: string; readonly given: number; readonly omitted: number };
export interface EndpointFact {
  readonly method: string;
  readonly path: string;
  readonly signed: boolean;
  /** As specified, short forms included; `null`: not stated. */
  readonly permission?: string | null;
  readonly caller?: string;
  readonly weight: { readonly ip?: WeightFact; readonly uid?: WeightFact };
  readonly callsPerSecond?: number;
  readonly parameters: readonly ParameterFact[];
  /** Members of the answer, or of its entries where it is a list. */
  readonly answer: readonly string[];
  readonly tuple?: number;
  readonly envelope?: readonly string[];
}
export interface CodeFact {
  readonly code: number;
  readonly http: number;
  readonly meanings: number;
}

const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../spec/${name}.json`, import.meta.url), 'utf8'));

export const endpointFacts = read('endpoints') as readonly EndpointFact[];
export const codeFacts = read('codes') as readonly CodeFact[];
export const limitFacts = read('limits') as Readonly<Record<string, Readonly<Record<string, number>>>>;
export const vocabulary = read('vocabulary') as {
  readonly [list: string]: readonly string[] | Readonly<Record<string, string>>;
};

/** The long form of a specified permission name. */
export const longPermission = (printed: string): string => printed.replace(/_R$/, '_READ').replace(/_W$/, '_WRITE');
