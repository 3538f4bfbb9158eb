import { z } from 'zod';
import * as field from '#operator-api/declaration/fields.ts';
import { askOperator, control, type Members, oneOf } from '#testing/scenario/operator-actions.ts';
import { action, type World } from '#testing/scenario/world.ts';

const namesIn = (list: unknown): readonly string[] => (Array.isArray(list) ? list.map(String) : []);

/** Values of assets stay where they are once the run is over. */
const endPath = {
  undo: (world: World, { assets }: Members): void => {
    for (const asset of namesIn(assets))
      world.undo(`path ${asset}`, () =>
        askOperator(world, 'followPath', { assets: [asset], path: { kind: 'jump', changePpm: 0, seconds: 1 } }),
      );
  },
};

/** Conditions of markets as they were before. */
const formerConditions = {
  read: async ({ operator }: World, { markets }: Members) => {
    const { markets: all } = await operator.getMarket();
    return all.filter(({ market }) => namesIn(markets).includes(market));
  },
  undo: (world: World, _: Members, { before }: { readonly before: unknown }): void => {
    for (const { market, endsAt: __, ...condition } of before as readonly (Members & { readonly market: string })[])
      world.undo(`condition ${market}`, () =>
        askOperator(world, 'setMarketCondition', { markets: [market], ...condition }),
      );
  },
};

/** What the simulated traders do. DEC-KIT-73. */
export const marketAction = oneOf({
  conditions: control('setMarketCondition', formerConditions),
  move: control('moveMarket', endPath),
  path: control('followPath', endPath),
  endPaths: control('clearPaths'),
});

const halted = z.strictObject({
  pair: field.pairName().optional().describe('The pair; without it every pair and contract.'),
});
const why = 'scenario';

const setStatus = (world: World, pair: string | undefined, isOpen: boolean) =>
  pair === undefined
    ? askOperator(world, 'putTrading', { state: isOpen ? 'open' : 'halted', reason: why })
    : askOperator(world, 'changePair', { pair, status: isOpen ? 'online' : 'paused', reason: why });

/** Stops a pair, or everything. */
export const haltAction = action(halted, async (world, { pair }) => {
  const answer = await setStatus(world, pair, false);
  if (answer.status === 200) world.undo(`halt ${pair ?? ''}`, () => setStatus(world, pair, true));
  return answer;
});
/** Opens what was halted. */
export const resumeAction = action(halted, (world, { pair }) => setStatus(world, pair, true));

/** Contracts: orders of accounts, their leverage, index prices, and the state of a contract. */
export const contractAction = oneOf({
  order: control('placeContractOrder'),
  cancel: control('cancelContractOrder'),
  leverage: control('setLeverage'),
  givePrice: control('giveIndexPrice', {
    undo: (world, { contract, source }) =>
      world.undo(`source ${contract} ${source}`, () => askOperator(world, 'removeIndexSource', { contract, source })),
  }),
  removeSource: control('removeIndexSource'),
  state: control('setContractState', {
    read: ({ operator }, { contract }) => operator.getContract({ contract: String(contract) }),
    undo: (world, { contract }, { before }) => {
      const { state } = before as { readonly state: string };
      world.undo(`state ${contract}`, () => askOperator(world, 'setContractState', { contract, state }));
    },
  }),
  fundInsurance: control('fundInsurance'),
});
