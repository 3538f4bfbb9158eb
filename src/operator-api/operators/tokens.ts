import * as field from '#operator-api/declaration/fields.ts';
import { mixesMakingAndApproving, personOf, rootPerson } from '#model/person.ts';
import { as, type TimestampMs } from '#model/units.ts';
import type { OperatorToken } from '#model/wallet.ts';
import { checkScope, tokenHashOf } from '#operator-api/requests/authenticate.ts';
import type { HandlersOf } from '#operator-api/handlers.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';
import { pageByText } from '#operator-api/requests/paging.ts';
import { brokenRule, Problem } from '#operator-api/requests/problems.ts';
import { operatorScopes, endpoint } from '#operator-api/declaration/endpoint.ts';
import { z } from 'zod';
import { operatorLimits } from '#operator-api/declaration/limits.ts';

const id = () =>
  z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'must be 64 lower-case hex characters')
    .meta({ description: 'SHA-256 of the token, which names it.', examples: ['5f3c'.repeat(16)] });
const actor = () =>
  z
    .string()
    .regex(/^[A-Za-z0-9._@-]{1,64}$/, 'must be 1 to 64 letters, digits, ".", "_", "@" or "-"')
    .meta({ description: 'Who acts with it: the name that the journal keeps with every act.', examples: ['erin'] });
const scopes = () =>
  z
    .array(field.word(operatorScopes, 'What it may do.'))
    .min(1)
    .max(operatorScopes.length)
    .meta({ description: 'What it may do.' });

const members = {
  id: id(),
  actor: actor(),
  scopes: scopes(),
  createdAt: field.moment('When it was created.'),
  expiresAt: field.moment('From this moment on it is no longer valid.'),
};
const token = z.strictObject(members);

/** Endpoints of operators' tokens. */
export const tokenEndpoints = {
  getOwnToken: endpoint.get('/v1/token', {
    scope: null,
    name: 'Look at the own token',
    command: 'whoami',
    summary: 'Who acts with the token of this request, and what it may do.',
    answer: z.strictObject({
      actor: z.string().meta({ description: 'Who acts with it; `root`: the one of the configuration.' }),
      scopes: scopes(),
      expiresAt: field.moment('From this moment on it is no longer valid; null: it always is.').nullable(),
    }),
  }),
  listTokens: endpoint.get('/v1/tokens', {
    scope: 'tokens:write',
    name: 'List tokens',
    command: 'tokens list',
    summary: 'Every token but that of the configuration, expired ones too until they are forgotten.',
    query: z.strictObject(field.paging),
    answer: field.page(token),
  }),
  createToken: endpoint.post('/v1/tokens', {
    scope: 'tokens:write',
    name: 'Create a token',
    command: 'tokens create',
    summary: 'Makes a token for an operator. The answer shows it once; only its hash is kept.',
    notes:
      'Scopes are at most those of the token that creates it. Nobody is called root, and no token both makes tokens ' +
      'and approves (scopes that end in `:review`). A repeated Idempotency-Key is refused with 422.',
    body: z
      .strictObject({
        actor: actor(),
        scopes: scopes(),
        validHours: field.whole('How long it is valid.', { min: 1, max: operatorLimits.tokenHoursMax }),
      })
      .meta({ examples: [{ actor: 'erin', scopes: ['withdrawals:read', 'withdrawals:review'], validHours: 720 }] }),
    answer: z.strictObject({
      ...members,
      token: z.string().meta({
        description: 'The token itself: 64 hex characters. It is never shown again.',
        examples: ['0'.repeat(64)],
      }),
    }),
    status: 201,
    problems: ['tooManyOperatorTokens', 'operatorTokenInUse', 'invalidConfiguration'],
  }),
  revokeToken: endpoint.delete('/v1/tokens/{id}', {
    scope: 'tokens:write',
    name: 'Revoke a token',
    command: 'tokens revoke',
    asksFirst: true,
    summary: 'Makes a token invalid at once. That of the configuration is revoked by a restart with another one.',
    parameters: z.strictObject({ id: id() }),
    answer: z.strictObject({ id: id() }),
    problems: ['unknownOperatorToken'],
  }),
};

const hourMs = 3_600_000;
const tokenBytes = 32;
const hashPattern = /^[0-9a-f]{64}$/;

const shown = ({ tokenHash, actor, scopes, createdAt, expiresAt }: OperatorToken) => ({
  id: tokenHash,
  actor,
  scopes: operatorScopes.filter((scope) => scopes.includes(scope)),
  createdAt,
  expiresAt,
});

/** Handlers of operators' tokens. */
export function tokenHandlers({ queries, clock, newSecret }: OperatorContext): HandlersOf<typeof tokenEndpoints> {
  const { wallet } = queries;
  return {
    getOwnToken: ({ operator }) => ({
      actor: operator.actor,
      scopes: operatorScopes.filter((scope) => operator.scopes.has(scope)),
      expiresAt: operator.expiresAt,
    }),
    listTokens: async ({ query }) => {
      const tokens = [...(await wallet.operatorTokens())].sort((one, other) =>
        one.tokenHash < other.tokenHash ? -1 : 1,
      );
      return pageByText(tokens, query, { item: shown, key: ({ tokenHash }) => tokenHash, pattern: hashPattern });
    },
    createToken: async ({ body, operator, act }) => {
      const { actor, scopes, validHours } = body;
      if (personOf(actor) === rootPerson)
        throw brokenRule('/actor', `must not be ${rootPerson}, however it is written`);
      if (mixesMakingAndApproving(scopes)) throw brokenRule('/scopes', 'must not both make tokens and approve');
      for (const scope of scopes) checkScope(operator, scope);
      const token = newSecret('operator token', tokenBytes).toString('hex');
      const tokenHash = tokenHashOf(token);
      const expiresAt = as<TimestampMs>(clock.now() + validHours * hourMs);
      await act({ kind: 'createOperatorToken', tokenHash, actor, scopes: [...new Set(scopes)], expiresAt });
      const created = await wallet.operatorToken(tokenHash);
      if (created === null) throw new Problem('unknownOperatorToken');
      return { ...shown(created), token };
    },
    revokeToken: async ({ path, act }) => {
      await act({ kind: 'deleteOperatorToken', tokenHash: path.id });
      return { id: path.id };
    },
  };
}
