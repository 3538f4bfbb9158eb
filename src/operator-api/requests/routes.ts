import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ClientAddress } from '#http/client-address.ts';
import type { AnswerCounts } from '#http/answer-counts.ts';
import { jsonType } from '#http/fixed-headers.ts';
import type { RequestContext } from '#http/request-context.ts';
import { announcedBytes } from '#http/transport-check.ts';
import { createAct, Proposed } from '#operator-api/requests/act.ts';
import {
  checkScope,
  createAuthentication,
  type Operator,
  Unauthenticated,
} from '#operator-api/requests/authenticate.ts';
import { FailedAuthentications } from '#operator-api/requests/failed-authentications.ts';
import { LogLines } from '#operator-api/requests/log-lines.ts';
import { type AnyOperatorEndpoint, isWrite } from '#operator-api/declaration/endpoint.ts';
import type { Method } from '#http/declared-endpoint.ts';
import type { AnyHandler } from '#operator-api/handlers.ts';
import { shownProposal } from '#operator-api/operators/proposals.ts';
import { operatorLimits } from '#operator-api/declaration/limits.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';
import { invalidBody, invalidMember, Problem } from '#operator-api/requests/problems.ts';
import { createEdits, entityTagOf } from '#operator-api/requests/edits.ts';
import { bodyBoundsOf, requestReader } from '#operator-api/requests/read-request.ts';
import { type StreamedLine, Streams } from '#operator-api/requests/streamed-answer.ts';
import { isTagged } from '#operator-api/catalogue.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who sent it; set before the body is read. */
    operator: Operator | null;
  }
  interface FastifyContextConfig {
    /** The endpoint that a route serves. */
    endpoint?: AnyOperatorEndpoint;
  }
}

/** Methods that are refused by name where a path does not take them. */
const methods: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

/** `/v1/assets/{asset}` as the router writes it. */
const routePath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');

const keyPattern = new RegExp(`^[\\x21-\\x7e]{1,${operatorLimits.idempotencyKeyLengthMax}}$`);

/** The idempotency key of a write, `null` without one. */
function idempotencyKeyOf(request: FastifyRequest): string | null {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key === 'string' && keyPattern.test(key)) return key;
  const detail = `must be 1 to ${operatorLimits.idempotencyKeyLengthMax} visible characters`;
  throw invalidMember({ header: 'Idempotency-Key', detail });
}

/** An endpoint with what serves it. */
export interface ServedEndpoint {
  readonly id: string;
  readonly endpoint: AnyOperatorEndpoint;
  readonly handler: AnyHandler;
  readonly counts: AnswerCounts;
}

/** What all endpoints share. */
interface Shared {
  readonly context: OperatorContext;
  readonly edit: ReturnType<typeof createEdits>;
  readonly streams: Streams;
}

/** Whether a call is kept in the log of a sandbox: what changes something, but the log itself, and no secret. */
const isControl = (endpoint: AnyOperatorEndpoint): boolean =>
  isWrite(endpoint) && endpoint.sandboxOnly !== 'requestLog' && endpoint.scope !== 'tokens:write';

/** A call that was answered well. `at`: when it was called, on the exchange's clock. */
interface AnsweredCall {
  readonly at: number;
  readonly request: FastifyRequest;
  readonly query: string;
  readonly status: number;
  readonly answer: string;
}

/** Keeps a call in the log of a sandbox. DEC-KIT-77. */
function noteControl(
  { requestLog }: OperatorContext,
  { id, endpoint: { method } }: ServedEndpoint,
  { at, request, ...call }: AnsweredCall,
): void {
  const [path = ''] = request.url.split('?');
  const body = (request.body as Buffer | undefined)?.toString('utf8') ?? null;
  requestLog?.controlled(at, { endpoint: id, method, path, body, ...call });
}

