import { signal } from '@preact/signals';
import { type ApiDocument, groupsOf, type Operation, type OperationGroup } from '#web/reference/operation.ts';

/** The endpoints of this port by their groups; `null` until they were read. */
export const groups = signal<readonly OperationGroup[] | null>(null);
/** Why they could not be read. */
export const groupsFault = signal<string | null>(null);

/** Reads `/openapi.json` once; again after a failure. */
export async function readReference(): Promise<void> {
  if (groups.peek() !== null) return;
  groupsFault.value = null;
  try {
    const response = await fetch('/openapi.json');
    if (!response.ok) throw new Error(`The exchange answered ${response.status}.`);
    groups.value = groupsOf((await response.json()) as ApiDocument, location.origin);
  } catch (error) {
    groupsFault.value = error instanceof TypeError ? 'The exchange does not answer.' : (error as Error).message;
  }
}

/** An endpoint by its id. */
export function operationById(all: readonly OperationGroup[], id: string): Operation | null {
  for (const { operations } of all) {
    const found = operations.find((operation) => operation.id === id);
    if (found !== undefined) return found;
  }
  return null;
}

const plain = (text: string): string => text.toLowerCase().replaceAll(/[\s_-]/g, '');

/** Groups with what has these words in its name or path. */
export function matching(all: readonly OperationGroup[], words: string): readonly OperationGroup[] {
  const wanted = plain(words);
  if (wanted === '') return all;
  return all
    .map((group) => ({
      ...group,
      operations: group.operations.filter(({ id, name, path, method }) =>
        plain(`${name}|${method}${path}|${id}`).includes(wanted),
      ),
    }))
    .filter(({ operations }) => operations.length > 0);
}
