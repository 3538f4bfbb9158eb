import { z } from 'zod';
import { million } from '#base/whole-numbers.ts';
import { engineLimits } from '#model/limits.ts';
import { accountOfUid } from '#operator-api/accounts/find-account.ts';
import { endpoint } from '#operator-api/declaration/endpoint.ts';
import * as field from '#operator-api/declaration/fields.ts';
import type { HandlersOf } from '#operator-api/handlers.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';

const rate = (description: string) =>
  field
    .whole(`${description} In parts per million; null: that of the pair. A pair that asks for less keeps its own.`, {
      min: 0,
      max: million,
    })
    .nullable();
const rules = z.strictObject({
  makerFeePpm: rate('Commission as a maker.'),
  takerFeePpm: rate('Commission as a taker.'),
  openOrdersMax: field.whole('Open orders at most, of all pairs and contracts together.', {
    min: 0,
    max: engineLimits.openOrdersLimitMax,
  }),
});
const ofAccount = z.strictObject({ uid: field.uid() });

/** Endpoints of what an account pays and how many orders it may have open. DEC-OPR-168. */
export const tradingRulesEndpoints = {
  getTradingRules: endpoint.get('/v1/accounts/{uid}/trading-rules', {
    scope: 'accounts:read',
    name: 'Trading rules of an account',
    summary: 'Its own commissions on pairs, and its open-order cap.',
    command: 'accounts trading-rules',
    parameters: ofAccount,
    answer: rules,
    problems: ['unknownAccount'],
  }),
  putTradingRules: endpoint.put('/v1/accounts/{uid}/trading-rules', {
    scope: 'accounts:write',
    edits: 'getTradingRules',
    name: 'Set trading rules of an account',
    summary: 'Gives an account commissions of its own, and another open-order cap.',
    notes: 'They hold for fills and orders from then on. Orders beyond a lower cap stay open.',
    command: 'accounts set-trading-rules',
    parameters: ofAccount,
    body: rules.meta({ examples: [{ makerFeePpm: 0, takerFeePpm: 300, openOrdersMax: 2000 }] }),
    answer: rules,
    problems: ['unknownAccount'],
  }),
};

/** Handlers of the trading rules of accounts. */
export function tradingRulesHandlers({ queries }: OperatorContext): HandlersOf<typeof tradingRulesEndpoints> {
  const answer = async (uid: number) => {
    const { makerFeePpm, takerFeePpm, openOrdersMax } = await accountOfUid(queries, uid);
    return { makerFeePpm, takerFeePpm, openOrdersMax };
  };
  return {
    getTradingRules: ({ path }) => answer(path.uid),
    putTradingRules: async ({ path, body, act }) => {
      const { account } = await accountOfUid(queries, path.uid);
      await act({ kind: 'setTradingRules', account, ...body });
      return answer(path.uid);
    },
  };
}
