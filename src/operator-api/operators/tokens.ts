import { mixesMakingAndApproving, personOf, rootPerson } from '#model/person.ts';
import { as, type TimestampMs } from '#model/units.ts';
import type { OperatorToken } from '#model/wallet.ts';
import { checkScope, tokenHashOf } from '#operator-api/requests/authenticate.ts';
import type { tokenEndpoints } from '#operator-api/operators/token-endpoints.ts';
import type { HandlersOf } from '#operator-api/handlers.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';
import { pageByText } from '#operator-api/requests/paging.ts';
import { Problem } from '#operator-api/requests/problems.ts';
import { operatorScopes } from '#operator-api/declaration/scopes.ts';

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

/** A member breaks a rule about tokens. DEC-OPR-140, DEC-OPR-141. */
const broken = (pointer: string, detail: string): Problem =>
  new Problem('invalidConfiguration', { detail: `${pointer} ${detail}.`, errors: [{ pointer, detail }] });

/** Handlers of operators' tokens. */
export function tokenHandlers({ queries, clock, newSecret }: OperatorContext): HandlersOf<typeof tokenEndpoints> {
  const { wallet } = queries;
  return {
    listTokens: async ({ query }) => {
      const tokens = [...(await wallet.operatorTokens())].sort((one, other) =>
        one.tokenHash < other.tokenHash ? -1 : 1,
      );
      return pageByText(tokens, query, { item: shown, key: ({ tokenHash }) => tokenHash, pattern: hashPattern });
    },
    createToken: async ({ body, operator, act }) => {
      const { actor, scopes, validHours } = body;
      if (personOf(actor) === rootPerson) throw broken('/actor', `must not be ${rootPerson}, however it is written`);
      if (mixesMakingAndApproving(scopes)) throw broken('/scopes', 'must not both make tokens and approve');
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
