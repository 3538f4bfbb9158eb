import { isoTime } from '#base/clock.ts';
import { accountOfCommand } from '#model/command-subject.ts';
import { noopSink } from '#model/event-record.ts';
import type { StateMachine } from '#engine/create-engine.ts';
import { FileSnapshotStore } from '#journal/file-snapshot-store.ts';
import { openJournalReader, type JournalReader } from '#journal/journal-reader.ts';
import { nodeFileOperations } from '#journal/node-file-operations.ts';
import { noteOf, readNote, writeNote } from '#main/storage/broken-entry-note.ts';
import { cutBrokenTail, nameEntry, tailFolder } from '#main/storage/broken-tail.ts';
import type { DataDirectory } from '#main/storage/data-directory.ts';
import { agrees, type Terminal } from '#operator-commands/terminal.ts';
import { everyTenth } from '#sequencer/recovery.ts';
import { EntryBroken, replay, restoreNewest, type BrokenEntry } from '#sequencer/recovery.ts';

/** Message of a start whose replay reached an entry that this build cannot apply and that has no note. */
export const adviceOnBroken =
  'An older build may have applied it and answered it: first try the build that ran last. To go on without this ' +
  'entry and all behind it, run: bourse quarantine DATA';

/** What `bourse quarantine` is given. */
export interface QuarantineOptions {
  readonly directory: DataDirectory;
  readonly version: string;
  /** The operator has agreed already. */
  readonly isConfirmed: boolean;
  readonly tell: (message: string) => void;
  /** Asks the operator; `null` without a terminal. */
  readonly ask: Terminal['ask'];
}

const exitCodes = { done: 0, declined: 1, usage: 2 } as const;

/**
 * Cuts the journal of a stopped exchange before the first entry that this build cannot apply, once the operator
 * agrees, and reports what it did. Answers the exit code: 0 done or nothing to do, 1 declined, 2 not confirmed.
 */
export async function quarantineTail(options: QuarantineOptions): Promise<number> {
  const { directory, version, tell } = options;
  const cut = { files: nodeFileOperations, directory, tell };
  if (readNote(directory) !== null) {
    // There is a note of the last run or of an interrupted run of this command: complete it as a start would.
    await cutBrokenTail(cut);
    tell('The next start records it and goes on.');
    return exitCodes.done;
  }
  const reader = await openJournalReader(nodeFileOperations, directory.journal);
  const found = await findBroken(directory, reader, tell);
  if (found === null) {
    tell(`Nothing to do: every entry up to ${reader.last()} can be applied.`);
    return exitCodes.done;
  }
  const note = noteOf(found.broken, 'replay', version);
  for (const line of await describeTail(reader, found)) tell(line);
  tell(`All of them would be moved to ${tailFolder(directory, note)}, and the exchange goes on after ${note.seq - 1}.`);
  if (!options.isConfirmed) {
    if (options.ask === null) {
      tell('Nothing was changed: nobody can be asked here. Add --yes to do it.');
      return exitCodes.usage;
    }
    if (!agrees(await options.ask('Move them? [y/N] '))) {
      tell('Nothing was changed.');
      return exitCodes.declined;
    }
  }
  // From here on the next start completes an interrupted run.
  writeNote(directory, note);
  await cutBrokenTail(cut);
  tell('Done. The next start records it and goes on.');
  return exitCodes.done;
}

interface Found {
  readonly broken: BrokenEntry;
  /** As it was when it broke: good for names only. */
  readonly engine: StateMachine;
}

/** The first entry behind the newest usable snapshot that cannot be applied, `null` if all can. */
async function findBroken(
  directory: DataDirectory,
  reader: JournalReader,
  tell: (message: string) => void,
): Promise<Found | null> {
  const store = new FileSnapshotStore({ files: nodeFileOperations, directory: directory.snapshots, notice: tell });
  const engine = await restoreNewest(reader, store, { atMost: reader.last(), notice: tell });
  try {
    await replay(engine, reader, noopSink, everyTenth(engine.seq, reader.last(), tell));
    return null;
  } catch (error) {
    if (!(error instanceof EntryBroken)) throw error;
    return { broken: error.broken, engine };
  }
}

async function describeTail(reader: JournalReader, { broken, engine }: Found): Promise<readonly string[]> {
  const kinds = new Map<string, number>();
  const accounts = new Set<number>();
  let last: number = broken.at;
  for await (const entries of reader.read(broken.seq)) {
    for (const { seq, at, command } of entries) {
      const account = accountOfCommand(command);
      if (seq === broken.seq) continue;
      kinds.set(command.kind, (kinds.get(command.kind) ?? 0) + 1);
      if (account !== null) accounts.add(account);
      last = at;
    }
  }
  const account = broken.account === null ? null : engine.state.accounts.get(broken.account);
  const behind = reader.last() - broken.seq;
  const counts = [...kinds].map(([kind, count]) => `${count} ${kind}`).join(', ');
  return [
    `This build cannot apply ${nameEntry(broken)}: ${broken.invariant}.`,
    ...(account === null ? [] : [`Account ${account.account} is uid ${account.uid}, "${account.name}".`]),
    behind === 0
      ? 'Nothing stands behind it.'
      : `Behind it stand ${behind} entries of ${accounts.size} accounts, up to ${isoTime(last)}: ${counts}.`,
  ];
}
