import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ClientOrderId } from '#model/client-order-id.ts';
import type { FuzzStep } from './command-maker.ts';
import type { Finding } from './fuzz-run.ts';

/** A list of commands that failed once, and why. */
export interface KeptSeed {
  readonly seed: number;
  /** What was wrong, in a line. */
  readonly cause: string;
  /** How it showed. */
  readonly found: string;
  readonly steps: readonly FuzzStep[];
}

const bigPattern = /^-?\d+n$/;

/** Commands as text: big integers end in `n`, client ids are texts. */
export function printSeed(kept: KeptSeed): string {
  const plain = (_name: string, value: unknown): unknown => (typeof value === 'bigint' ? `${value}n` : value);
  const steps = kept.steps.map((step) => `    ${JSON.stringify(step, plain)}`).join(',\n');
  const head = { seed: kept.seed, cause: kept.cause, found: kept.found };
  return `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "steps": [\n${steps}\n  ]\n}\n`;
}

/** Reads what `printSeed` printed. */
export const parseSeed = (text: string): KeptSeed => JSON.parse(text, revive) as KeptSeed;

/** An order has its client id as an object; a reference and an event have it as a text. */
function revive(_name: string, value: unknown): unknown {
  if (typeof value === 'string' && bigPattern.test(value)) return BigInt(value.slice(0, -1));
  if (typeof value !== 'object' || value === null || !('stpMode' in value)) return value;
  const { clientOrderId } = value as unknown as { clientOrderId: string | null };
  return { ...value, clientOrderId: ClientOrderId.of(clientOrderId) };
}

/** The kept seeds of a folder, by their file names. */
export function readSeeds(folder: string): { readonly name: string; readonly kept: KeptSeed }[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return names.sort().map((name) => ({ name, kept: parseSeed(readFileSync(join(folder, name), 'utf8')) }));
}

/** What is kept of a finding; its cause is for people to find. */
export function seedOf({ seed, during, message, steps }: Finding): KeptSeed {
  const [line = ''] = message.split('\n');
  return { seed, cause: 'not known yet', found: `${during}: ${line}`, steps };
}
