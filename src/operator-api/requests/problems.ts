import { HistoryUnavailable } from '#history/history-store.ts';
import { ApiError } from '#http/errors.ts';
import { type AnswerFailure, chargeRefusal, refusalOf } from '#http/refusal.ts';
import { type RefusalKind, refusals, type RejectReason, rejectReasons } from '#model/rejection.ts';

/** Content type of problems. RFC 9457. */
export const problemMediaType = 'application/problem+json';

/** What a problem is, apart from the request at hand. */
interface ProblemSpec {
  readonly status: number;
  /** A sentence; the same for every occurrence. */
  readonly title: string;
}

/** Problems that the operator API itself finds. */
const ownProblems = {
  malformedRequest: { status: 400, title: 'The request cannot be read.' },
  invalidMember: { status: 400, title: 'A part of the request is not what it must be.' },
  noNormalForm: { status: 422, title: 'An address, memo or transaction id is none of its network.' },
  tokenRequired: { status: 401, title: 'A bearer token is required.' },
  invalidToken: { status: 401, title: 'The token is unknown, revoked or expired.' },
  insufficientScope: { status: 403, title: 'The token lacks the scope of this endpoint.' },
  foreignHost: { status: 421, title: 'The operator port is not asked by this name.' },
  accessDenied: { status: 403, title: 'This address is denied, or has sent too many faulty requests.' },
  unknownPath: { status: 404, title: 'There is no such path.' },
  methodNotAllowed: { status: 405, title: 'The path does not take this method.' },
  bodyTooLarge: { status: 413, title: 'The body is too large.' },
  addressTooLong: { status: 414, title: 'The request address is too long.' },
  requestTimeout: { status: 408, title: 'The request took too long.' },
  expectationNotMet: { status: 417, title: 'Only 100-continue can be expected.' },
  contentTypeNotSupported: { status: 415, title: 'The content type is not supported: send application/json.' },
  banned: { status: 418, title: 'This address is banned.' },
  tooManyRequests: { status: 429, title: 'There are too many requests from this address.' },
  staleEdit: { status: 412, title: 'It was changed since it was read, or does not exist. Nothing happened.' },
  paidByCustody: { status: 409, title: 'The exchange pays withdrawals of this network itself.' },
  notPaidByCustody: {
    status: 409,
    title: 'Operators pay on this network themselves: pay it back, and say so by the decision paidBack.',
  },
  notOnChain: { status: 409, title: 'The network has no such payment now.' },
  settledBefore: { status: 409, title: 'The payment was settled before.' },
  noBackupDirectory: { status: 409, title: 'The setting backupDirectory names no directory for backups.' },
  backupRunning: { status: 409, title: 'A backup is being made: one at a time.' },
  unknownState: { status: 404, title: 'No state of this name was saved.' },
  stateExists: { status: 409, title: 'A state of this name was saved before.' },
  stateReserved: { status: 409, title: 'The state of the first start is neither saved nor deleted by operators.' },
  stateOfOtherVersion: { status: 409, title: 'Another version saved the state, which this one does not read.' },
  tooManyStates: { status: 409, title: 'There are too many states: delete one.' },
  statesTooLarge: { status: 409, title: 'The states would take too much of the disk: delete one.' },
  unknownFork: { status: 404, title: 'There is no such fork.' },
  tooManyForks: { status: 409, title: 'Too many forks run: delete one.' },
  forkOfFork: { status: 409, title: 'A fork has no forks of its own.' },
  headersTooLarge: { status: 431, title: 'The headers of the request are too large.' },
  internalError: { status: 500, title: 'The exchange failed. The outcome is unknown.' },
  unavailable: { status: 503, title: 'The exchange cannot act now. Nothing happened.' },
  tradersElsewhere: {
    status: 409,
    title: 'The simulated traders act at the node that leads the cluster: ask that one.',
  },
  tooManyReplays: { status: 409, title: 'Too many recordings are replayed: end one.' },
  unknownReplay: { status: 404, title: 'There is no such replay, or no more.' },
  clockAdvancing: { status: 409, title: 'The clock is being advanced: wait for its end, or cancel it.' },
  clockAhead: {
    status: 409,
    title: "The clock is ahead of the machine's: it can follow that only once it is not.",
  },
  nothingOwed: { status: 409, title: 'No account owns anything.' },
  noLiabilityTree: { status: 404, title: 'No liability tree was made since the exchange started.' },
  notInLiabilityTree: { status: 404, title: 'The account owned nothing when the newest liability tree was made.' },
  unknownAdjustment: { status: 404, title: 'There is no such adjustment.' },
  unknownAct: { status: 404, title: 'There is no such act.' },
  unknownFault: { status: 404, title: 'There is no such fault.' },
  unknownRequest: { status: 404, title: 'There is no such entry in the log of requests, or no more.' },
  tooManyWait: { status: 429, title: 'Too many programs wait for an entry already.' },
  unknownPair: { status: 404, title: 'There is no such pair.' },
  noFeeTiers: { status: 404, title: 'There are no fee tiers.' },
  noPlatformToken: { status: 404, title: 'There is no platform token.' },
  tooManyIndexSources: { status: 409, title: 'The contract has too many sources that operators give prices of.' },
  unknownIndexSource: { status: 404, title: 'No price of this source was given.' },
  tooManyStreams: { status: 429, title: 'Too many answers are being streamed: try again later.' },
  historyUnavailable: { status: 503, title: 'What is past cannot be read now.' },
  networkUnavailable: { status: 503, title: 'The network does not answer now.' },
  outcomeUnknown: { status: 504, title: 'No answer came in time. The outcome is unknown.' },
} as const satisfies Record<string, ProblemSpec>;

