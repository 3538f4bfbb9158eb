import { Argument, type Command } from 'commander';
import type { PrintedAnswer } from '#main/commands/printed-answer.ts';
import { bashCompletion } from '#main/completion/bash-completion.ts';
import { type CompletedCommand, completedCommands } from '#main/completion/completed-commands.ts';
import { fishCompletion } from '#main/completion/fish-completion.ts';
import { zshCompletion } from '#main/completion/zsh-completion.ts';

/** What writes the script of each shell. */
const scripts: Readonly<Record<string, (commands: readonly CompletedCommand[]) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};

/** Adds `bourse completion`, which prints what a shell needs to complete all commands of the program. DEC-OPR-268. */
export function addCompletionCommand(program: Command, tell: (answer: PrintedAnswer) => void): void {
  const command = program.command('completion').description('print the script by which a shell completes commands');
  command.addArgument(new Argument('<shell>', 'whose script').choices(Object.keys(scripts)));
  command.action((shell: string) => tell({ exit: 0, text: scripts[shell]!(completedCommands(program)) }));
}
