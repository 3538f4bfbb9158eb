import { describe, expect, test } from 'vitest';
import { house, innerHouse } from '#model/account.ts';
import { type Command, type CommandKind, type CommandOf, plainCommands } from '#model/command.ts';
import { commandNumbers } from '#model/command-codec.ts';
import { createEventRecorder } from '#model/event-record.ts';
import { as, toAmount } from '#model/units.ts';
import { createEngine, restoreEngine } from '#engine/create-engine.ts';
import { audit } from '#engine/image/audit.ts';
import { fitsCap } from '#engine/money/free-balance.ts';
import type { EngineState } from '#engine/state/state.ts';
import { CommandMaker } from '../fuzz/command-maker.ts';
import { operated } from '../operated.ts';

const journals = 48;
const commandsOfEach = 1_500;
const startAt = 1_700_000_000_000;

/** A journal of production, and what is simulated in it against the rule. */
function productionJournal() {
  const engine = createEngine();
  const faults: string[] = [];
  const apply = (command: Command, at = engine.at as number) => {
    const recorder = createEventRecorder();
    engine.apply({ seq: as(engine.seq + 1), epoch: as(0), at: as(at), command }, recorder);
    for (const event of recorder.events) {
      if (event.kind === 'accountOpened') {
        const { simulated, name } = event.account;
        // Accounts of insurance funds keep no finished orders either; the engine alone opens them.
        if (simulated && !name.startsWith('insurance:')) faults.push(`${command.kind} opened ${name}`);
      }
      // A delivery whose losers cannot pay is the house's own loss. DEC-FUT-56.
      if (event.kind === 'posted' && event.account === innerHouse.grants && event.why !== 'insurance')
        faults.push(`${command.kind} took money from nothing as ${event.why}`);
      if (event.kind === 'profileRecorded' && event.profile !== 'production') faults.push('it became a sandbox');
    }
    return recorder.events;
  };
  apply({ kind: 'recordProfile', profile: 'production' }, startAt);
  return { engine, faults, apply };
}

const refusalsOf = (events: ReturnType<ReturnType<typeof productionJournal>['apply']>) =>
  events.flatMap((event) => (event.kind === 'commandRefused' ? [event.reason] : []));

const person = { name: 'somebody', class: 'user', kycLevel: 1 } as const;
/** Every command that can say that something is simulated, as it would be taken if it did not. */
const simulatable: Partial<Record<CommandKind, (simulated: boolean) => Command>> = {
  openAccount: (simulated) => ({ kind: 'openAccount', ...person, uid: as(77), master: null, simulated }),
  registerAccount: (simulated) => ({
    kind: 'registerAccount',
    ...person,
    ...{ uid: as(78), simulated, email: null, mobile: null, inviteCode: null },
  }),
};

describe('DEC-OPR-296: no record of a sandbox is in a journal of production', () => {
  test('every command with a member that says so is refused where it is set, and changes nothing', () => {
    const withMember = Object.entries(plainCommands).filter(([, { members }]) => 'simulated' in members);
    expect(withMember.map(([kind]) => kind)).toEqual(Object.keys(simulatable));
    for (const make of Object.values(simulatable)) {
      for (const wrap of [(command: Command) => command, (command: Command) => operated('erin', command as never)]) {
        const { engine, apply } = productionJournal();
        const before = engine.state.accounts.size;
        expect(refusalsOf(apply(wrap(make(true))))).toEqual(['invalidConfiguration']);
        expect(engine.state.accounts.size).toBe(before);
        expect(refusalsOf(apply(wrap(make(false))))).toEqual([]);
        expect(engine.state.accounts.size).toBe(before + 1);
      }
    }
  });

  test('whatever commands of every kind ask for, nobody is simulated and nothing comes from nothing', () => {
    const made = new Set<CommandKind>();
    const refusedCredits = new Set<string>();
    for (let seed = 1; seed <= journals; seed += 1) {
      const journal = productionJournal();
      const maker = new CommandMaker(seed);
      for (let count = 0; count < commandsOfEach; count += 1) {
        const { at, command } = maker.next(journal.engine.state);
        const refusals = refusalsOf(journal.apply(command, at));
        made.add(command.kind);
        if (command.kind === 'operate') made.add(command.command.kind);
        if (command.kind !== 'creditFunds') continue;
        refusedCredits.add(refusals.join());
        bringFromOutside(journal.engine.state, command);
      }
      for (const profile of ['sandbox', 'production'] as const)
        expect(refusalsOf(journal.apply({ kind: 'recordProfile', profile }))).toEqual(['wrongState']);
      made.add('recordProfile');
      const { engine, faults } = journal;
      expect([seed, faults, audit(engine.state), engine.state.profile.value]).toEqual([seed, [], [], 'production']);
      const restored = restoreEngine(engine.snapshot(), engine.digest());
      expect([restored.state.profile.value, restored.digest()]).toEqual(['production', engine.digest()]);
    }
    expect([...refusedCredits]).toEqual(['onlyInSandbox']);
    expect(Object.keys(commandNumbers).filter((kind) => !made.has(kind as CommandKind))).toEqual([]);
  });
});

/** What was not given from nothing comes as a deposit would: from outside, to the account and to the operator. */
function bringFromOutside(state: EngineState, { account, asset, amount }: CommandOf<'creditFunds'>): void {
  if (!state.accounts.isUser(account) || state.assets.get(asset) === null || amount <= 0n) return;
  for (const receiver of [account, innerHouse.capital])
    if (fitsCap(state, asset, amount)) state.ledger.move(house.outside, receiver, asset, toAmount(amount), 'deposit');
}
