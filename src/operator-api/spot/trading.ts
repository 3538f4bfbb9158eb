import { z } from 'zod';
import { tradingStates } from '#model/trading.ts';
import { endpoint, reason } from '#operator-api/declaration/endpoint.ts';
import * as field from '#operator-api/declaration/fields.ts';
import type { HandlersOf } from '#operator-api/handlers.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';

const state = () =>
  field.word(tradingStates, 'While it is not open nothing fills, new orders are refused, and cancels work.');
const trading = z.strictObject({
  state: state(),
  reason: reason().nullable().meta({ description: 'Why it was set; null: it never was.' }),
  actor: z.string().nullable().meta({ description: 'Who set it last; null: nobody.' }),
  since: field.moment('Since when it is in this state; null: from the beginning.').nullable(),
});

/** Endpoints of the halt of all trading. DEC-OPR-166. */
export const tradingEndpoints = {
  getTrading: endpoint.get('/v1/trading', {
    scope: 'pairs:read',
    name: 'Look at trading',
    command: 'trading show',
    summary: 'Whether the exchange trades at all, and why it does not.',
    answer: trading,
  }),
  putTrading: endpoint.put('/v1/trading', {
    scope: 'pairs:write',
    edits: 'getTrading',
    name: 'Halt or open trading',
    command: {
      halt: { state: 'halted' },
      'trading cancel-only': { state: 'cancelOnly' },
      'trading open': { state: 'open' },
    },
    asksFirst: { state: ['halted', 'cancelOnly'] },
    summary: 'Halts trading of every pair and contract, or opens it again.',
    notes:
      'Nothing is traded after the answer. Pairs keep their states, resting orders and holds; openings that are ' +
      'scheduled and liquidations wait; deposits and withdrawals go on. `cancelOnly` and `halted` do the same; they ' +
      'only tell people what to expect.',
    body: z
      .strictObject({ state: state(), reason: reason() })
      .meta({ examples: [{ state: 'halted', reason: 'The price feed of BTC is wrong.' }] }),
    answer: trading,
    problems: ['invalidConfiguration'],
  }),
};

/** Handlers of the halt of all trading. */
export function tradingHandlers({ queries }: OperatorContext): HandlersOf<typeof tradingEndpoints> {
  const answer = async () =>
    (await queries.trading()) ?? { state: 'open' as const, reason: null, actor: null, since: null };
  return {
    getTrading: answer,
    putTrading: async ({ body, act }) => {
      await act({ kind: 'setTrading', ...body });
      return answer();
    },
  };
}
