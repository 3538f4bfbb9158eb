import { Command } from 'commander';
import { expect, test } from 'vitest';
import { catalogue } from '#operator-api/catalogue.ts';
import { type AnyOperatorEndpoint, commandsOf, isWrite } from '#operator-api/declaration/endpoint.ts';
import { addOperatorCommands } from '#operator-commands/operator-commands.ts';
import { jsonSchemaOf } from '#http/documents/json-schema.ts';

const none = () => {
  throw new Error('nothing is read here');
};
const surroundings = { environment: {}, readFile: none, readPrivateFile: none, pause: async () => {} };
const op = addOperatorCommands(new Command(), { surroundings, later: none, word: null });

const endpoints = Object.entries<AnyOperatorEndpoint>(catalogue);
const commandAt = (words: string): Command | undefined =>
  words.split(' ').reduce<Command | undefined>((at, word) => at?.commands.find((each) => each.name() === word), op);
const flagsOf = (command: Command): readonly string[] => command.options.map(({ long }) => long!);

test.each(endpoints)(
  'DEC-OPR-260: %s has its commands, with an argument or a flag for each member',
  (_id, endpoint) => {
    for (const { words, fixed } of commandsOf(endpoint)) {
      const command = commandAt(words);
      expect([words, command?.registeredArguments.map((each) => each.name())]).toEqual([
        words,
        Object.keys(endpoint.parameters.shape),
      ]);
      const flags = flagsOf(command!);
      expect(flags.filter((flag, at) => flags.indexOf(flag) !== at)).toEqual([]);
      const parts = [endpoint.query, ...(endpoint.body === null ? [] : [endpoint.body])];
      for (const name of parts.flatMap((part) => Object.keys(jsonSchemaOf(part, 'input')['properties'] as object))) {
        const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
        const isThere = flags.some(
          (each) => each === flag || each === flag.replace('--', '--set-') || each.startsWith(`${flag}.`),
        );
        expect([words, flag, isThere]).toEqual([words, flag, !Object.hasOwn(fixed, name)]);
      }
      expect([words, flags.includes('--idempotency-key')]).toEqual([words, isWrite(endpoint)]);
      expect([words, flags.includes('--yes')]).toEqual([words, endpoint.asksFirst !== undefined]);
      expect([words, flags.includes('--body')]).toEqual([words, endpoint.body !== null]);
      expect([words, command!.description() !== '']).toEqual([words, true]);
    }
  },
);

test('DEC-OPR-260: every other command below op is told', () => {
  const words = new Set(endpoints.flatMap(([, endpoint]) => commandsOf(endpoint).map((each) => each.words)));
  const leaves = op.commands.flatMap((group) =>
    group.commands.length === 0 ? [group.name()] : group.commands.map((verb) => `${group.name()} ${verb.name()}`),
  );
  expect(leaves.filter((each) => !words.has(each))).toEqual([
    'apply',
    'exchanges add',
    'exchanges list',
    'exchanges use',
    'exchanges remove',
  ]);
});
