import { expect, test } from 'vitest';
import type { Command } from '#model/command.ts';
import { createEventRecorder } from '#model/event-record.ts';
import { as } from '#model/units.ts';
import { StateMachine } from '#engine/create-engine.ts';
import { readState } from '#engine/image/state-image.ts';
import { EngineState } from '#engine/state/state.ts';

/** An engine that knows the rules up to a version, whatever this build knows. */
class Versioned {
  machine: StateMachine;

  constructor(known: number, state = new EngineState()) {
    this.machine = new StateMachine(state, known);
  }

  run(command: Command) {
    const { machine } = this;
    const recorder = createEventRecorder();
    machine.apply({ seq: as(machine.seq + 1), epoch: as(0), at: as(1_700_000_000_000), command }, recorder);
    return recorder.events;
  }
}

const activation: Command = { kind: 'activateRules', version: 2 };
const ban = (address: string): Command => ({ kind: 'banAddress', address, until: as(1_800_000_000_000), times: 1 });
const journal: readonly Command[] = [ban('10.0.0.1'), activation, ban('10.0.0.2')];

test('DEC-ORD-36: a journal begins under version 1, and a command activates a later one for good', () => {
  const engine = new Versioned(2);
  engine.run(journal[0]!);
  expect(engine.machine.state.progress.rules).toBe(1);
  expect(engine.run(activation)).toEqual([{ kind: 'rulesActivated', version: 2 }]);
  expect(engine.machine.state.progress.rules).toBe(2);
  for (const version of [1, 2])
    expect(engine.run({ kind: 'activateRules', version })).toMatchObject([{ kind: 'commandRefused' }]);
  const restored = new Versioned(2, readState(engine.machine.snapshot(), engine.machine.digest()));
  expect(restored.machine.state.progress.rules).toBe(2);
});

test('DEC-ORD-36: the same journal gives the same events; without the activation it gives others', () => {
  const digestOf = (commands: readonly Command[]) => {
    const engine = new Versioned(2);
    for (const command of commands) engine.run(command);
    return engine.machine.eventDigest();
  };
  expect(digestOf(journal)).toBe(digestOf(journal));
  expect(digestOf(journal.filter((command) => command !== activation))).not.toBe(digestOf(journal));
});

test('DEC-ORD-36: a build that does not know the version refuses the journal, and says which versions it knows', () => {
  const engine = new Versioned(1);
  engine.run(journal[0]!);
  expect(() => engine.run(activation)).toThrow('this build knows the rules up to version 1, not version 2');
});
