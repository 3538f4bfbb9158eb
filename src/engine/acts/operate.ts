import type { ActChange } from '#model/act.ts';
import type { CommandOf } from '#model/command.ts';
import { engineLimits } from '#model/limits.ts';
import { personOf } from '#model/person.ts';
import type { RejectReason } from '#model/rejection.ts';
import { hasAtMost } from '#model/text-length.ts';
import { subjectOf } from '#engine/acts/act-subjects.ts';
import { type RecordWords, type Words, wordsOf, wordsOfCommand } from '#engine/acts/act-words.ts';
import { refuse, type CommandFunction, type CommandTable } from '#engine/money/command-function.ts';
import { fingerprintOf } from '#engine/state/accounts/remembered-operations.ts';
import type { EngineState } from '#engine/state/state.ts';
import { canonicalText } from '#base/checksum.ts';

type Operate = CommandOf<'operate'>;
type PlainTable = Omit<CommandTable, 'operate'>;

/**
 * Applies a command for an operator, whom the command finds in the state: names are folded here and nowhere else. A
 * repeated idempotency key does nothing and tells the first outcome; with another command it is refused. Whatever is no
 * repetition is an act: it is told after the events of its command, and linked to the acts before it. DEC-OPR-06,
 * DEC-OPR-10, DEC-OPR-140, DEC-OPR-193.
 */
export const operateBy =
  (table: () => PlainTable): CommandFunction<'operate'> =>
  (state, named) => {
    if (!isWellNamed(named)) {
      refuse(state, 'invalidConfiguration');
      return;
    }
    const operate = { ...named, actor: personOf(named.actor) };
    const { actor, idempotencyKey, command } = operate;
    const known = idempotencyKey === null ? null : state.operations.find(actor, idempotencyKey, state.at);
    if (known === null) {
      recordAct(state, operate, () => applyFor(state, operate, table()));
      return;
    }
    const { refusal, fingerprint } = known;
    if (fingerprint === fingerprintOf(command))
      state.emit.fact({ kind: 'operationRepeated', actor, idempotencyKey: idempotencyKey!, refusal });
    else recordAct(state, operate, () => refusedKey(state));
  };

const textPattern = /^[\x21-\x7e]{1,64}$/;

/** Whether whoever acts is named as operators can be, and the reason is one. */
function isWellNamed({ actor, token, address, idempotencyKey, reason }: Operate): boolean {
  const names = [actor, token, address, ...(idempotencyKey === null ? [] : [idempotencyKey])];
  const isReason = reason === null || (reason !== '' && hasAtMost(reason, engineLimits.reasonLength));
  return isReason && names.every((name) => textPattern.test(name));
}

function refusedKey(state: EngineState): RejectReason {
  refuse(state, 'idempotencyKeyInUse');
  return 'idempotencyKeyInUse';
}

/** Applies the command, remembers it under its key, and answers why it was refused; `null`: it was not. */
function applyFor(
  state: EngineState,
  { actor, idempotencyKey, command }: Operate,
  table: PlainTable,
): RejectReason | null {
  const { running } = state;
  running.actor = actor;
  running.idempotencyKey = idempotencyKey;
  state.emit.orderRefusal = null;
  (table[command.kind] as CommandFunction<typeof command.kind>)(state, command as never);
  const { refusal } = running;
  if (refusal === null) state.operators.noteActor(actor);
  running.actor = null;
  running.idempotencyKey = null;
  running.refusal = null;
  if (idempotencyKey !== null)
    state.operations.put({ actor, idempotencyKey, fingerprint: fingerprintOf(command), refusal, at: state.at });
  return refusal ?? (isOneOrder(command) ? state.emit.orderRefusal : null);
}

/** Whether a command is refused as a whole where an order is. */
const isOneOrder = ({ kind }: Operate['command']): boolean =>
  kind === 'placeOrder' || kind === 'reducePosition' || kind === 'cancelOrder';

/** Does what an operator asks for, and tells of it as the next act. */
function recordAct(state: EngineState, operate: Operate, work: () => RejectReason | null): void {
  const { actor, token, address, idempotencyKey, reason, command } = operate;
  const subject = subjectOf(state, command);
  const parameters = canonicalText(wordsOfCommand(state, command));
  const wordsNow = (): RecordWords => wordsOf(state, subject.record() ?? {});
  const before = wordsNow();
  const { lastProposal } = state.operators;
  const refusal = work();
  const changes = changesBetween(before, wordsNow());
  const proposed = state.operators.lastProposal;
  if (proposed > lastProposal) changes.push({ member: 'proposal', before: null, after: proposed });
  const act = state.acts.link({
    ...{ seq: state.progress.seq, at: state.at, actor, token, address, idempotencyKey, reason },
    commandKind: command.kind,
    targetKind: subject.kind,
    targetId: subject.id(),
    parameters,
    changes: canonicalText(changes),
    refusal,
  });
  state.emit.fact({ kind: 'operatorActed', act });
}

/** Members that differ, by name. */
function changesBetween(before: RecordWords, after: RecordWords): ActChange[] {
  const members = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return members.flatMap((member) => {
    const [was, is]: Words[] = [before[member] ?? null, after[member] ?? null];
    return canonicalText(was) === canonicalText(is) ? [] : [{ member, before: was, after: is }];
  });
}
