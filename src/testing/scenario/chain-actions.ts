import { z } from 'zod';
import * as field from '#operator-api/declaration/fields.ts';
import { accountName, askOperator, control, oneOf } from '#testing/scenario/operator-actions.ts';
import type { StepAnswer } from '#testing/scenario/step-answer.ts';
import { accountOf, action, type World } from '#testing/scenario/world.ts';

const paid = z.strictObject({
  account: accountName(),
  network: field.networkCode(),
  asset: field.assetCode(),
  amount: field.amount('What somebody outside pays to its address.'),
});

/** Pays to the address of an account, which is made if it has none. */
async function deposit(world: World, { account, network, asset, amount }: z.output<typeof paid>): Promise<StepAnswer> {
  const given = await world.api.request({
    method: 'POST',
    path: '/api/v3/capital/deposit/address',
    parameters: { coin: asset, network },
    account: accountOf(world, account),
  });
  if (given.status !== 200) return given;
  const [first] = [given.body].flat() as readonly { readonly address: string; readonly memo: string | null }[];
  const { address = '', memo = null } = first ?? {};
  return askOperator(world, 'depositOnChain', { network, asset, address, memo: memo || null, amount });
}

/** The simulated chains. DEC-KIT-73. */
export const chainAction = oneOf({
  deposit: action(paid, deposit),
  mine: control('mineBlocks'),
  reorganise: control('reorganiseChain'),
  delay: control('delayChain', {
    read: async ({ operator }, { network }) => (await operator.getChain({ network: String(network) })).delayBlocks,
    undo: (world, { network }, { before }) =>
      world.undo(`delay ${network}`, () => askOperator(world, 'delayChain', { network, blocks: before })),
  }),
  limitWallet: control('limitChainWallet', {
    undo: (world, { network, asset }) =>
      world.undo(`wallet ${network} ${asset}`, () =>
        askOperator(world, 'limitChainWallet', { network, asset, amount: null }),
      ),
  }),
});
