import { describe, expect, test } from 'vitest';
import type { Command } from '#model/command.ts';
import { createEventRecorder, type Event } from '#model/event-record.ts';
import { engineLimits } from '#model/limits.ts';
import { as, type Seq } from '#model/units.ts';
import { createEngine, restoreEngine, type StateMachine } from '#engine/create-engine.ts';

/** An engine, and what applies the next command to it. */
function stage(from?: StateMachine) {
  const engine = from ?? createEngine();
  const apply = (at: number, command: Command): readonly Event[] => {
    const recorder = createEventRecorder();
    engine.apply({ seq: as<Seq>(engine.seq + 1), epoch: engine.state.progress.epoch, at: as(at), command }, recorder);
    return recorder.events;
  };
  return { engine, apply };
}

const kindsOf = (events: readonly Event[]) =>
  events.map((event) => (event.kind === 'commandRefused' ? event.reason : event.kind));

describe('DEC-OPR-12: tokens of operators', () => {
  const hash = (count: number): string => count.toString(16).padStart(64, '0');
  const token = (count: number, expiresAt = 1000, changes = {}): Command => ({
    kind: 'createOperatorToken',
    tokenHash: hash(count),
    actor: 'erin',
    scopes: ['assets:read'],
    expiresAt: as(expiresAt),
    ...changes,
  });

  test('are found by their hash until they are deleted, and an image keeps them', () => {
    const { engine, apply } = stage();
    expect(apply(5, token(1))).toEqual([
      {
        kind: 'operatorTokenCreated',
        token: { tokenHash: hash(1), actor: 'erin', scopes: ['assets:read'], createdAt: 5, expiresAt: 1000 },
      },
    ]);
    const restored = stage(restoreEngine(engine.snapshot(), engine.digest()));
    expect(restored.engine.state.operatorTokens.find(hash(1))).toEqual(engine.state.operatorTokens.find(hash(1)));
    const deleted = restored.apply(6, { kind: 'deleteOperatorToken', tokenHash: hash(1) });
    expect(deleted).toEqual([{ kind: 'operatorTokenDeleted', tokenHash: hash(1), actor: 'erin' }]);
    expect(restored.engine.state.operatorTokens.find(hash(1))).toBeNull();
    expect(kindsOf(restored.apply(7, { kind: 'deleteOperatorToken', tokenHash: hash(1) }))).toEqual([
      'unknownOperatorToken',
    ]);
  });

  test('expired ones are forgotten when the next is created, and do not count', () => {
    const { engine, apply } = stage();
    for (let count = 0; count < engineLimits.operatorTokens; count += 1)
      apply(0, token(count, count === 7 ? 10 : 1000));
    expect(kindsOf(apply(9, token(5000)))).toEqual(['tooManyOperatorTokens']);
    expect(kindsOf(apply(10, token(5000)))).toEqual(['operatorTokenCreated']);
    expect(engine.state.operatorTokens.find(hash(7))).toBeNull();
    expect(kindsOf(apply(10, token(5001)))).toEqual(['tooManyOperatorTokens']);
  });

  test.each([
    ['a hash that is none', { tokenHash: 'A'.repeat(64) }, 'invalidConfiguration'],
    ['a name with a blank', { actor: 'a b' }, 'invalidConfiguration'],
    ['DEC-OPR-140: a name that folds to root', { actor: 'RooT' }, 'invalidConfiguration'],
    ['DEC-OPR-141: making and approving', { scopes: ['proposals:review', 'tokens:write'] }, 'invalidConfiguration'],
    ['an end in the past', { expiresAt: 5 }, 'invalidConfiguration'],
    ['a scope that is none', { scopes: ['assets read'] }, 'invalidConfiguration'],
    ['more than 32 scopes', { scopes: Array.from({ length: 33 }, () => 'a') }, 'invalidConfiguration'],
    ['a hash that is known', { tokenHash: hash(1) }, 'operatorTokenInUse'],
  ])('%s is refused and changes nothing', (_, changes, reason) => {
    const { engine, apply } = stage();
    apply(5, token(1));
    const before = engine.digest();
    expect(kindsOf(apply(5, token(2, 1000, changes)))).toEqual([reason]);
    expect(engine.digest()).toBe(before);
  });
});
