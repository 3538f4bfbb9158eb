import { z } from 'zod';
import { controlledBlocksMax, reorganisationDepthMax } from '#custody/simulated/chain-controls.ts';
import { endpoint } from '#operator-api/declaration/endpoint.ts';
import * as field from '#operator-api/declaration/fields.ts';

const state = z.strictObject({
  network: field.networkCode(),
  height: z.int().meta({ description: 'Number of the newest block; the network began with block 0.' }),
  hash: z.string().meta({ description: 'Hash of the newest block.' }),
  mempoolSize: z.int().meta({ description: 'Transactions that wait for a block.' }),
  nextBlockAt: field.moment('When time brings the next block.'),
  delayBlocks: z.int().meta({ description: 'Blocks that a transaction of now waits for beyond the next one.' }),
});

const ofNetwork = z.strictObject({ network: field.networkCode() });
const control = {
  scope: 'chain:control',
  parameters: ofNetwork,
  sandboxOnly: 'chains',
} as const;
const own = ['networkUnavailable'] as const;

/** Endpoints of the simulated chains. */
export const chainEndpoints = {
  getChain: endpoint.get('/v1/chains/{network}', {
    ...control,
    name: 'Look at a simulated chain',
    command: 'chains show',
    summary: 'Height, mempool and delay of a simulated network.',
    answer: state,
    problems: own,
  }),
  depositOnChain: endpoint.post('/v1/chains/{network}/deposits', {
    ...control,
    name: 'Pay on a simulated chain',
    command: 'chains deposit',
    summary: 'Somebody outside pays to an address; the payment waits in the mempool for the next block.',
    body: z
      .strictObject({
        asset: field.assetCode(),
        address: field.text('Address that is paid.', 128),
        memo: field.text('Memo of the payment; null: none, also where the network needs one.', 64).nullable(),
        amount: field.amount('What is paid; with as many decimals as the chain counts.'),
      })
      .meta({
        examples: [{ asset: 'USDT', address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', memo: null, amount: '100' }],
      }),
    answer: z.strictObject({ txId: z.string().meta({ description: 'Transaction of the payment.' }), chain: state }),
    status: 201,
    problems: ['unknownNetwork', ...own],
  }),
  giveAddress: endpoint.post('/v1/chains/{network}/addresses', {
    ...control,
    name: 'Give an account an address',
    command: 'chains address',
    summary: 'The deposit address of an account on the network, which is made where there is none.',
    body: z.strictObject({ uid: field.uid('Whose address it is.') }).meta({ examples: [{ uid: 10000001 }] }),
    answer: z.strictObject({
      uid: field.uid(),
      network: field.networkCode(),
      address: z.string().meta({ description: 'Address that receives.' }),
      memo: z.string().nullable().meta({ description: 'Memo that payments to it need; null: none.' }),
    }),
    problems: ['unknownAccount', ...own],
  }),
  mineBlocks: endpoint.post('/v1/chains/{network}/blocks', {
    ...control,
    name: 'Mine blocks',
    command: 'chains mine',
    summary: 'Mines blocks now, in addition to those that time brings.',
    body: z.strictObject({ blocks: field.whole('Blocks to mine.', { min: 1, max: controlledBlocksMax }) }),
    answer: state,
    problems: own,
  }),
  reorganiseChain: endpoint.post('/v1/chains/{network}/reorganisations', {
    ...control,
    name: 'Reorganise a chain',
    command: 'chains reorganise',
    summary: 'Replaces the newest blocks by empty ones.',
    body: z.strictObject({
      depth: field.whole('Blocks to replace.', { min: 1, max: reorganisationDepthMax }),
      drop: field.flag('Whether their transactions are gone for good; else they are in the next block.'),
      blocks: field
        .whole('Blocks to mine in the same moment, before anybody sees the chain again.', {
          min: 0,
          max: controlledBlocksMax,
        })
        .default(0),
    }),
    answer: state,
    problems: own,
  }),
  delayChain: endpoint.put('/v1/chains/{network}/delay', {
    ...control,
    name: 'Delay transactions',
    command: 'chains delay',
    summary: 'Transactions that are sent from now on wait for this many further blocks.',
    body: z.strictObject({ blocks: field.whole('Blocks to wait for.', { min: 0, max: controlledBlocksMax }) }),
    answer: state,
    problems: own,
  }),
  limitChainWallet: endpoint.put('/v1/chains/{network}/wallet-limit', {
    ...control,
    name: 'Limit the paying wallet',
    command: 'chains limit-wallet',
    summary: 'The wallet that pays withdrawals can pay this much more of an asset; above it withdrawals wait.',
    body: z
      .strictObject({
        asset: field.assetCode(),
        amount: field.amount('What it can still pay; null: without end.').nullable(),
      })
      .meta({ examples: [{ asset: 'USDT', amount: '0' }] }),
    answer: state,
    problems: ['unknownNetwork', ...own],
  }),
};