const statusOfKind: Readonly<Record<RefusalKind, number>> = {
  unknown: 404,
  conflict: 409,
  impossible: 422,
  forbidden: 403,
};

/** Stable word of a problem. */
export type ProblemCode = RejectReason | keyof typeof ownProblems;
/** Every problem by its code: the refusals of the engine, and those found here. DEC-OPR-05. */
export const problems = {
  ...Object.fromEntries(
    rejectReasons.map((reason) => [
      reason,
      { status: statusOfKind[refusals[reason].kind], title: refusals[reason].title },
    ]),
  ),
  ...ownProblems,
} as Readonly<Record<ProblemCode, ProblemSpec>>;

/** Problems that every endpoint can answer. */
export const sharedProblems: readonly ProblemCode[] = [
  'malformedRequest',
  'foreignHost',
  'invalidMember',
  'tokenRequired',
  'invalidToken',
  'insufficientScope',
  'accessDenied',
  'internalError',
  'unavailable',
  'addressTooLong',
  'headersTooLarge',
  'banned',
  'tooManyRequests',
];
/** Problems that every write can answer besides. */
export const writeProblems: readonly ProblemCode[] = [
  'bodyTooLarge',
  'contentTypeNotSupported',
  'idempotencyKeyInUse',
  'outcomeUnknown',
];

/** Problems that every stream can answer. */
export const streamProblems: readonly ProblemCode[] = ['tooManyStreams', 'historyUnavailable'];

/** Problems that every write can answer that edits one thing. */
export const editProblems: readonly ProblemCode[] = ['staleEdit'];

/** Problems of requests that no endpoint takes. */
export const unroutedProblems: readonly ProblemCode[] = [
  'malformedRequest',
  'foreignHost',
  'accessDenied',
  'unknownPath',
  'methodNotAllowed',
  'bodyTooLarge',
  'addressTooLong',
  'contentTypeNotSupported',
  'banned',
  'tooManyRequests',
  'headersTooLarge',
  'internalError',
];

/** A part of the request at fault: a member of the body, a parameter of path or query, or a header. */
export type MemberFault =
  | { readonly pointer: string; readonly detail: string }
  | { readonly parameter: string; readonly detail: string }
  | { readonly header: string; readonly detail: string };

