import { z } from 'zod';
import type { AnyEndpoint } from '#public-api/declaration/endpoint.ts';
import type { ErrorName, Retry, TransportErrorName } from '#http/errors.ts';
import { errors, futuresErrorNames, futuresErrors, transportErrors, unknownListenKey } from '#http/errors.ts';
import { pipelineErrors, pipelineErrorsOf } from '#public-api/declaration/pipeline-errors.ts';

/**
 * How a failure is written. `code`: code and msg, everywhere on the spot side and wherever no endpoint was reached yet;
 * `affiliate` and `futures`: the envelopes of those endpoints. DEC-REQ-19, DEC-SUB-04, DEC-FUT-01.
 */
export type FailureForm = 'code' | 'affiliate' | 'futures';

const code = z.number().int();
/** Schema of a failure in each form. */
export const failureSchemas: Readonly<Record<FailureForm, z.ZodType>> = {
  code: z.object({ code, msg: z.string() }),
  affiliate: z.object({ success: z.literal(false), code, message: z.string(), data: z.null() }),
  futures: z.object({ success: z.literal(false), code, message: z.string() }),
};

const bodies: Readonly<Record<FailureForm, (code: number, text: string) => object>> = {
  code: (code, msg) => ({ code, msg }),
  affiliate: (code, message) => ({ success: false, code, message, data: null }),
  futures: (code, message) => ({ success: false, code, message }),
};

/** The body of a failure. */
export const failureBody = (form: FailureForm, code: number, text: string): object => bodies[form](code, text);

/** The form in which an endpoint reports what fails once it was reached. */
export function failureFormOf({ surface, envelope }: Pick<AnyEndpoint, 'surface' | 'envelope'>): FailureForm {
  if (surface === 'futures') return 'futures';
  return envelope === 'affiliatePage' ? 'affiliate' : 'code';
}

/** A failure that an endpoint can answer. */
export interface Failure {
  readonly name: string;
  /** HTTP status; on the futures side most failures have 200. */
  readonly status: number;
  readonly code: number;
  readonly text: string;
  readonly form: FailureForm;
  /** What to do about it; `null`: the futures side does not say. */
  readonly retry: Retry | null;
}

const ofApi = (name: ErrorName, form: FailureForm): Failure => {
  const { code, http, message, retry } = errors[name];
  if (form !== 'futures') return { name, status: http, code, text: message, form, retry };
  const futuresName = futuresErrorNames[name] ?? 'badParameter';
  const futures = futuresErrors[futuresName];
  return { name: futuresName, status: futures.http, code: futures.code, text: futures.message, form, retry: null };
};

const ofTransport = (name: TransportErrorName, form: FailureForm = 'code'): Failure => {
  const { code, http, message, retry } = transportErrors[name];
  return { name, status: http, code, text: message, form, retry };
};

/** All errors of an endpoint: its own first, then those of the pipeline. */
const errorNamesOf = (endpoint: AnyEndpoint): readonly ErrorName[] => [
  ...new Set([...endpoint.errors, ...pipelineErrorsOf(endpoint.access)]),
];

/** Failures that an endpoint names itself, in its form. */
export const ownFailuresOf = (endpoint: AnyEndpoint): readonly Failure[] =>
  endpoint.errors.map((name) => ofApi(name, failureFormOf(endpoint)));

const beforeAnyRoute: readonly ErrorName[] = pipelineErrors.admission.errors;
const routeErrors: readonly TransportErrorName[] = ['unknownPath', 'methodNotAllowed'];

/**
 * Every failure that an endpoint can answer, each once: its own first, then the pipeline's, then the transport's.
 * DEC-REQ-160.
 */
export function failuresOf(endpoint: AnyEndpoint): readonly Failure[] {
  const form = failureFormOf(endpoint);
  const names = errorNamesOf(endpoint);
  const all = [
    ...names.filter((name) => name !== 'accessDenied').map((name) => ofApi(name, form)),
    ...beforeAnyRoute.map((name) => ofApi(name, 'code')),
    ...Object.values(pipelineErrors).flatMap(({ transport }) =>
      transport.filter((name) => !routeErrors.includes(name)).map((name) => ofTransport(name)),
    ),
  ];
  return [...new Map(all.map((failure) => [`${failure.form} ${failure.name}`, failure])).values()];
}

/**
 * Failures of pages and of requests that no endpoint takes; on the futures side those of path, method and budget have
 * its form.
 */
export function unroutedFailures(surface: AnyEndpoint['surface']): readonly Failure[] {
  const form = surface === 'futures' ? 'futures' : 'code';
  return [
    ...beforeAnyRoute.map((name) => ofApi(name, 'code')),
    ofApi('tooManyRequests', form),
    ...(form === 'code' ? [ofApi('internalError', form)] : []),
    ...(Object.keys(transportErrors) as TransportErrorName[]).map((name) =>
      ofTransport(name, routeErrors.includes(name) ? form : 'code'),
    ),
  ];
}

const badListenKey: Failure = {
  name: 'unknownListenKey',
  status: unknownListenKey.http,
  code: unknownListenKey.code,
  text: unknownListenKey.message,
  form: 'code',
  retry: 'never',
};

/** Failures of upgrades to a websocket. */
export const upgradeFailures = (): readonly Failure[] => [...unroutedFailures('spot'), badListenKey];
