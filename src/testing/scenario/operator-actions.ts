import { z } from 'zod';
import { type Catalogue, catalogue } from '#operator-api/catalogue.ts';
import type { AnyOperatorEndpoint } from '#operator-api/declaration/endpoint.ts';
import { faultsOf } from '#operator-api/requests/schema-faults.ts';
import { OperatorProblem } from '#testing/operator-problem.ts';
import type { StepAnswer } from '#testing/scenario/step-answer.ts';
import { accountOf, type Action, action, type World } from '#testing/scenario/world.ts';

/*
 * Calls of the operator API as actions: they take the members that the endpoint has in path, query and body, side by
 * side, and the name of an account of the scenario in place of its uid.
 */

/** Members of a call. */
export type Members = Readonly<Record<string, unknown>>;
type Id = keyof Catalogue;

/** Ids of all calls. */
export const callIds = Object.keys(catalogue) as [Id, ...Id[]];

/** The name of an account of the scenario. */
export const accountName = () => z.string().min(1).meta({ description: 'Name of an account of the scenario.' });

const bodyOf = ({ body }: AnyOperatorEndpoint): z.ZodRawShape => (body instanceof z.ZodObject ? body.shape : {});

/** Members of an endpoint, side by side, as it takes them; without what it says beyond each of them. */
function rawMembersOf(id: Id): z.ZodObject {
  const endpoint = catalogue[id] as AnyOperatorEndpoint;
  return z.strictObject({ ...endpoint.parameters.shape, ...endpoint.query.shape, ...bodyOf(endpoint) });
}

/** The same with the name of an account in place of its uid. */
function membersOf(id: Id): z.ZodObject {
  const { uid, ...others } = rawMembersOf(id).shape;
  return z.strictObject({ ...(uid === undefined ? {} : { account: accountName() }), ...others });
}

/** Asks the operator API; a refusal is an answer too. */
export async function askOperator({ operator }: World, id: Id, members: Members): Promise<StepAnswer> {
  try {
    const call = operator[id] as (members: Members) => Promise<unknown>;
    return { status: 200, code: null, body: await call(members) };
  } catch (error) {
    if (!(error instanceof OperatorProblem)) throw error;
    return { status: error.status, code: error.code, body: { detail: error.message, errors: error.errors } };
  }
}

/** What takes back a call that was answered well. `before`: what was read before it. */
export interface TakenBack {
  readonly read?: (world: World, members: Members) => Promise<unknown>;
  readonly undo: (world: World, members: Members, seen: { readonly before: unknown; readonly answer: unknown }) => void;
}

/** An endpoint as an action. `takenBack`: what a run has to take back of it. */
export const control = (id: Id, takenBack?: TakenBack): Action => ({
  ...calling(id, takenBack),
  call: id,
});

const calling = (id: Id, takenBack: TakenBack | undefined): Action =>
  action(membersOf(id), async (world, { account, ...members }: Members) => {
    const asked = typeof account === 'string' ? { uid: accountOf(world, account).uid, ...members } : members;
    const before = await takenBack?.read?.(world, asked);
    const answer = await askOperator(world, id, asked);
    if (answer.status === 200) takenBack?.undo(world, asked, { before, answer: answer.body });
    return answer;
  });

/** Actions of which a step names exactly one. */
export function oneOf(actions: Readonly<Record<string, Action>>): Action {
  const names = Object.keys(actions);
  const shape = Object.fromEntries(names.map((name) => [name, (actions[name] as Action).schema.optional()]));
  const schema = z
    .strictObject(shape)
    .refine((members) => Object.keys(members).length === 1, `must have exactly one of ${names.join(', ')}`)
    .meta({ minProperties: 1, maxProperties: 1 });
  const chosen = action(schema, (world, members) => {
    const [name, inner] = Object.entries(members as Members).find(([, each]) => each !== undefined) as [
      string,
      unknown,
    ];
    return (actions[name] as Action).run(world, inner);
  });
  return { ...chosen, choices: actions };
}

/** A call with its members, checked as the endpoint would. */
const anyCall = z
  .strictObject({
    call: z.enum(callIds).meta({ description: 'Id of an endpoint of the operator API, such as reviewWithdrawal.' }),
    with: z.record(z.string(), z.unknown()).default({}).meta({ description: 'Its members, side by side.' }),
  })
  .superRefine(({ call, with: members }, context) => {
    const { error } = rawMembersOf(call).safeParse(members);
    for (const { path, detail } of error === undefined ? [] : faultsOf(error, members)) {
      const message = detail.startsWith('must ') ? detail : `must be a member of ${call}`;
      context.addIssue({ code: 'custom', path: ['with', ...path], message });
    }
  });

/** Any call. What replaces a thing as a whole is taken back by putting the former one there. DEC-KIT-74. */
export const operatorAction = action(anyCall, async (world, { call, with: members }) => {
  const takeBack = await formerThing(world, call, members);
  const answer = await askOperator(world, call, members);
  if (answer.status === 200 && takeBack !== null) world.undo(`${call} ${takeBack.where}`, takeBack.work);
  return answer;
});

/** What puts back the thing that a call replaces; `null`: it replaces none, or one that is not there yet. */
async function formerThing(world: World, call: Id, members: Members) {
  const endpoint = catalogue[call] as AnyOperatorEndpoint;
  if (endpoint.method !== 'PUT' || endpoint.edits === undefined) return null;
  const where = Object.fromEntries(Object.keys(endpoint.parameters.shape).map((name) => [name, members[name]]));
  const { status, body: before } = await askOperator(world, endpoint.edits as Id, where);
  if (status !== 200) return null;
  const names = Object.keys(bodyOf(endpoint)).filter((name) => Object.hasOwn(before as Members, name));
  const former = Object.fromEntries(names.map((name) => [name, (before as Members)[name]]));
  const asked = { ...where, ...former, reason: 'scenario' };
  return { where: JSON.stringify(where), work: () => askOperator(world, call, asked) };
}
