import { createHash } from 'node:crypto';
import type { AnyOperatorEndpoint } from '#operator-api/declaration/endpoint.ts';
import type { AnyHandler, AnyRequest } from '#operator-api/handlers.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';
import { as, type TimestampMs } from '#model/units.ts';
import { invalidMember, Problem } from '#operator-api/requests/problems.ts';

/** An endpoint that shows a thing, with what answers it. */
interface Showing {
  readonly endpoint: AnyOperatorEndpoint;
  readonly handler: AnyHandler;
}

/** Strong entity tag of a thing: a hash of what its endpoint answers, without what moves by itself. DEC-OPR-165. */
export function entityTagOf({ untagged = [] }: AnyOperatorEndpoint, answer: unknown): string {
  const members = Object.entries(answer as object).filter(([name]) => !untagged.includes(name));
  return `"${createHash('sha256').update(JSON.stringify(members)).digest('base64url')}"`;
}

const tagsPattern = /^(?:W\/)?"[^"]*"(?: *, *(?:W\/)?"[^"]*")*$/;

/** Tells whether a tag is among those that a request is for. */
type Precondition = (tag: string) => boolean;

/**
 * What `If-Match` asks for; `null` without it. A weak tag equals none. RFC 9110, 13.1.1.
 * @throws Problem naming the header.
 */
function preconditionOf(header: string | undefined, { edits }: AnyOperatorEndpoint): Precondition | null {
  if (header === undefined) return null;
  if (edits === undefined) throw invalidMember({ header: 'If-Match', detail: 'is not known here' });
  if (header === '*') return () => true;
  if (!tagsPattern.test(header))
    throw invalidMember({ header: 'If-Match', detail: 'must be `*` or entity tags in quotes' });
  const tags = new Set(header.match(/(?:W\/)?"[^"]*"/g));
  return (tag) => tags.has(tag);
}

/** A write as it came. */
export interface Edit extends Pick<Showing, 'endpoint'> {
  readonly ifMatch: string | undefined;
  readonly request: AnyRequest;
}

/**
 * Runs writes. Those that edit a thing take turns, so that nothing changes it between the check of its tag and the act,
 * and what reads a thing and writes it back loses no other change. DEC-OPR-13, DEC-OPR-165.
 */
export function createEdits({ queries, clock }: OperatorContext, showingOf: (id: string) => Showing | undefined) {
  const inTurn = createTurns();

  /** The tag of a thing as it is now; `null`: there is none, and the write itself would not refuse it. */
  async function tagNow({ endpoint, handler }: Showing, { endpoint: edit, request }: Edit): Promise<string | null> {
    const path = membersOf(request.path, Object.keys(endpoint.parameters.shape));
    try {
      return entityTagOf(endpoint, await handler({ ...request, path, query: {}, body: null }));
    } catch (error) {
      const isThere = !(error instanceof Problem) || !endpoint.problems.includes(error.code);
      if (isThere || edit.problems.includes(error.code)) throw error;
      return null;
    }
  }

  /** Whether the idempotency key of a request was used before: then it is answered as it was. DEC-OPR-06. */
  const isRepeated = async ({ operator: { actor }, idempotencyKey }: AnyRequest): Promise<boolean> =>
    idempotencyKey !== null && (await queries.safety.isRepeated(actor, idempotencyKey, as<TimestampMs>(clock.now())));

  return async (edit: Edit, act: () => unknown): Promise<unknown> => {
    const { endpoint, ifMatch, request } = edit;
    const precondition = preconditionOf(ifMatch, endpoint);
    const showing = endpoint.edits === undefined ? undefined : showingOf(endpoint.edits);
    if (showing === undefined) return act();
    return inTurn(async () => {
      if (precondition !== null && !(await isRepeated(request))) {
        const tag = await tagNow(showing, edit);
        if (tag === null || !precondition(tag)) throw new Problem('staleEdit');
      }
      return act();
    });
  };
}

function membersOf(path: unknown, names: readonly string[]): object {
  const members = path as Readonly<Record<string, unknown>>;
  return Object.fromEntries(names.map((name) => [name, members[name]]));
}

/** Runs tasks one after the other, in the order in which they came. */
function createTurns(): <Result>(task: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const next = last.then(task, task);
    last = next.catch(() => {});
    return next;
  };
}
