import { z } from 'zod';
import { targetKinds } from '#model/act.ts';
import { plainCommands } from '#model/command.ts';
import { endpoint } from '#operator-api/declaration/endpoint.ts';
import * as field from '#operator-api/declaration/fields.ts';
import { operatorLimits } from '#operator-api/declaration/limits.ts';

const targetType = () => field.word(targetKinds, 'What kind of thing it was about.');
const command = () =>
  z
    .string()
    .refine((kind) => Object.hasOwn(plainCommands, kind), 'must be a kind of command')
    .meta({ description: 'Kind of the command.', examples: ['reviewWithdrawal'] });
const number = () => z.int().min(1).meta({ description: 'Running number of the act, from 1 without a gap.' });
const value = (description: string) => z.unknown().meta({ description });

const act = z.strictObject({
  number: number(),
  at: field.moment('When.'),
  seq: z.int().meta({ description: 'Position of the command in the journal.' }),
  actor: z.string().meta({ description: 'Who: the folded name.', examples: ['erin'] }),
  token: z.string().meta({
    description: 'With which token: `root`, or the first 16 characters of its id.',
    examples: ['5f3c5f3c5f3c5f3c'],
  }),
  address: z.string().meta({ description: 'From which address.', examples: ['192.0.2.7'] }),
  idempotencyKey: z.string().nullable(),
  reason: z.string().nullable().meta({ description: 'Why, in the words of the operator; null: none was given.' }),
  command: command(),
  target: z
    .strictObject({
      type: targetType(),
      id: z
        .string()
        .nullable()
        .meta({
          description: 'Uid, ticker, name or number; null: there is one only, or nothing came of the act.',
          examples: ['10000001'],
        }),
    })
    .meta({ description: 'What it was about.' }),
  parameters: z.record(z.string(), z.unknown()).meta({
    description: 'Members of the command, without secrets; amounts in whole coins.',
    examples: [{ withdrawal: 17, decision: 'approve' }],
  }),
  changes: z
    .array(
      z.strictObject({
        member: z.string().meta({ examples: ['status'] }),
        before: value('What it was; null: nothing.'),
        after: value('What it is; null: nothing.'),
      }),
    )
    .meta({ description: 'Members of the record that it changed, old and new.' }),
  refusal: z.string().nullable().meta({ description: 'Code of the refusal; null: it was done.' }),
  hash: z.string().meta({
    description: 'SHA-256 that covers this act and, through the hash of the act before, all before it.',
    examples: ['5f3c'.repeat(16)],
  }),
});

/** Endpoints of what operators did. DEC-OPR-195. */
export const actEndpoints = {
  listActs: endpoint.get('/v1/acts', {
    scope: 'acts:read',
    name: 'Acts of operators',
    command: 'acts list',
    summary: 'What operators did and were refused, newest first.',
    query: z.strictObject({
      actor: field.text('Only acts of this operator, however the name is written.', 64).optional(),
      targetType: targetType().optional(),
      targetId: field.text('Only acts about this thing; with targetType.', operatorLimits.targetIdLengthMax).optional(),
      command: command().optional(),
      refused: field.flag('Only acts that were refused, or only those that were done.').optional(),
      ...field.past,
    }),
    answer: field.page(act),
    problems: ['historyUnavailable'],
  }),
  getAct: endpoint.get('/v1/acts/{number}', {
    scope: 'acts:read',
    name: 'Look at an act',
    command: 'acts show',
    summary: 'One act by its number.',
    parameters: z.strictObject({ number: number() }),
    answer: act,
    problems: ['unknownAct', 'historyUnavailable'],
  }),
};
