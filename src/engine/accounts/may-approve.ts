import { personOf, rootPerson, tokenMakingScope } from '#model/person.ts';
import type { RejectReason } from '#model/rejection.ts';
import type { EngineState } from '#engine/state/state.ts';

/**
 * Why the acting operator may not approve what others asked for; `null`: he may. Who may make tokens could make one for
 * a person that does not exist. In a sandbox, where one person tries everything out, root may. DEC-OPR-141.
 */
export function refusalOfApproving({ running, at, operatorTokens, profile }: EngineState): RejectReason | null {
  const { actor } = running;
  if (actor === null) return 'invalidConfiguration';
  const makesTokens =
    actor === rootPerson
      ? profile.value === 'production'
      : operatorTokens
          .all()
          .some(
            (token) =>
              token.expiresAt > at && token.scopes.includes(tokenMakingScope) && personOf(token.actor) === actor,
          );
  return makesTokens ? 'mayMakeTokens' : null;
}