function registerEndpoint(app: FastifyInstance, { context, edit, streams }: Shared, served: ServedEndpoint): void {
  const { id, endpoint, handler, counts } = served;
  const read = requestReader(endpoint);
  app.route({
    method: endpoint.method,
    url: routePath(endpoint.path),
    config: { counts, endpoint },
    bodyLimit: bodyBoundsOf(endpoint).bytes,
    handler: async (request, reply: FastifyReply) => {
      const operator = request.operator as Operator;
      const { query, client, receivedMonotonic } = request.requestContext as RequestContext;
      const { reason, ...parts } = read({
        path: request.params as Record<string, string>,
        query,
        body: request.body as Buffer | undefined,
      });
      const calledAt = context.clock.now();
      const idempotencyKey = isWrite(endpoint) ? idempotencyKeyOf(request) : null;
      const { actor, token } = operator;
      const acting = { actor, token, address: client.text, idempotencyKey, reason };
      const act = createAct(context, acting);
      const actUnkeyed = createAct(context, { ...acting, idempotencyKey: null });
      const asked = { ...parts, operator, idempotencyKey, act, actUnkeyed };
      if (endpoint.isStreamed === true) {
        const { format } = parts.query as { readonly format: 'json' | 'csv' };
        const lines = async () => (await handler(asked)) as AsyncIterable<StreamedLine>;
        const sent = await streams.send(reply, { endpoint, format }, lines);
        counts.add(200, context.monotonic.now() - receivedMonotonic, null);
        return sent;
      }
      const ifMatch = request.headers['if-match'];
      const answer = await (isWrite(endpoint)
        ? edit({ endpoint, ifMatch, request: asked }, () => handler(asked))
        : handler(asked));
      const isProposed = answer instanceof Proposed;
      const status = isProposed ? 202 : (endpoint.status ?? 200);
      const body = isProposed ? await shownProposal(context.queries, answer.proposal) : answer;
      if (isTagged(id)) reply.header('etag', entityTagOf(endpoint, body));
      counts.add(status, context.monotonic.now() - receivedMonotonic, null);
      const text = JSON.stringify(body);
      if (isControl(endpoint)) noteControl(context, served, { at: calledAt, request, query, status, answer: text });
      return reply.code(status).header('cache-control', 'no-store').type(jsonType).send(text);
    },
  });
}

/**
 * Authenticates requests before their body is read: routes with an endpoint only. Failures are slowed and logged.
 * DEC-OPR-02, DEC-OPR-03, DEC-OPR-197, DEC-OPR-198.
 */
function authenticateRequests(app: FastifyInstance, context: OperatorContext): void {
  const authenticate = createAuthentication(context);
  const failed = new FailedAuthentications(context);
  const lines = new LogLines(context.monotonic);
  const logRefused = (client: ClientAddress, fields: object, text: string): void => {
    const line = lines.take(client.bucket);
    if (line !== null) context.log.warn({ address: client.text, ...fields, ...line }, text);
  };
  const operatorOf = async (raw: IncomingMessage, client: ClientAddress): Promise<Operator> => {
    failed.admit(client);
    try {
      return await authenticate(raw);
    } catch (error) {
      if (error instanceof Unauthenticated) {
        logRefused(client, { why: error.why }, 'an authentication failed');
        await failed.slow(client);
      }
      throw error;
    }
  };
  app.decorateRequest('operator', null);
  app.addHook('onRequest', async (request) => {
    const { endpoint } = request.routeOptions.config;
    if (endpoint === undefined) return;
    const { client } = request.requestContext as RequestContext;
    await context.reads?.current().catch(() => {
      throw new Problem('unavailable');
    });
    const operator = await operatorOf(request.raw, client);
    const { actor, token, scopes } = operator;
    const { scope } = endpoint;
    if (scope !== null && !scopes.has(scope)) logRefused(client, { actor, token, scope }, 'a token lacks a scope');
    checkScope(operator, scope);
    request.operator = operator;
    if (!isWrite(endpoint) && announcedBytes(request.raw) !== 0) {
      throw invalidBody('', 'must be empty: this endpoint takes no body');
    }
  });
}

/** A path of the catalogue as a pattern, with the methods that it takes. */
interface TakenPath {
  readonly pattern: RegExp;
  readonly allowed: readonly Method[];
}

function takenPaths(served: readonly ServedEndpoint[]): readonly TakenPath[] {
  const paths = [...new Set(served.map(({ endpoint }) => endpoint.path))];
  return paths.map((path) => ({
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]*')}$`),
    allowed: served.filter(({ endpoint }) => endpoint.path === path).map(({ endpoint }) => endpoint.method),
  }));
}

/**
 * Answers the methods that a path does not take with 405. They have no routes: those would be five for each path, and
 * half of the time in which the port is opened.
 */
function refuseOtherMethods(app: FastifyInstance, served: readonly ServedEndpoint[]): void {
  let taken: readonly TakenPath[] | null = null;
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.is404 && methods.includes(request.method)) {
      const { path } = request.requestContext as RequestContext;
      taken ??= takenPaths(served);
      const found = taken.find(({ pattern }) => pattern.test(path));
      if (found !== undefined) throw new Problem('methodNotAllowed', { headers: ['allow', found.allowed.join(', ')] });
    }
    done();
  });
}

/** Registers every endpoint, behind authentication. */
export function registerEndpoints(
  app: FastifyInstance,
  context: OperatorContext,
  served: readonly ServedEndpoint[],
): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  authenticateRequests(app, context);
  const edit = createEdits(context, (id) => served.find((each) => each.id === id));
  const streams = new Streams(app, context.setTimer);
  for (const endpoint of served) registerEndpoint(app, { context, edit, streams }, endpoint);
  refuseOtherMethods(app, served);
}
