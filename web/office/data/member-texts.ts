import type { MemberSchema } from '#web/office/data/operations.ts';

/** How a member is entered. */
export type MemberKind = 'choice' | 'flag' | 'whole' | 'moment' | 'words' | 'structure' | 'text';

/** What a form has to know of a member. */
export interface MemberForm {
  readonly name: string;
  readonly kind: MemberKind;
  readonly isNullable: boolean;
  readonly isRequired: boolean;
  /** Of a choice, and of words of which several may be chosen. */
  readonly choices: readonly string[];
  readonly description: string;
  readonly defaultValue: unknown;
}

const momentFormat = 'unix-milliseconds';

function kindOf(schema: MemberSchema): MemberKind {
  if (schema.enum !== undefined) return 'choice';
  if (schema.format === momentFormat) return 'moment';
  if (schema.type === 'boolean') return 'flag';
  if (schema.type === 'integer' || schema.type === 'number') return 'whole';
  if (schema.type === 'array' && schema.items?.type === 'string') return 'words';
  if (schema.type === 'string') return 'text';
  return 'structure';
}

/** How a member of a body is entered. */
export function memberForm(name: string, schema: MemberSchema, isRequired: boolean): MemberForm {
  const choices = schema.anyOf?.filter(({ type }) => type !== 'null') ?? [];
  const inner = choices.length === 1 ? (choices[0] as MemberSchema) : schema;
  return {
    name,
    kind: kindOf(inner),
    isNullable: schema.anyOf?.some(({ type }) => type === 'null') ?? false,
    isRequired,
    choices: inner.enum ?? inner.items?.enum ?? [],
    // Moments are entered as people write them.
    description: (schema.description ?? inner.description ?? '')
      .replace(' Milliseconds since 1970 UTC.', '')
      .replace(/\bnull: /, 'empty: '),
    defaultValue: schema.default,
  };
}

/** The members of a body in its order, without those that are given already. */
export function memberForms(body: MemberSchema | null, without: readonly string[]): readonly MemberForm[] {
  return Object.entries(body?.properties ?? {})
    .filter(([name]) => !without.includes(name))
    .map(([name, schema]) => memberForm(name, schema, body?.required?.includes(name) ?? false));
}

/** A value as it is entered; a moment in UTC. */
export function entryText(kind: MemberKind, value: unknown): string {
  if (value === undefined || value === null) return '';
  if (kind === 'moment')
    return new Date(value as number)
      .toISOString()
      .replace('T', ' ')
      .replace(/(:00)?\.000Z$/, '');
  if (kind === 'words') return (value as readonly string[]).join(', ');
  if (kind === 'structure') return JSON.stringify(value, null, 1);
  return String(value);
}

/**
 * The value that was entered; `undefined`: none is sent.
 * @throws Error telling what it must be
 */
export function entryValue({ kind, isNullable, isRequired }: MemberForm, text: string): unknown {
  const entered = text.trim();
  if (entered === '') return emptyValue(kind, isNullable, isRequired);
  switch (kind) {
    case 'flag':
      return entered === 'true';
    case 'whole':
      if (!/^-?\d{1,16}$/.test(entered)) throw new Error('It must be a whole number.');
      return Number(entered);
    case 'moment':
      return momentOf(entered);
    case 'words':
      return entered.split(',').flatMap((word) => (word.trim() === '' ? [] : [word.trim()]));
    case 'structure':
      return structureOf(entered);
    default:
      return entered;
  }
}

function emptyValue(kind: MemberKind, isNullable: boolean, isRequired: boolean): unknown {
  if (isNullable) return null;
  if (!isRequired) return undefined;
  if (kind === 'words') return [];
  if (kind === 'text') return '';
  throw new Error('It is missing.');
}

/**
 * A moment as people write it, in UTC unless it names a zone.
 * @throws Error telling what it must be
 */
export function momentOf(text: string): number {
  const iso = text.replace(' ', 'T');
  const at = Date.parse(/[zZ]$|[+-]\d\d:\d\d$/.test(iso) ? iso : `${iso.length === 10 ? `${iso}T00:00` : iso}Z`);
  if (Number.isNaN(at)) throw new Error('It must be a moment in UTC such as 2026-01-31 12:00.');
  return at;
}

function structureOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('It must be JSON.');
  }
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/** A member that an edit changes. */
export interface ChangedMember {
  readonly name: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** What is sent that is not so now; without `current` all of it. */
export function changesOf(
  sent: Readonly<Record<string, unknown>>,
  current: Readonly<Record<string, unknown>> | null,
): readonly ChangedMember[] {
  return Object.entries(sent)
    .filter(([name, value]) => value !== undefined && (current === null || !isSame(value, current[name])))
    .map(([name, value]) => ({ name, before: current?.[name], after: value }));
}

/** Members whose names say less than people's words for them. */
const peoplesWords: Readonly<Record<string, string>> = {
  apiTradingAllowed: 'Traded by API',
  isActing: 'Acts',
  isByHand: 'By hand',
  isComplete: 'Complete',
  isExplained: 'Explained',
  isHalted: 'Halted',
  isHeld: 'Held',
  isInside: 'Within the exchange',
  isMaker: 'As maker',
  isOn: 'On',
  isOver: 'Over',
  kycLevel: 'KYC level',
  simulated: 'Simulated',
  switches: 'May',
  txId: 'Transaction',
  waitsForFunds: 'Funds that are missing',
};

/** Ends of names that are units. */
const unitEnds: readonly (readonly [RegExp, string])[] = [
  [/ ppm per hour$/, ', ppm an hour'],
  [/ ppm$/, ', ppm'],
  [/ ms$/, ', ms'],
  [/ us$/, ', µs'],
];

/** A name of a member as people write it: `takerFeePpm` as "Taker fee, ppm". */
export function labelOf(name: string): string {
  const known = Object.hasOwn(peoplesWords, name) ? peoplesWords[name] : undefined;
  if (known !== undefined) return known;
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, (_, end: string, start: string) => `${end} ${start.toLowerCase()}`)
    .replace(/\b(api|url|kyc)\b/g, (word) => word.toUpperCase());
  const unit = unitEnds.find(([end]) => end.test(words));
  const text = unit === undefined ? words : words.replace(...unit);
  return text.charAt(0).toUpperCase() + text.slice(1);
}
