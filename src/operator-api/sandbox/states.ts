import { z } from 'zod';
import { endpoint } from '#operator-api/declaration/endpoint.ts';
import * as field from '#operator-api/declaration/fields.ts';
import type { HandlersOf } from '#operator-api/handlers.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';
import { createRequestMemory } from '#operator-api/requests/act.ts';
import { Problem } from '#operator-api/requests/problems.ts';
import { type Fork, type KeptState, type StateControls, stateLimits, StateRefused } from '#sandbox/kept-states.ts';

const name = (description: string) =>
  z
    .string()
    .regex(/^[a-z0-9-]{1,64}$/, 'must be 1 to 64 of the characters a to z, 0 to 9 and the hyphen')
    .meta({ description, examples: ['before-the-crash'] });
const stateName = { parameters: z.strictObject({ name: name('Name of the state.') }) };

const state = z.strictObject({
  name: name('Its name.'),
  savedAt: field.moment("When it was saved, by the machine's clock."),
  exchangeTime: field.moment("The exchange's time then."),
  lastEntry: field.whole('The last entry of its journal.', { min: 0, max: Number.MAX_SAFE_INTEGER }),
  bytes: field.whole('What it takes on the disk; parts of the journal may be shared with other states.', {
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
  }),
});
const restored = z.strictObject({
  exchangeTime: field.moment("The exchange's time."),
  lastEntry: field.whole('The last entry of its journal.', { min: 0, max: Number.MAX_SAFE_INTEGER }),
});
const url = (description: string) => z.string().meta({ description });
const fork = z.strictObject({
  id: z.string().meta({ description: 'Names the fork.', examples: ['fork-1'] }),
  state: name('The state that it began from.'),
  baseUrl: url('The public API.'),
  futuresBaseUrl: url('The API of contracts.'),
  wsUrl: url('Websockets.'),
  operatorUrl: url('The operator API; tokens and keys are those of the exchange that it was made from.'),
});
const ids = z
  .strictObject({
    sameIds: field
      .flag(
        'Whether ids may be those that were given since the state was saved, so that two runs can be compared. ' +
          'Default: no id is given a second time.',
      )
      .default(false),
  })
  .meta({ examples: [{ sameIds: true }] });

const market = { scope: 'market:control', sandboxOnly: 'states' } as const;
const restoreNotes =
  'Answers once the exchange serves again, on the same ports. Websockets are closed with 1001, connections end, and ' +
  'new ones are refused until then; what was not saved is gone. Simulated participants begin anew from the books, as ' +
  'after a restart. Idempotency keys of operators are remembered no longer.';

