import { createPrng } from '#base/prng.ts';
import { FileJournal } from '#journal/file-journal.ts';
import type { Command, Entry } from '#model/command.ts';
import { as } from '#model/units.ts';
import type { WalletRules } from '#model/wallet.ts';
import { contractOpening } from '../crash/contract-commands.ts';
import { asset, openingCommands } from '../oracle/opening.ts';
import { MemoryDisk } from '../ports/memory-file-operations.ts';
import { batchOf } from '../ports/memory-journal.ts';
import { directories, segmentSize } from './simulated-life.ts';

/** The journal of a single exchange, from which a cluster is made. */
export interface FoundingJournal {
  readonly origin: Uint8Array;
  readonly entries: readonly Entry[];
  readonly hash: Uint8Array;
  /** Its files, by path. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

const origin = new Uint8Array(32).fill(7);
const funds = { base: 10n ** 12n, quote: 10n ** 15n };

/** Listings, accounts and money. */
export async function createFoundingJournal(): Promise<FoundingJournal> {
  const commands: readonly Command[] = [...openingCommands(funds).map(withTransfers), ...contractOpening];
  const entries = commands.map(
    (command, index): Entry => ({ seq: as(index + 1), epoch: as(1), at: as(1_600_000_000_000 + index), command }),
  );
  const disk = new MemoryDisk(createPrng(1));
  const journal = await FileJournal.open({
    ...{ files: disk, directory: directories.journal, segmentSize, origin, notice: () => {} },
    compress: async () => false,
  });
  const perBatch = 10;
  for (let at = 0; at < entries.length; at += perBatch)
    await journal.append(as(at), batchOf(entries.slice(at, at + perBatch)));
  await journal.whenIdle();
  const hash = journal.lastHash();
  await journal.close();
  return { origin, entries, hash, files: new Map(disk.paths().map((path) => [path, disk.content(path)])) };
}

/** Money of the settle coin moves between the wallets of an account. */
function withTransfers(command: Command): Command {
  if (command.kind !== 'configureWallet') return command;
  const rules: WalletRules = { ...command.rules, transferable: [as(asset.usdt)] };
  return { kind: 'configureWallet', rules };
}
