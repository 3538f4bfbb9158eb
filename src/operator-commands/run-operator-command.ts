import { randomUUID } from 'node:crypto';
import { jsonSchemaOf } from '#http/documents/json-schema.ts';
import { catalogue } from '#operator-api/catalogue.ts';
import { isWrite } from '#operator-api/declaration/endpoint.ts';
import { operatorLimits } from '#operator-api/declaration/limits.ts';
import { Problem } from '#operator-api/requests/problems.ts';
import { askBeforeAct } from '#operator-commands/ask-before-act.ts';
import { CommandFailed, exitCodes, usedWrongly } from '#operator-commands/exit-codes.ts';
import { isPaged, type Member } from '#operator-commands/member-flags.ts';
import {
  type Answer,
  ask,
  type OperatorRequest,
  type ExchangeAddress,
  problemOf,
} from '#operator-commands/operator-client.ts';
import {
  checkRequest,
  type Given,
  type OperatorCommand,
  type RequestParts,
  requestOf,
  targetOf,
} from '#operator-commands/operator-command.ts';
import { readPages } from '#operator-commands/read-pages.ts';
import { saveAnswer, writeAnswer } from '#operator-commands/save-answer.ts';
import { shownThing } from '#operator-commands/shown-answer.ts';
import type { Surroundings } from '#operator-commands/surroundings.ts';
import type { Terminal } from '#operator-commands/terminal.ts';
import { answeredForm, exitOfStatus, toldRefusal } from '#operator-commands/told-refusal.ts';
import { type AddressOptions, whomToAsk } from '#operator-commands/whom-to-ask.ts';

/** Options that are not members of the request. */
export interface RunOptions extends AddressOptions {
  readonly json?: boolean;
  readonly columns?: string;
  readonly limit?: number;
  readonly all?: boolean;
  readonly cursor?: string;
  readonly out?: string;
  readonly yes?: boolean;
  readonly idempotencyKey?: string;
  readonly ifMatch?: string;
  readonly body?: string;
}

/** A command with all that was written behind it. */
export interface Run {
  readonly command: OperatorCommand;
  /** Everything that the command takes: its arguments and flags. */
  readonly members: readonly Member[];
  readonly given: Given['members'];
  readonly options: RunOptions;
}

/** Asks one endpoint and shows the answer. Answers the exit code. @throws CommandFailed */
export async function runOperatorCommand(run: Run, surroundings: Surroundings, terminal: Terminal): Promise<number> {
  const { command, members, options } = run;
  const { endpoint } = command;
  const body = await bodyOf(options, surroundings, terminal);
  const parts = requestOf(command, { members: run.given.map((each) => withContent(each, surroundings)), body });
  try {
    checkRequest(endpoint, parts);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw new CommandFailed(exitCodes.usage, toldRefusal(answeredForm(error), members));
  }
  const address = whomToAsk(options, surroundings);
  const get = async (target: string): Promise<Answer> => {
    const request = { method: 'GET', target, body: null, idempotencyKey: null, ifMatch: null };
    return accepted(await ask(address, request), request, run, address);
  };
  if (isPaged(endpoint)) {
    const page = (query: RequestParts['query']) => get(targetOf(endpoint, { path: parts.path, query }));
    return readPages({ endpoint, query: parts.query, options }, async (query) => (await page(query)).text, terminal);
  }
  if (!isWrite(endpoint)) return show(await get(targetOf(endpoint, parts)), run, terminal);
  return act(run, parts, address, terminal);
}

/** The body that `--body` names; `undefined`: none is named. */
async function bodyOf({ body }: RunOptions, { readFile }: Surroundings, terminal: Terminal): Promise<unknown> {
  if (body === undefined) return undefined;
  try {
    return JSON.parse(body === '-' ? await terminal.readInput() : readFile(body)) as unknown;
  } catch (error) {
    throw usedWrongly(`--body ${body}: ${(error as Error).message}`);
  }
}

/** A member whose flag names a file, with what the file holds. */
function withContent([member, given]: Given['members'][number], { readFile }: Surroundings) {
  if (member.notation !== 'file' || typeof given !== 'string') return [member, given] as const;
  try {
    return [member, readFile(given)] as const;
  } catch (error) {
    throw usedWrongly(`${member.flag} ${given}: ${(error as Error).message}`);
  }
}

/** What can stand in a header as it is. */
const visible = /^[\x21-\x7e]+$/;

function checkHeaders({ idempotencyKey = 'none', ifMatch = 'none' }: RunOptions): void {
  const { idempotencyKeyLengthMax } = operatorLimits;
  if (!visible.test(idempotencyKey) || idempotencyKey.length > idempotencyKeyLengthMax)
    throw usedWrongly(`--idempotency-key must be 1 to ${idempotencyKeyLengthMax} visible characters`);
  if (!visible.test(ifMatch)) throw usedWrongly('--if-match must be `*` or an entity tag in quotes');
}

async function act(run: Run, parts: RequestParts, address: ExchangeAddress, terminal: Terminal): Promise<number> {
  const { command, options } = run;
  const { endpoint } = command;
  checkHeaders(options);
  const seenTag = options.yes === true ? null : await askBeforeAct({ command, parts, address }, terminal);
  const request: OperatorRequest = {
    method: endpoint.method,
    target: targetOf(endpoint, parts),
    body: parts.body === null ? null : JSON.stringify(parts.body),
    idempotencyKey: options.idempotencyKey ?? randomUUID(),
    ifMatch: options.ifMatch ?? seenTag,
  };
  return show(accepted(await ask(address, request), request, run, address), run, terminal);
}

const lostSecret =
  'It was done, but the answer was lost, and it shows its secret once: take it back, and make another.';

/** An answer that is no refusal. @throws CommandFailed of a refusal. */
function accepted(answer: Answer, request: OperatorRequest, { members }: Run, { url }: ExchangeAddress): Answer {
  const { status, text, isRepeated } = answer;
  if (status >= 200 && status < 300) return answer;
  const problem = problemOf(text);
  if (problem === null)
    throw new CommandFailed(
      exitCodes.notReached,
      `${url} answers ${status}, and not as an operator API of this version`,
    );
  const exit = exitOfStatus(status, request.idempotencyKey !== null);
  const hints = [
    exit === exitCodes.outcomeUnknown ? [`Look, or repeat it with --idempotency-key ${request.idempotencyKey}.`] : [],
    isRepeated && problem.code === 'idempotencyKeyInUse' ? [lostSecret] : [],
  ];
  throw new CommandFailed(exit, [toldRefusal(problem, members), ...hints.flat()].join('\n'));
}

async function show(answer: Answer, { command, options }: Run, terminal: Terminal): Promise<number> {
  const { status, text } = answer;
  const isProposed = status === 202;
  if (isProposed) terminal.tell('It waits for a second operator: this is its proposal.\n');
  if (options.out !== undefined) await saveAnswer(answer, options.out, terminal);
  else if (text === null || options.json === true) await writeAnswer(answer, terminal);
  else {
    const schema = jsonSchemaOf(isProposed ? catalogue.getProposal.answer : command.endpoint.answer);
    await terminal.write(shownThing(JSON.parse(text), schema, terminal.columns));
  }
  return exitCodes.done;
}