/** Endpoints of states of the whole sandbox. DEC-KIT-10. */
export const stateEndpoints = {
  states: endpoint.get('/v1/states', {
    ...market,
    name: 'List states',
    command: 'states list',
    summary: 'Lists the states that were saved.',
    notes: 'The state `start`, where it is there, is that of the first start: a reset goes back to it.',
    answer: z.strictObject({ states: z.array(state) }),
  }),
  saveState: endpoint.post('/v1/states', {
    ...market,
    name: 'Save the state',
    command: 'states save',
    summary: 'Saves what the whole exchange is now: engine, history, chains, clock and keys.',
    notes: `Commands wait meanwhile. There may be ${stateLimits.states} states.`,
    body: z.strictObject({ name: name('Its name.') }).meta({ examples: [{ name: 'before-the-crash' }] }),
    answer: state,
    status: 201,
    problems: ['stateExists', 'stateReserved', 'tooManyStates', 'statesTooLarge'],
  }),
  restoreState: endpoint.post('/v1/states/{name}/restore', {
    ...market,
    ...stateName,
    name: 'Restore a state',
    command: 'states restore',
    summary: 'Makes the exchange what it was when the state was saved.',
    notes: restoreNotes,
    body: ids,
    answer: restored,
    problems: ['unknownState', 'stateOfOtherVersion'],
  }),
  resetExchange: endpoint.post('/v1/reset', {
    ...market,
    name: 'Reset the exchange',
    command: 'states reset',
    summary: 'Makes the exchange what it was at its first start.',
    notes: restoreNotes,
    body: ids,
    answer: restored,
    problems: ['stateOfOtherVersion'],
  }),
  deleteState: endpoint.delete('/v1/states/{name}', {
    ...market,
    ...stateName,
    name: 'Delete a state',
    command: 'states delete',
    summary: 'Deletes a state.',
    answer: z.strictObject({ states: z.array(state).meta({ description: 'Those that are left.' }) }),
    problems: ['unknownState', 'stateReserved'],
  }),
  forkState: endpoint.post('/v1/states/{name}/fork', {
    ...market,
    ...stateName,
    name: 'Fork a state',
    command: 'states fork',
    summary: 'Begins a second exchange from a state, on free ports.',
    notes:
      'It has the same accounts, keys and seed, and ends with this exchange or when it is deleted. Its ids may be ' +
      `those that this exchange gives. There may be ${stateLimits.forks} forks.`,
    answer: fork,
    status: 201,
    problems: ['unknownState', 'stateOfOtherVersion', 'tooManyForks', 'forkOfFork'],
  }),
  forks: endpoint.get('/v1/forks', {
    ...market,
    name: 'List forks',
    command: 'forks list',
    summary: 'Lists the forks that run.',
    answer: z.strictObject({ forks: z.array(fork) }),
  }),
  deleteFork: endpoint.delete('/v1/forks/{id}', {
    ...market,
    parameters: z.strictObject({
      id: z
        .string()
        .regex(/^fork-[1-9]\d{0,8}$/, 'must be the id of a fork, such as fork-1')
        .meta({ description: 'Id of the fork.', examples: ['fork-1'] }),
    }),
    name: 'Delete a fork',
    command: 'forks delete',
    summary: 'Ends a fork and removes its files.',
    answer: z.strictObject({ forks: z.array(fork).meta({ description: 'Those that still run.' }) }),
    problems: ['unknownFork'],
  }),
};

const shownState = ({ keptAt, ...rest }: KeptState) => ({ savedAt: keptAt, ...rest });
const shownFork = ({ addresses, ...rest }: Fork) => ({ ...rest, ...addresses });

/** Handlers of states; served only where there are states. DEC-KIT-10. */
export function stateHandlers(context: OperatorContext): HandlersOf<typeof stateEndpoints> {
  const once = createRequestMemory(context);
  const asked = async <Answer>(work: (states: StateControls) => Promise<Answer>): Promise<Answer> => {
    const { states } = context;
    if (states === null) throw new Problem('unknownPath');
    try {
      return await work(states);
    } catch (error) {
      throw error instanceof StateRefused ? new Problem(error.refusal, { detail: error.message }) : error;
    }
  };
  const listed = async (states: StateControls) => ({ states: (await states.list()).map(shownState) });
  return {
    states: () => asked(listed),
    saveState: (request) =>
      once('saveState', request, () => asked(async (states) => shownState(await states.save(request.body.name)))),
    restoreState: (request) =>
      once('restoreState', request, () => asked((states) => states.restore(request.path.name, request.body))),
    resetExchange: (request) => once('resetExchange', request, () => asked((states) => states.reset(request.body))),
    deleteState: (request) =>
      once('deleteState', request, () =>
        asked(async (states) => {
          await states.remove(request.path.name);
          return listed(states);
        }),
      ),
    forkState: (request) =>
      once('forkState', request, () => asked(async (states) => shownFork(await states.fork(request.path.name)))),
    forks: () => asked(async (states) => ({ forks: states.forks().map(shownFork) })),
    deleteFork: (request) =>
      once('deleteFork', request, () =>
        asked(async (states) => {
          await states.endFork(request.path.id);
          return { forks: states.forks().map(shownFork) };
        }),
      ),
  };
}
