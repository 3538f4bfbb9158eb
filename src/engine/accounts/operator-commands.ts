import { engineLimits } from '#model/limits.ts';
import { mixesMakingAndApproving, personOf, rootPerson } from '#model/person.ts';
import { hasAtMost } from '#model/text-length.ts';
import { fingerprintOf } from '#engine/state/accounts/remembered-operations.ts';
import { refuse, type CommandFunction, type CommandTable } from '#engine/money/command-function.ts';
import type { EngineState } from '#engine/state/state.ts';

const hashPattern = /^[0-9a-f]{64}$/;
const actorPattern = /^[\x21-\x7e]{1,64}$/;
const keyPattern = actorPattern;
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

type Operate = Parameters<CommandFunction<'operate'>>[1];

/**
 * Applies a command for an operator, whom the command finds in the state: names are folded here and nowhere else. A
 * repeated idempotency key does nothing and tells the first outcome; with another command it is refused. DEC-OPR-06,
 * DEC-OPR-10, DEC-OPR-140.
 */
export const operateBy =
  (table: () => Omit<CommandTable, 'operate'>): CommandFunction<'operate'> =>
  (state, named) => {
    if (!isWellNamed(named)) {
      refuse(state, 'invalidConfiguration');
      return;
    }
    const { idempotencyKey, command } = named;
    const actor = personOf(named.actor);
    if (isRepeated(state, { ...named, actor })) return;
    state.emit.fact({ kind: 'operatorActed', actor, idempotencyKey, commandKind: command.kind });
    const { running } = state;
    running.actor = actor;
    running.idempotencyKey = idempotencyKey;
    (table()[command.kind] as CommandFunction<typeof command.kind>)(state, command as never);
    const { refusal } = running;
    if (refusal === null) state.operators.noteActor(actor);
    running.actor = null;
    running.idempotencyKey = null;
    running.refusal = null;
    if (idempotencyKey === null) return;
    state.operations.put({ actor, idempotencyKey, fingerprint: fingerprintOf(command), refusal, at: state.at });
  };

/** Whether whoever acts is named as operators can be, and the reason is one. */
function isWellNamed({ actor, token, address, idempotencyKey, reason }: Operate): boolean {
  return (
    actorPattern.test(actor) &&
    actorPattern.test(token) &&
    actorPattern.test(address) &&
    (idempotencyKey === null || keyPattern.test(idempotencyKey)) &&
    (reason === null || (reason !== '' && hasAtMost(reason, engineLimits.reasonLength)))
  );
}

/** Whether the key was used before: then the answer is told already. */
function isRepeated(state: EngineState, { actor, idempotencyKey, command }: Operate): boolean {
  const known = idempotencyKey === null ? null : state.operations.find(actor, idempotencyKey, state.at);
  if (idempotencyKey === null || known === null) return false;
  if (known.fingerprint !== fingerprintOf(command)) refuse(state, 'idempotencyKeyInUse');
  else state.emit.fact({ kind: 'operationRepeated', actor, idempotencyKey, refusal: known.refusal });
  return true;
}
