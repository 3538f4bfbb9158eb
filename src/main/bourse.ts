#!/usr/bin/env node
import { join } from 'node:path';
import '#main/configuration/code-settings.ts';
import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { wallClock } from '#base/clock.ts';
import { BehindLog, JournalDiverged } from '#cluster/standby.ts';
import { ChainFileFault } from '#custody/simulated/chain-file.ts';
import { CustodyMisconfigured } from '#custody/watch-only.ts';
import { HistoryUnavailable } from '#history/history-store.ts';
import { JournalDamaged, JournalOfOtherBuild } from '#journal/journal.ts';
import { DataDirectoryInUse, lockDataDirectory } from '#journal/data-lock.ts';
import { runAllInOne } from '#main/composition/all-in-one.ts';
import { confirmClock } from '#main/composition/clock-watch.ts';
import { parseCommandLine, type ParsedCommandLine } from '#main/configuration/command-line.ts';
import type { PrintedAnswer } from '#main/commands/printed-answer.ts';
import { ConfigurationRefused, environment, readTextFile } from '#main/configuration/config.ts';
import { HistoryLost } from '#main/storage/damaged-history.ts';
import {
  claimDataDirectory,
  type DataDirectory,
  layoutOf,
  NoExchange,
  requireExchange,
} from '#main/storage/data-directory.ts';
import { ProfileDiffers } from '#main/composition/require-profile.ts';
import { JournalBehindHistory } from '#main/composition/exchange-core.ts';
import { loadMasterKeys } from '#main/secrets/master-key.ts';
import { StandbyStopped } from '#main/cluster/await-quorum.ts';
import { adviceOnNode } from '#main/cluster/advice-on-node.ts';
import { ClusterRefused } from '#main/cluster/join-chain.ts';
import { processTerminal } from '#main/commands/process-terminal.ts';
import { newSeed } from '#main/commands/new-seed.ts';
import { PortUnavailable } from '#main/composition/ports.ts';
import { createSecretSeal } from '#main/secrets/secret-seal.ts';
import { OtherMembership, requireAlone } from '#main/storage/membership.ts';
import { NoteUnreadable } from '#main/storage/broken-entry-note.ts';
import { HistoryBeyondCut } from '#main/storage/history-after-cut.ts';
import { adviceOnBroken, quarantineTail } from '#main/commands/quarantine-tail.ts';
import { verifyActs } from '#main/audit/verify-acts.ts';
import { finishReplacement } from '#main/states/content-files.ts';
import { startLines } from '#main/start-lines.ts';
import { rebuildHistory } from '#main/commands/rebuild-history.ts';
import { storageFault } from '#main/storage/storage-fault.ts';
import { verifyDataDirectory } from '#main/commands/verify.ts';
import { MomentDiffers, SeedDiffers } from '#sandbox/sandbox-files.ts';
import { CommandFailed, exitCodes } from '#operator-commands/exit-codes.ts';
import { finish } from '#operator-commands/terminal.ts';
import { EntryBroken, JournalTooShort, RulesNotKnown } from '#sequencer/recovery.ts';

const tell = (message: string): void => {
  process.stdout.write(`${message}\n`);
};

type ParsedCommand = Extract<ParsedCommandLine, { command: string }>;

async function run(parsed: ParsedCommand, version: string): Promise<number> {
  const directory = layoutOf(parsed.config.data);
  if (parsed.command === 'confirm-clock') {
    requireExchange(directory);
    // Without the lock, which the running exchange holds.
    await confirmClock({ root: directory.root, wall: wallClock, tell }, setTimeout);
    return 0;
  }
  if (parsed.command === 'start') return start(parsed, directory, version);
  for (const warning of parsed.warnings) process.stderr.write(`${warning}\n`);
  if (parsed.command === 'new-seed') {
    // Without the lock: nothing of the exchange is written, and it may run.
    const keys = loadMasterKeys({ ...parsed.config, data: directory.root });
    process.stdout.write(newSeed(parsed.newSeed!, createSecretSeal(keys)));
    return 0;
  }
  requireExchange(directory);
  const lock = lockDataDirectory(directory.root);
  try {
    await finishReplacement(directory.root);
    switch (parsed.command) {
      case 'verify': {
        const report = await verifyDataDirectory(directory, tell);
        process.stdout.write(report.text);
        return report.isSound ? 0 : exitCodes.data;
      }
      case 'audit-verify': {
        const report = await verifyActs(directory, tell);
        process.stdout.write(report.text);
        return report.isSound ? 0 : exitCodes.data;
      }
      case 'rebuild-history':
        await rebuildHistory(directory, tell);
        return 0;
      case 'quarantine':
        requireAlone(directory, 'make it a lone exchange first, with bourse cluster leave --last');
        return await quarantineTail({
          directory,
          version,
          isConfirmed: parsed.isConfirmed,
          tell,
          ask: processTerminal().ask,
        });
    }
  } finally {
    lock.release();
  }
}

