import { houseAccountCount } from '#model/account.ts';
import type { Command } from '#model/command.ts';
import { referCodeOf } from '#model/refer-code.ts';
import type { AccountId } from '#model/units.ts';
import { as } from '#model/units.ts';
import { cutOfW1, EngineStream, streamOfW1 } from './engine-run.ts';
import type { BenchGroup, BenchLine, BenchSize } from './harness.ts';
import { atMost, compared, interleaveSlices, median } from './harness.ts';
import { walletValuedIn } from './wallet-rules.ts';
import type { Workload } from './workload.ts';
import { withOwnedCancels, workloadOfW1 } from './workload.ts';
import { exchangeOf, setUpCommands } from './workload-exchange.ts';

const slices = 4;
const levels = 3;
/** Accounts that each inviter invites. */
const fanOut = 10;
/** Of each level, whoever is at the top first. None of them trades. */
const invitersOfLevel = Array.from({ length: levels }, (_, level) => fanOut ** level / 2).map(Math.ceil);
const inviters = invitersOfLevel.reduce((sum, count) => sum + count, 0);

/** Code of the inviter above the `place`-th account of a level; levels are counted from the top. */
function codeAbove(level: number, place: number): string {
  const first = invitersOfLevel.slice(0, level - 1).reduce((sum, count) => sum + count, 0);
  const above = first + (place % invitersOfLevel[level - 1]!);
  return referCodeOf(as<AccountId>(houseAccountCount + above));
}

const register = (uid: number, inviteCode: string | null): Command => ({
  kind: 'registerAccount',
  uid: as(uid),
  name: '',
  class: 'user',
  kycLevel: 1,
  simulated: false,
  email: null,
  mobile: null,
  inviteCode,
});

/** The set-up behind inviters; with `isInviting` half of the buyers and half of the sellers were invited. */
function* peopleOf(workload: Workload, isInviting: boolean): Generator<Command> {
  for (const [level, count] of invitersOfLevel.entries()) {
    for (let place = 0; place < count; place += 1) {
      const uid = 90_000_000 + level * 1_000_000 + place;
      yield register(uid, isInviting && level > 0 ? codeAbove(level, place) : null);
    }
  }
  let opened = 0;
  const behind = (account: AccountId): AccountId => as<AccountId>(account + inviters);
  for (const command of setUpCommands(workload)) {
    if (command.kind === 'openAccount') {
      const isInvited = isInviting && (opened >> 1) % 2 === 0;
      yield register(command.uid, isInvited ? codeAbove(levels, opened) : null);
      opened += 1;
    } else if (command.kind === 'createStpGroup') yield { ...command, master: behind(command.master) };
    else if (command.kind === 'addToStpGroup')
      yield { ...command, master: behind(command.master), members: command.members.map(behind) };
    else yield command;
  }
  yield { kind: 'configureWallet', rules: walletValuedIn(as(1)) };
}

async function run(size: BenchSize, report: (line: BenchLine) => void): Promise<void> {
  const cut = cutOfW1(size.quick);
  const plain = withOwnedCancels(workloadOfW1(streamOfW1(cut, size.samples)));
  const workload = { ...plain, account: plain.account.map((account) => account + inviters) };
  const slice = Math.floor(cut.sample / slices);
  const streamOf = (isInviting: boolean): EngineStream => {
    const stream = new EngineStream(workload, exchangeOf(peopleOf(workload, isInviting)));
    stream.advance(cut.warmUp);
    return stream;
  };
  // V8 knows the tables of the first engine of a process by their addresses: it is none of the two that are compared.
  streamOf(true);
  const [uninvited, invited] = [streamOf(false), streamOf(true)];
  const results = await interleaveSlices(
    { uninvited: () => uninvited.advance(slice), invited: () => invited.advance(slice) },
    size.samples,
    slices,
  );
  if (uninvited.sink.accruals !== 0 || invited.sink.accruals === 0)
    throw new Error(`accruals came out wrong: ${uninvited.sink.accruals} and ${invited.sink.accruals}`);
  const [costs, others] = [results.invited, results.uninvited].map((rates) => rates.map((rate) => 1e9 / rate));
  const percent = (100 * (median(costs!) / median(others!) - 1)).toFixed(1);
  const sides = (invited.sink.accruals / (2 * invited.sink.trades)).toFixed(2);
  report(
    compared(
      {
        name: 'engine/rebates',
        unit: 'ns/op',
        must: atMost(1.25),
        aim: atMost(1.1),
        note:
          `W1, half of 1,000 accounts invited ${levels} levels deep (${sides} of all sides of trades accrue), ` +
          `against nobody invited: accrual costs ${percent} % of an operation`,
      },
      costs!,
      others!,
    ),
  );
}

/** `engine/rebates`: what accruing rebates adds to an operation. */
export const group: BenchGroup = { names: ['engine/rebates'], run };
