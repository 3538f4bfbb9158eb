import type { Act } from '#model/act.ts';
import type { Acting, CommandOf, Operate } from '#model/command.ts';
import { as } from '#model/units.ts';

/** A command in the name of an operator, as the operator API submits it. `rest`: what is not the usual. */
export const operated = (
  actor: string,
  command: Operate['command'],
  rest: Partial<Omit<Acting, 'actor'>> = {},
): CommandOf<'operate'> => ({
  kind: 'operate',
  actor,
  token: '00112233aabbccdd',
  address: '127.0.0.1',
  idempotencyKey: null,
  reason: null,
  ...rest,
  command,
});

/** An act as events tell it; `rest`: what is not the usual. Its hash is none of a chain. */
export const toldAct = (number: number, rest: Partial<Act> = {}): Act => ({
  number,
  seq: as(number),
  at: as(1000 * number),
  actor: 'carol',
  token: '00112233aabbccdd',
  address: '127.0.0.1',
  idempotencyKey: null,
  reason: null,
  commandKind: 'creditFunds',
  targetKind: 'account',
  targetId: '10000001',
  parameters: '{"amount":"5"}',
  changes: '[]',
  refusal: null,
  hash: String(number).padStart(64, '0'),
  ...rest,
});