/** Runs the exchange; a start that is refused before anybody could be answered leaves nothing behind. DEC-OPR-23. */
async function start(
  { config, file, warnings }: ParsedCommand,
  directory: DataDirectory,
  version: string,
): Promise<number> {
  const lines = startLines(config.profile, process);
  for (const warning of warnings) lines.warn(warning);
  const claim = claimDataDirectory(directory);
  let isServing = false;
  const onServing = (): void => {
    isServing = true;
  };
  try {
    const code = await runAllInOne({ config, configurationFile: file, directory, version, lines, onServing });
    claim.release();
    return code;
  } catch (error) {
    if (error instanceof StandbyStopped) {
      claim.release();
      return 0;
    }
    if (!isServing && isRefusal(error, directory.root)) claim.undo();
    else claim.release();
    throw error;
  }
}

/** Whether what is at fault is outside the data directory's content, which nobody needs to look at then. */
const isRefusal = (error: unknown, root: string): boolean =>
  isAboutUsage(error) || error instanceof PortUnavailable || storageFault(error, root) !== null;

const isAboutUsage = (error: unknown): error is Error =>
  error instanceof ConfigurationRefused ||
  error instanceof SeedDiffers ||
  error instanceof MomentDiffers ||
  error instanceof ProfileDiffers ||
  error instanceof ClusterRefused ||
  error instanceof OtherMembership ||
  error instanceof CustodyMisconfigured;

/** The simulated chains and the journal are of one moment: neither goes on without the other. DEC-WAL-176. */
const chainFileAdvice = (root: string): string =>
  `It is ${join(root, 'simulated-chain.jsonl')}, and the journal beside it tells of its blocks. Put the whole ` +
  `directory back from a backup, or begin a new sandbox: remove ${root}, or name another directory with --data.`;

/** The exit code and what to tell of an error that ends the process; anything unexpected shows its stack. */
function explain(error: unknown, root: string, isNode: boolean): { readonly code: number; readonly text: string } {
  if (error instanceof CommandFailed) return { code: error.exit, text: error.message };
  if (isAboutUsage(error)) return { code: exitCodes.usage, text: error.message };
  if (error instanceof PortUnavailable) return { code: exitCodes.port, text: error.message };
  if (error instanceof EntryBroken) {
    const advice = isNode ? `If other nodes go on: ${adviceOnNode}` : adviceOnBroken;
    return { code: exitCodes.data, text: `${error.message}\n${advice}` };
  }
  if (error instanceof ChainFileFault)
    return { code: exitCodes.data, text: `${error.message} ${chainFileAdvice(root)}` };
  const isAboutData =
    error instanceof NoteUnreadable ||
    error instanceof HistoryBeyondCut ||
    error instanceof NoExchange ||
    error instanceof JournalOfOtherBuild ||
    error instanceof JournalDamaged ||
    error instanceof JournalTooShort ||
    error instanceof RulesNotKnown ||
    error instanceof JournalBehindHistory ||
    error instanceof HistoryLost ||
    error instanceof BehindLog ||
    error instanceof JournalDiverged ||
    error instanceof DataDirectoryInUse;
  if (isAboutData) return { code: exitCodes.data, text: error.message };
  const fault = storageFault(error, root);
  if (fault !== null) return { code: exitCodes.data, text: fault };
  if (error instanceof HistoryUnavailable)
    return { code: exitCodes.data, text: `history.db cannot be used: ${error.message}` };
  return { code: exitCodes.failed, text: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};
const parsed = parseCommandLine(process.argv.slice(2), environment(), { version, readFile: readTextFile });
const print = ({ exit, text }: PrintedAnswer): void => {
  (exit === 0 ? process.stdout : process.stderr).write(text);
  process.exitCode = exit;
};
if ('exit' in parsed) print(parsed);
else if ('work' in parsed) process.exitCode = await finish(parsed.work, processTerminal());
else {
  run(parsed, version).then(
    (code) => process.exit(code),
    (error: unknown) => {
      const { data, cluster } = parsed.config;
      const { code, text } = explain(error, layoutOf(data).root, cluster !== null);
      const faults = error instanceof PortUnavailable ? error.faults : [text];
      for (const fault of faults) {
        if (parsed.command === 'start') startLines(parsed.config.profile, process).fail(fault);
        else process.stderr.write(`bourse: ${fault}\n`);
      }
      process.exit(code);
    },
  );
}
