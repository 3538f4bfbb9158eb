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

/** Gives a market the condition that it had before, for as long as it would have had it. */
export const restoreCondition = async (
  world: World,
  { market, endsAt, ...condition }: Members & { readonly market: string; readonly endsAt: number | null },
): Promise<unknown> => {
  const leftMs = endsAt === null ? null : endsAt - (await world.operator.getClock()).now;
  // One that would be over by now is over.
  const usual = leftMs !== null && leftMs <= 0;
  const seconds = leftMs === null ? null : Math.ceil(leftMs / 1000);
  return askOperator(
    world,
    'setMarketCondition',
    usual ? { markets: [market] } : { markets: [market], ...condition, seconds },
  );
};

const formerConditions = {
  read: async ({ operator }: World, { markets }: Members) => {
    const { markets: all } = await operator.getMarket();
    return all.filter(({ market }) => namesIn(markets).includes(market));
  },
  undo: (world: World, _: Members, { before }: { readonly before: unknown }): void => {
    for (const former of before as readonly Parameters<typeof restoreCondition>[1][])
      world.undo(`condition ${former.market}`, () => restoreCondition(world, former));
  },
};

/** What the simulated traders do. DEC-KIT-73. */
export const marketAction = oneOf({
  conditions: control('setMarketCondition', formerConditions),
  move: control('moveMarket', endPath),
  path: control('followPath', endPath),
  endPaths: control('clearPaths'),
  halt: control('haltMarkets', {
    undo: (world, { markets }) => {
      for (const market of namesIn(markets))
        world.undo(`halt ${market}`, () => askOperator(world, 'resumeMarket', { market }));
    },
  }),
  resume: control('resumeMarket'),
  replay: control('startReplay', {
    undo: (world, _, { answer }) => {
      const { id } = answer as { readonly id: string };
      world.undo(id, () => askOperator(world, 'endReplay', { id }));
    },
  }),
  openPair: control('openPair'),
  openContract: control('openContract'),
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

/** Contracts: orders of accounts, their leverage, index prices, fundings and liquidations, the state of a contract. */
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
  funding: control('settleFunding'),
  liquidate: control('liquidatePosition'),
});
