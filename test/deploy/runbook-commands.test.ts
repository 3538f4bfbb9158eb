import { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { addOperatorCommands } from '#operator-commands/operator-commands.ts';
import { textOf } from './deploy-files.ts';

const none = () => {
  throw new Error('nothing is read here');
};
const surroundings = { environment: {}, readFile: none, readPrivateFile: none, pause: async () => {} };
const op = addOperatorCommands(new Command(), { surroundings, later: none, word: null });
const isWord = (text: string): boolean => /^[a-z][a-z-]*$/.test(text);

/** Every `bourse op …` of a page: its words, then arguments and flags. */
const commandsOf = (page: string): readonly (readonly string[])[] =>
  [...textOf(page).matchAll(/bourse(?:\.js)? op ([^`\n]+)/g)].map(([, words]) => words!.trim().split(/\s+/));

describe.each(['runbooks', 'deploy'])('commands of docs/operations/%s.md', (page) => {
  const commands = commandsOf(`docs/operations/${page}.md`).filter(([first]) => isWord(first!));

  test.each(commands.map((words) => [words.join(' '), words] as const))('bourse op %s', (_, words) => {
    const [group, verb] = words;
    const found = op.commands.find((each) => each.name() === group);
    expect(found, group).toBeDefined();
    const isGroupAlone = verb === undefined || !isWord(verb);
    const leaf = isGroupAlone ? found : found!.commands.find((each) => each.name() === verb);
    expect(leaf, words.join(' ')).toBeDefined();
    const flags = leaf!.options.map(({ long }) => long);
    for (const flag of words.filter((word) => word.startsWith('--'))) expect(flags).toContain(flag);
  });
});
