import type { Acting, CommandOf, Operate } from '#model/command.ts';

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
