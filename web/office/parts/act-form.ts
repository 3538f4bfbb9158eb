import {
  type ChangedMember,
  changesOf,
  entryText,
  entryValue,
  type MemberForm,
  memberForm,
  memberForms,
} from '#web/office/data/member-texts.ts';
import type { AnyMembers } from '#web/office/data/office-calls.ts';
import type { Operation } from '#web/office/data/operations.ts';
import type { FaultyPart } from '#web/office/operator-session.ts';

/** What was entered, by the name of the member. */
export type Entries = Readonly<Record<string, string>>;
/** What is wrong, by the name of the member. */
export type Faults = Readonly<Record<string, string>>;

/** Name of the member that every act has. */
export const reasonMember = 'reason';

/** What a form is made of. */
export interface FormParts {
  /** Members that are given: of the path, and those that make the act what it is. */
  readonly fixed: AnyMembers;
  /** The thing as it is; `null`: the act makes something new. */
  readonly current: AnyMembers | null;
  /** Members that are entered; without it all that the body has. */
  readonly members: readonly string[] | undefined;
}

/** The members that a form asks for, without the reason: those of the path, of a query, and of the body. */
export function formsOf({ parameters, query, body }: Operation, { fixed, members }: FormParts): readonly MemberForm[] {
  const isAsked = (name: string): boolean => !Object.hasOwn(fixed, name) && name !== reasonMember;
  const besides = [
    ...[...parameters].map(([name, schema]) => memberForm(name, schema, true)),
    ...[...query].map(([name, schema]) => memberForm(name, schema, false)),
  ];
  const all = [
    ...besides.filter(({ name }) => isAsked(name)),
    ...memberForms(body, [...Object.keys(fixed), reasonMember]),
  ];
  return members === undefined ? all : all.filter(({ name }) => members.includes(name));
}

/** What a form begins with: the thing as it is, else the defaults. */
export const firstEntries = (forms: readonly MemberForm[], current: AnyMembers | null): Entries =>
  Object.fromEntries(
    forms.map(({ name, kind, defaultValue }) => [name, entryText(kind, current?.[name] ?? defaultValue)]),
  );

/** What would be sent, what of it changes something, and what cannot be read. */
export interface FormReading {
  readonly sent: AnyMembers;
  readonly changes: readonly ChangedMember[];
  readonly faults: Faults;
}

/**
 * Reads a form. A PATCH sends what changed and nothing else; what replaces a thing sends all that is entered, and what
 * the thing has beside it. DEC-WEB-43.
 */
export function readForm(
  { method, body }: Operation,
  forms: readonly MemberForm[],
  entries: Entries,
  { current, members }: FormParts,
): FormReading {
  const values: Record<string, unknown> = {};
  const faults: Record<string, string> = {};
  for (const form of forms) {
    try {
      values[form.name] = entryValue(form, entries[form.name] ?? '');
    } catch (error) {
      faults[form.name] = (error as Error).message;
    }
  }
  const changes = changesOf(values, current);
  if (method === 'PATCH')
    return { sent: Object.fromEntries(changes.map(({ name, after }) => [name, after])), changes, faults };
  // What the form does not ask for stays as it is.
  const kept = Object.keys(members === undefined || current === null ? {} : (body?.properties ?? {}))
    .filter((name) => name !== reasonMember && current !== null && name in current)
    .map((name) => [name, current?.[name]]);
  return { sent: { ...Object.fromEntries(kept), ...values }, changes, faults };
}

/** Faults that the exchange names, by the member of the form; under the empty name those of none of them. */
export function faultsOf(errors: readonly FaultyPart[], forms: readonly MemberForm[]): Faults {
  const names = new Set([...forms.map(({ name }) => name), reasonMember]);
  const faults: Record<string, string> = {};
  for (const { detail, pointer, parameter } of errors) {
    const at = (pointer ?? '').split('/')[1] ?? parameter ?? '';
    const name = names.has(at) ? at : '';
    faults[name] = name === '' && at !== '' ? `${at} ${detail}` : detail;
  }
  return faults;
}
