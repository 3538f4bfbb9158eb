import { engineLimits } from '#model/limits.ts';
import { mixesMakingAndApproving, personOf, rootPerson } from '#model/person.ts';
import { refuse, type CommandFunction } from '#engine/money/command-function.ts';

const hashPattern = /^[0-9a-f]{64}$/;
const actorPattern = /^[\x21-\x7e]{1,64}$/;
const scopePattern = /^[a-z:-]{1,32}$/;
const scopesMost = 32;

/**
 * Adds a token of an operator; expired ones are forgotten on the way. None is root's, and none both makes tokens and
 * approves. DEC-OPR-12, DEC-OPR-140, DEC-OPR-141.
 */
export const createOperatorToken: CommandFunction<'createOperatorToken'> = (state, command) => {
  const { tokenHash, actor, scopes, expiresAt } = command;
  const isValid =
    hashPattern.test(tokenHash) &&
    actorPattern.test(actor) &&
    personOf(actor) !== rootPerson &&
    !mixesMakingAndApproving(scopes) &&
    scopes.length <= scopesMost &&
    scopes.every((scope) => scopePattern.test(scope)) &&
    Number.isSafeInteger(expiresAt) &&
    expiresAt > state.at;
  if (!isValid) refuse(state, 'invalidConfiguration');
  else if (state.operatorTokens.find(tokenHash) !== null) refuse(state, 'operatorTokenInUse');
  else if (state.operatorTokens.countAt(state.at) >= engineLimits.operatorTokens)
    refuse(state, 'tooManyOperatorTokens');
  else {
    const token = { tokenHash, actor, scopes: [...scopes], createdAt: state.at, expiresAt };
    state.operatorTokens.forgetExpired(state.at);
    state.operatorTokens.put(token);
    state.emit.fact({ kind: 'operatorTokenCreated', token });
  }
};

/** Takes a token away: it is invalid at once. */
export const deleteOperatorToken: CommandFunction<'deleteOperatorToken'> = (state, { tokenHash }) => {
  const token = state.operatorTokens.find(tokenHash);
  if (token === null) refuse(state, 'unknownOperatorToken');
  else {
    state.operatorTokens.delete(tokenHash);
    state.emit.fact({ kind: 'operatorTokenDeleted', tokenHash, actor: token.actor });
  }
};