/** What an occurrence of a problem adds to its title. */
export interface ProblemDetails {
  /** A sentence. */
  readonly detail?: string;
  readonly errors?: readonly MemberFault[];
  /** Further headers of the answer, names and values in turn. */
  readonly headers?: readonly string[];
}

/** Most faults that one answer lists. */
const faultsMax = 20;

const nameOf = (fault: MemberFault): string =>
  'pointer' in fault ? fault.pointer || 'The body' : 'parameter' in fault ? fault.parameter : fault.header;

/** Refuses a request of an operator; answered as `application/problem+json` (RFC 9457). */
export class Problem extends Error {
  override name = 'Problem';
  readonly code: ProblemCode;
  readonly details: ProblemDetails;

  constructor(code: ProblemCode, details: ProblemDetails = {}) {
    super(details.detail ?? problems[code].title);
    this.code = code;
    this.details = details;
  }
}

/** Refuses one or more parts of a request by name. */
export function invalidMember(...faults: readonly MemberFault[]): Problem {
  const [first] = faults;
  const detail = first === undefined ? problems.invalidMember.title : `${nameOf(first)} ${first.detail}.`;
  return new Problem('invalidMember', { detail, errors: faults.slice(0, faultsMax) });
}

/** Refuses a member of the body: `pointer` as in RFC 6901, `detail` a clause such as `must be text`. */
export const invalidBody = (pointer: string, detail: string): Problem => invalidMember({ pointer, detail });
/** Refuses a member of the body that breaks a rule of the exchange. */
export const brokenRule = (pointer: string, detail: string): Problem =>
  new Problem('invalidConfiguration', { detail: `${pointer} ${detail}.`, errors: [{ pointer, detail }] });
/** Refuses a member of the body that a network cannot read: it names nothing there. DEC-WAL-100. */
export const noNormalForm = (pointer: string, detail: string): Problem =>
  new Problem('noNormalForm', { detail: `${pointer} ${detail}.`, errors: [{ pointer, detail }] });
/** Refuses a parameter of path or query. */
export const invalidParameter = (parameter: string, detail: string): Problem => invalidMember({ parameter, detail });

/** URN of a problem: stable, and nothing to look up. DEC-OPR-05. */
export const problemType = (code: ProblemCode): string => `urn:bourse:problem:${code}`;

/** The body of an answer. */
export function problemText({ code, details }: Problem): string {
  const { status, title } = problems[code];
  const { detail = title, errors } = details;
  return JSON.stringify({
    type: problemType(code),
    title,
    status,
    detail,
    code,
    ...(errors === undefined ? {} : { errors }),
  });
}

/** Problems that the firewall counts like malformed requests. DEC-OPR-04. */
const countedProblems: ReadonlySet<ProblemCode> = new Set([
  'malformedRequest',
  'foreignHost',
  'tokenRequired',
  'invalidToken',
]);

/** Answers every failure as a problem; one that is unexpected is logged and answered 500. DEC-OPR-05. */
export const answerProblem: AnswerFailure = (error, request, { limits, log }) => {
  const problem = problemOf(error);
  if (problem !== null) {
    if (countedProblems.has(problem.code)) limits.countFault(request.client, request.receivedInWindow);
    request.answerHeaders.push(...(problem.details.headers ?? []));
    return answerOf(problem);
  }
  const refusal = refusalOf(error, log, { route: request.routePath });
  chargeRefusal(request, limits, refusal);
  if (!(refusal instanceof ApiError)) return answerOf(new Problem(refusal.errorName));
  const { errorName } = refusal;
  const isOwn = errorName === 'accessDenied' || errorName === 'tooManyRequests';
  return answerOf(new Problem(isOwn ? errorName : 'internalError'));
};

function problemOf(error: unknown): Problem | null {
  if (error instanceof Problem) return error;
  return error instanceof HistoryUnavailable ? new Problem('historyUnavailable') : null;
}

const answerOf = (problem: Problem) => ({
  status: problems[problem.code].status,
  text: problemText(problem),
  contentType: problemMediaType,
  name: problem.code,
});
