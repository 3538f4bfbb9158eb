import { z } from 'zod';
import { engineLimits } from '#model/limits.ts';
import { faultOfRateTerms, type LimitedTarget, type OperatorRateLimit } from '#model/operator-rate-limit.ts';
import { as, type TimestampMs } from '#model/units.ts';
import { endpoint, reason } from '#operator-api/declaration/endpoint.ts';
import * as field from '#operator-api/declaration/fields.ts';
import type { HandlersOf } from '#operator-api/handlers.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';
import { type ClientTarget, clientTarget, normalTarget } from '#operator-api/operators/client-target.ts';
import { pageByText } from '#operator-api/requests/paging.ts';
import { brokenRule, invalidBody, Problem } from '#operator-api/requests/problems.ts';

/** Whether zero and what is beyond the bound are refused is a rule of the exchange, not of the form. */
const most = (description: string, bound: number) =>
  z
    .int()
    .nullable()
    .meta({ description: `${description}; null: what everybody may. 1 to ${bound}.` });
const terms = {
  weight: most('Weight of each endpoint in 10 seconds', engineLimits.rateWeightMax),
  callsPerSecond: most(
    'Of an account or a key: calls in a second, where an endpoint counts them',
    engineLimits.rateCallsMax,
  ),
  futuresCalls: most('Of an address: calls of a futures endpoint in 2 seconds', engineLimits.rateCallsMax),
};
const ending = {
  until: field.moment('When it ends; null: not before it is lifted.').nullable(),
  reason: reason(),
};
const { kind } = clientTarget.shape;
const rateLimit = z.strictObject({
  kind,
  target: clientTarget.shape.target.meta({ description: 'What it is about, in its normal form.' }),
  ...terms,
  ...ending,
  actor: z.string().nullable().meta({ description: 'Who set it last.' }),
  since: field.moment('Since when.'),
});

/** Endpoints of rate limits. DEC-OPR-179. */
export const rateLimitEndpoints = {
  listRateLimits: endpoint.get('/v1/rate-limits', {
    scope: 'limits:read',
    name: 'List rate limits',
    command: 'rate-limits list',
    summary: 'Rate limits in force that operators set.',
    query: z.strictObject({ kind: kind.optional(), ...field.paging }),
    answer: field.page(rateLimit),
  }),
  getRateLimit: endpoint.get('/v1/rate-limits/{kind}/{target}', {
    scope: 'limits:read',
    name: 'Look at a rate limit',
    command: 'rate-limits show',
    summary: 'The limit that operators set for an address, a range, an account or a key.',
    parameters: clientTarget,
    answer: rateLimit,
    problems: ['unknownRateLimit'],
  }),
  putRateLimit: endpoint.put('/v1/rate-limits/{kind}/{target}', {
    scope: 'limits:write',
    edits: 'getRateLimit',
    name: 'Set a rate limit',
    command: 'rate-limits set',
    summary: 'Sets what an address, a range, an account or an API key may use, in place of what everybody may.',
    notes:
      'Each address of a range has the limit for itself, and that of the narrowest range counts. An account has it ' +
      'without its sub-accounts. A request counts for its address, its account and its key: who is to call more ' +
      'needs a limit of the address too. Windows go on: what was used in them stays used.',
    parameters: clientTarget,
    body: z
      .strictObject({
        weight: terms.weight.default(null),
        callsPerSecond: terms.callsPerSecond.default(null),
        futuresCalls: terms.futuresCalls.default(null),
        ...ending,
      })
      .meta({ examples: [{ weight: 5000, until: null, reason: 'A market maker, by contract.' }] }),
    answer: rateLimit,
    problems: ['unknownAccount', 'unknownKey', 'tooManyRateLimits', 'invalidConfiguration'],
  }),
  liftRateLimit: endpoint.delete('/v1/rate-limits/{kind}/{target}', {
    scope: 'limits:write',
    edits: 'getRateLimit',
    name: 'Lift a rate limit',
    command: 'rate-limits lift',
    summary: 'Lifts a limit at once: what everybody may use holds again.',
    parameters: clientTarget,
    answer: clientTarget,
    problems: ['unknownRateLimit'],
  }),
};

const limitedBy = (named: ClientTarget): LimitedTarget => ({ limited: named.kind, target: normalTarget(named) });

const shown = ({ limited, account: _account, ...limit }: OperatorRateLimit) => ({ kind: limited, ...limit });
type Shown = ReturnType<typeof shown>;

const keyOf = ({ kind: of, target }: Shown): string => `${of} ${target}`;
const keyPattern = /^(?:address|account|key) \S{1,64}$/;

/** Handlers of rate limits. */
export function rateLimitHandlers({ queries, clock }: OperatorContext): HandlersOf<typeof rateLimitEndpoints> {
  const isInForce = ({ until }: OperatorRateLimit): boolean => until === null || until > clock.now();
  const find = async (target: LimitedTarget): Promise<Shown> => {
    const found = await queries.access.operatorRateLimit(target);
    if (found === null || !isInForce(found)) throw new Problem('unknownRateLimit');
    return shown(found);
  };
  return {
    listRateLimits: async ({ query }) => {
      const all = (await queries.access.operatorRateLimits()).filter(isInForce);
      const rows = all.filter(({ limited }) => query.kind === undefined || limited === query.kind).map(shown);
      return pageByText(rows, query, { item: (row) => row, key: keyOf, pattern: keyPattern });
    },
    getRateLimit: ({ path }) => find(limitedBy(path)),
    putRateLimit: async ({ path, body, act }) => {
      const meant = limitedBy(path);
      const fault = faultOfRateTerms(meant, body);
      if (fault !== null) throw brokenRule(`/${fault.member}`, fault.clause);
      const until = body.until === null ? null : as<TimestampMs>(body.until);
      if (until !== null && until <= clock.now()) throw invalidBody('/until', 'must be in the future');
      await act({ kind: 'setRateLimit', ...meant, ...body, until });
      return find(meant);
    },
    liftRateLimit: async ({ path, act }) => {
      const meant = limitedBy(path);
      await act({ kind: 'liftRateLimit', ...meant });
      return { kind: meant.limited, target: meant.target };
    },
  };
}
