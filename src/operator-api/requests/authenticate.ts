import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { personOf, rootPerson, tokenIdOf } from '#model/person.ts';
import { operatorLimits } from '#operator-api/declaration/limits.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';
import { Problem } from '#operator-api/requests/problems.ts';
import { type OperatorScope, operatorScopes } from '#operator-api/declaration/endpoint.ts';

/** Who acts: the name that the journal keeps with every act, folded. DEC-OPR-140. */
export interface Operator {
  readonly actor: string;
  /** Names the token that was sent: `root`, or how its SHA-256 begins. DEC-OPR-190. */
  readonly token: string;
  readonly scopes: ReadonlySet<OperatorScope>;
  /** From this moment on the token is no longer valid; `null`: it always is. */
  readonly expiresAt: number | null;
}

const rootOperator: Operator = {
  actor: rootPerson,
  token: rootPerson,
  scopes: new Set(operatorScopes),
  expiresAt: null,
};

/** SHA-256 of a token as lower-case hex: all that the exchange keeps of it. */
export const tokenHashOf = (token: string): string => createHash('sha256').update(token, 'utf8').digest('hex');

const isSameHash = (one: string, other: string): boolean =>
  timingSafeEqual(Buffer.from(one, 'latin1'), Buffer.from(other, 'latin1'));

const bearerPattern = new RegExp(
  `^Bearer +([\\x21-\\x7e]{${operatorLimits.tokenLengthMin},${operatorLimits.tokenLengthMax}})$`,
  'i',
);

const challenge = (error?: string): readonly string[] => [
  'www-authenticate',
  `Bearer realm="bourse operator"${error === undefined ? '' : `, error="${error}"`}`,
];

/** Values of `Authorization`; Node itself would keep the first and drop the others. */
const authorizationsOf = ({ rawHeaders }: IncomingMessage): readonly string[] =>
  rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === 'authorization');

/** What was wrong with a request that nobody can be said to have sent. Operators read it in the log, clients do not. */
export class Unauthenticated extends Problem {
  override name = 'Unauthenticated';
  readonly why: 'no token' | 'no bearer token' | 'unknown token' | 'expired token';

  constructor(why: Unauthenticated['why']) {
    const isMissing = why === 'no token';
    super(isMissing ? 'tokenRequired' : 'invalidToken', {
      headers: isMissing ? challenge() : challenge('invalid_token'),
    });
    this.why = why;
  }
}

/** What authentication asks. */
export type TokenContext = Pick<OperatorContext, 'queries' | 'clock' | 'rootToken'>;

/** Authenticates requests by their bearer token. DEC-OPR-02. */
export function createAuthentication({ queries, clock, rootToken }: TokenContext) {
  const rootHash = rootToken === null ? null : tokenHashOf(rootToken);
  /**
   * Who sent a request.
   * @throws Unauthenticated `tokenRequired` or `invalidToken`, with WWW-Authenticate.
   */
  return async (raw: IncomingMessage): Promise<Operator> => {
    const values = authorizationsOf(raw);
    if (values.length === 0) throw new Unauthenticated('no token');
    const token = values.length > 1 ? undefined : bearerPattern.exec(values[0] as string)?.[1];
    if (token === undefined) throw new Unauthenticated('no bearer token');
    const hash = tokenHashOf(token);
    if (rootHash !== null && isSameHash(hash, rootHash)) return rootOperator;
    const found = await queries.wallet.operatorToken(hash);
    if (found === null || !isSameHash(found.tokenHash, hash)) throw new Unauthenticated('unknown token');
    if (found.expiresAt <= clock.now()) throw new Unauthenticated('expired token');
    const scopes = operatorScopes.filter((scope) => found.scopes.includes(scope));
    return {
      actor: personOf(found.actor),
      token: tokenIdOf(hash),
      scopes: new Set(scopes),
      expiresAt: found.expiresAt,
    };
  };
}

/** `null`: any will do. @throws Problem `insufficientScope` that names the scope. DEC-OPR-03. */
export function checkScope({ scopes }: Operator, scope: OperatorScope | null): void {
  if (scope === null || scopes.has(scope)) return;
  throw new Problem('insufficientScope', {
    detail: `The token lacks the scope ${scope}.`,
    headers: ['www-authenticate', `Bearer realm="bourse operator", error="insufficient_scope", scope="${scope}"`],
  });
}
