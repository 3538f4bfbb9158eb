import { jsonSchemaOf } from '#http/documents/json-schema.ts';
import { catalogue } from '#operator-api/catalogue.ts';
import { type AnyOperatorEndpoint, isWrite } from '#operator-api/declaration/endpoint.ts';
import { CommandFailed, exitCodes } from '#operator-commands/exit-codes.ts';
import { isPaged } from '#operator-commands/member-flags.ts';
import { ask, type ExchangeAddress } from '#operator-commands/operator-client.ts';
import { type OperatorCommand, type RequestParts, sentencesOf, targetOf } from '#operator-commands/operator-command.ts';
import { shownThing } from '#operator-commands/shown-answer.ts';
import { agrees, type Terminal } from '#operator-commands/terminal.ts';

/** An act that may have to be agreed to. */
export interface IntendedAct {
  readonly command: OperatorCommand;
  readonly parts: RequestParts;
  readonly address: ExchangeAddress;
}

/** Whether an act asks first: always, or because of a value in its body. */
function isAskedFor({ asksFirst }: AnyOperatorEndpoint, body: unknown): boolean {
  if (asksFirst === undefined || asksFirst === true) return asksFirst === true;
  const members = body as Readonly<Record<string, unknown>>;
  return Object.entries(asksFirst).some(([name, values]) => values.includes(members[name] as string | boolean));
}

/**
 * Shows what an act is about and asks whether to go on, where its declaration says so. Answers the tag of the thing
 * that was shown, so that nothing else is changed than what was looked at; `null`: none. DEC-OPR-263.
 * @throws CommandFailed when the answer is not yes, or nobody can be asked.
 */
export async function askBeforeAct(
  { command, parts, address }: IntendedAct,
  terminal: Terminal,
): Promise<string | null> {
  const { endpoint, words } = command;
  if (!isAskedFor(endpoint, parts.body)) return null;
  if (terminal.ask === null)
    throw new CommandFailed(
      exitCodes.usage,
      `nothing was done: ${words} asks before it acts, and nobody can be asked here; add --yes to do it`,
    );
  terminal.tell(`bourse op ${words}, at ${address.name}\n${sentencesOf(command)}\n\n`);
  terminal.tell(shownThing({ ...parts.path, ...parts.query, ...(parts.body as object | null) }, {}, terminal.columns));
  const shown = await thingOf({ command, parts, address });
  if (shown !== null) terminal.tell(`\nIt is now:\n${shownThing(shown.thing, shown.schema, terminal.columns)}`);
  if (!agrees(await terminal.ask('\nGo on? [y/N] '))) throw new CommandFailed(exitCodes.failed, 'nothing was done');
  return endpoint.edits === undefined ? null : (shown?.entityTag ?? null);
}

/** The endpoint that shows what a write is about; `undefined`: none does. */
function showingEndpoint({ edits, path }: AnyOperatorEndpoint): AnyOperatorEndpoint | undefined {
  const all = catalogue as Readonly<Record<string, AnyOperatorEndpoint>>;
  if (edits !== undefined) return all[edits];
  return Object.values(all)
    .filter((each) => !isWrite(each) && !isPaged(each) && each.path.includes('{'))
    .filter((each) => path === each.path || path.startsWith(`${each.path}/`))
    .toSorted((one, other) => other.path.length - one.path.length)[0];
}

/** The thing that an act is about as it is now; `null`: there is none, or the token may not read it. */
async function thingOf({ command, parts, address }: IntendedAct) {
  const endpoint = showingEndpoint(command.endpoint);
  if (endpoint === undefined) return null;
  const names = Object.keys(endpoint.parameters.shape);
  const path = Object.fromEntries(names.map((name) => [name, parts.path[name]]));
  const target = targetOf(endpoint, { path, query: {} });
  const { status, text, entityTag } = await ask(address, {
    ...{ method: 'GET', target, body: null, idempotencyKey: null, ifMatch: null },
  });
  if (status !== 200 || text === null) return null;
  return { thing: JSON.parse(text) as unknown, schema: jsonSchemaOf(endpoint.answer), entityTag };
}
