import { operations, requestOf } from '#web/office/data/operations.ts';
import type { OperatorCalls } from '#web/office/data/operator-calls.ts';
import { askOffice, askOfficeText, type OperatorAnswer } from '#web/office/operator-session.ts';

/** Names of calls of the operator API. */
export type CallId = keyof OperatorCalls;
/** What a call answers. */
export type Answer<Id extends CallId> = Awaited<ReturnType<OperatorCalls[Id]>>;
/** What a call takes: members of path, query and body side by side. */
export type Members<Id extends CallId> =
  Parameters<OperatorCalls[Id]> extends [] ? Record<string, never> : NonNullable<Parameters<OperatorCalls[Id]>[0]>;
/** Calls that answer a page of a list. */
export type ListId = {
  [Id in CallId]: Answer<Id> extends { readonly items: readonly unknown[] } ? Id : never;
}[CallId];
/** An item of a list. */
export type Item<Id extends ListId> = Answer<Id> extends { readonly items: readonly (infer Each)[] } ? Each : never;

/** Members of any call. */
export type AnyMembers = Readonly<Record<string, unknown>>;

/** What makes a write harmless to repeat, and what it is an edit of. */
export interface WriteParts {
  readonly idempotencyKey?: string;
  readonly ifMatch?: string;
}

async function operationOf(id: string) {
  const operation = (await operations()).get(id);
  if (operation === undefined) throw new Error('This exchange does not serve that.');
  return operation;
}

/**
 * A call by its name, whose members are not known to the compiler: what forms send.
 * @throws OperatorRefusal
 */
export async function callOffice<Id extends CallId>(
  id: Id,
  members: AnyMembers,
  parts: WriteParts = {},
): Promise<OperatorAnswer<Answer<Id>>> {
  const operation = await operationOf(id);
  const { target, body } = requestOf(operation, members);
  return askOffice(target, { method: operation.method, ...parts, ...(body === undefined ? {} : { body }) });
}

/**
 * The answer of an endpoint as text, such as lines of an export.
 * @throws OperatorRefusal
 */
export async function readOfficeText(id: CallId, members: AnyMembers): Promise<string> {
  const { target } = requestOf(await operationOf(id), members);
  return (await askOfficeText(target)).answer;
}
