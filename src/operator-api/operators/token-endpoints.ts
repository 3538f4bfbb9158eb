import { z } from 'zod';
import { endpoint } from '#operator-api/declaration/endpoint.ts';
import * as field from '#operator-api/declaration/fields.ts';
import { operatorLimits } from '#operator-api/declaration/limits.ts';
import { operatorScopes } from '#operator-api/declaration/scopes.ts';

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
  listTokens: endpoint.get('/v1/tokens', {
    scope: 'tokens:write',
    name: 'List tokens',
    summary: 'Every token but that of the configuration, expired ones too until they are forgotten.',
    query: z.strictObject(field.paging),
    answer: field.page(token),
  }),
  createToken: endpoint.post('/v1/tokens', {
    scope: 'tokens:write',
    name: 'Create a token',
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
    summary: 'Makes a token invalid at once. That of the configuration is revoked by a restart with another one.',
    parameters: z.strictObject({ id: id() }),
    answer: z.strictObject({ id: id() }),
    problems: ['unknownOperatorToken'],
  }),
};
