import { ApiError, type TransportErrorName } from '#http/errors.ts';
import { HistoryUnavailable } from '#history/history-store.ts';
import { type AnswerFailure, chargeRefusal, refusalOf } from '#http/refusal.ts';
import { problemMediaType } from '#operator-api/requests/problem-media-type.ts';
import { Problem, type ProblemCode, problems, problemText } from '#operator-api/requests/problems.ts';

const transportProblems: Readonly<Record<TransportErrorName, ProblemCode>> = {
  malformedRequest: 'malformedRequest',
  requestTimeout: 'requestTimeout',
  expectationNotMet: 'expectationNotMet',
  unknownPath: 'unknownPath',
  methodNotAllowed: 'methodNotAllowed',
  bodyTooLarge: 'bodyTooLarge',
  addressTooLong: 'addressTooLong',
  contentTypeNotSupported: 'contentTypeNotSupported',
  banned: 'banned',
  headersTooLarge: 'headersTooLarge',
};

/** Problems that the firewall counts like malformed requests. DEC-OPR-04. */
const countedProblems: ReadonlySet<ProblemCode> = new Set(['malformedRequest', 'tokenRequired', 'invalidToken']);

/** Answers every failure as a problem; one that is unexpected is logged and answered 500. DEC-OPR-05. */
export const answerProblem: AnswerFailure = (error, request, { limits, log }) => {
  const problem = problemOf(error);
  if (problem !== null) {
    if (countedProblems.has(problem.code)) limits.countFault(request.client, request.receivedMonotonic);
    request.answerHeaders.push(...(problem.details.headers ?? []));
    return answerOf(problem);
  }
  const refusal = refusalOf(error, log, { path: request.path });
  chargeRefusal(request, limits, refusal);
  if (!(refusal instanceof ApiError)) return answerOf(new Problem(transportProblems[refusal.errorName]));
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
});
