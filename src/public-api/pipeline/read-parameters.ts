import { ApiError } from '#http/errors.ts';
import type { EndpointRequest } from '#public-api/pipeline/endpoint-request.ts';
import type { Route } from '#public-api/pipeline/route.ts';
import { pathValuesOf } from '#public-api/pipeline/route-paths.ts';
import { readParameters } from '#public-api/pipeline/parameters.ts';
import { TransportError } from '#http/transport-error.ts';

const textOf = (value: string | readonly string[] | undefined): string | undefined =>
  value === undefined || typeof value === 'string' ? value : value.join(',');

/** Whether the headers announce a body, which a GET must not have. */
function announcesBody(request: EndpointRequest): boolean {
  const { headers } = request;
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/** Reads the parameters of query and body, and of the path, which count first: 415, 413, 33333, 700008. DEC-FUT-35. */
export function readRequestParameters(request: EndpointRequest): void {
  const route = request.route as Route;
  const { headers, query, method } = request;
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') throw new TransportError('contentTypeNotSupported');
  if (method === 'GET' && announcesBody(request)) throw new ApiError('invalidParameter', { why: 'a GET has no body' });
  request.parameters = readParameters({
    query,
    body: request.body,
    contentType: textOf(headers['content-type']),
    isSigned: route.isSigned,
    known: route.known,
    arrays: route.arrays,
    lists: route.endpoint.jsonLists ?? [],
    bounds: route.bodyBounds,
  });
  if (route.pathParameters.length > 0) Object.assign(request.parameters.values, pathValuesOf(route, request.path));
}
