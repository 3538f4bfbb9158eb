import { z } from 'zod';
import { engineLimits } from '#model/limits.ts';
import { endpoint } from '#operator-api/declaration/endpoint.ts';
import * as field from '#operator-api/declaration/fields.ts';

const coinId = () =>
  z
    .string()
    .regex(/^[0-9a-f]{32}$/, 'must be 32 lower-case hex characters')
    .meta({ description: 'Id of the asset in pushes.', examples: ['128f589271cb4951b03e71e6323eb7be'] });

const asset = z.strictObject({
  asset: field.assetCode(),
  fullName: z.string(),
  scale: field.scale('Decimals of the smallest unit.'),
  cap: field.amount('The most that may exist on this exchange.'),
  coinId: coinId(),
  delisted: field.flag('Whether it was delisted: it can only be read, or listed again.'),
  networks: z.array(field.networkCode()).meta({ description: 'Networks that it is on.' }),
});

const note = (description: string) => field.text(description, 500).nullable();

/** Terms of an asset on a network that can be changed at any time. */
const terms = {
  label: field.text('Name of the network for people, such as `Ethereum(ERC20)`.', 64),
  depositEnabled: field.flag('Whether deposits are taken.'),
  withdrawEnabled: field.flag('Whether withdrawals are taken.'),
  minConfirm: field.whole('Confirmations that make a deposit or a withdrawal final.', {
    min: 1,
    max: engineLimits.minConfirmMax,
  }),
  depositMin: field.amount('Smaller deposits wait until their sum reaches it.'),
  withdrawFee: field.amount('Fee of a withdrawal; it is inside the amount.'),
  withdrawMin: field.amount('Smallest withdrawal.'),
  withdrawMax: field.amount('Greatest withdrawal.'),
  withdrawStep: field.amount('Withdrawals are multiples of it.'),
  depositDesc: note('What users are told of deposits that are off or slow.'),
  depositTips: note('Advice to depositors.'),
  withdrawTips: note('Advice to those who withdraw.'),
};
/** What stays as it was added, or is replaced with the whole. */
const placement = {
  contract: field.text("Contract of a token; null: the network's native coin.", 128).nullable(),
  chainScale: field.whole('Decimals that the chain counts.', { min: 0, max: 36 }),
  sharesAddress: field.flag('Whether depositors share an address and are told apart by a memo.'),
};
const networkTerms = z.strictObject({ ...terms, ...placement });
const network = z.strictObject({ asset: field.assetCode(), network: field.networkCode(), ...terms, ...placement });

const ofAsset = z.strictObject({ asset: field.assetCode() });
const ofNetwork = z.strictObject({ asset: field.assetCode(), network: field.networkCode() });

const networkExample = {
  label: 'Ethereum(ERC20)',
  depositEnabled: true,
  withdrawEnabled: true,
  minConfirm: 12,
  depositMin: '3',
  withdrawFee: '3',
  withdrawMin: '10',
  withdrawMax: '1000000',
  withdrawStep: '0.000001',
  depositDesc: null,
  depositTips: null,
  withdrawTips: null,
  contract: '0xdAC17F958D2ee523a2206206994597C13D831ec7',
  chainScale: 6,
  sharesAddress: false,
};

/** Endpoints of assets and their networks. */
export const assetEndpoints = {
  listAssets: endpoint.get('/v1/assets', {
    scope: 'assets:read',
    name: 'List assets',
    command: 'assets list',
    summary: 'Every asset, delisted ones too, in the order in which they were listed.',
    query: z.strictObject(field.paging),
    answer: field.page(asset),
  }),
  getAsset: endpoint.get('/v1/assets/{asset}', {
    scope: 'assets:read',
    name: 'Look at an asset',
    command: 'assets show',
    summary: 'One asset.',
    parameters: ofAsset,
    answer: asset,
    problems: ['unknownAsset'],
  }),
  putAsset: endpoint.put('/v1/assets/{asset}', {
    scope: 'assets:write',
    edits: 'getAsset',
    name: 'Add or rename an asset',
    command: 'assets put',
    summary: 'Lists an asset, or changes the name and the id of one that is listed.',
    notes: 'Scale and cap of an asset that is or was listed cannot change.',
    parameters: ofAsset,
    body: z
      .strictObject({
        fullName: field.text('Name for people.', 64),
        scale: field.scale('Decimals of the smallest unit.'),
        cap: field.amount('The most that may exist on this exchange.'),
        coinId: coinId(),
      })
      .meta({
        examples: [{ fullName: 'Tether', scale: 6, cap: '4600000000', coinId: '128f589271cb4951b03e71e6323eb7be' }],
      }),
    answer: asset,
    problems: ['invalidConfiguration'],
  }),
  delistAsset: endpoint.delete('/v1/assets/{asset}', {
    scope: 'assets:write',
    edits: 'getAsset',
    name: 'Delist an asset',
    command: 'assets delist',
    asksFirst: true,
    summary: 'Takes an asset that nobody has off the list, and off its networks.',
    notes:
      'Refused while there is any of it, of the house too, while a pair, a contract or the rules of the wallet name ' +
      'it, and while a payment of it is on its way or can be taken back; the detail names what stands in the way. ' +
      'What is past can still be read. It can be listed again with the same scale and cap.',
    parameters: ofAsset,
    answer: asset,
    problems: [
      'unknownAsset',
      'assetHasContract',
      'assetPaysCommission',
      'assetOfWalletRules',
      'assetHasPair',
      'assetPaysNetwork',
      'assetInTransit',
      'assetHeld',
      'assetDelisted',
    ],
  }),
  listAssetNetworks: endpoint.get('/v1/assets/{asset}/networks', {
    scope: 'assets:read',
    name: 'List networks of an asset',
    command: 'networks list',
    summary: 'Every network that an asset is on, with fees, limits and switches.',
    parameters: ofAsset,
    answer: z.strictObject({ items: z.array(network) }),
    problems: ['unknownAsset'],
  }),
  getAssetNetwork: endpoint.get('/v1/assets/{asset}/networks/{network}', {
    scope: 'assets:read',
    name: 'Look at a network',
    command: 'networks show',
    summary: 'An asset on one network.',
    parameters: ofNetwork,
    answer: network,
    problems: ['unknownAsset', 'unknownNetwork'],
  }),
  putAssetNetwork: endpoint.put('/v1/assets/{asset}/networks/{network}', {
    scope: 'assets:write',
    edits: 'getAssetNetwork',
    name: 'Add or replace a network',
    command: 'networks put',
    summary: 'Puts an asset on a network, or replaces all terms of it.',
    parameters: ofNetwork,
    body: networkTerms.meta({ examples: [networkExample] }),
    answer: network,
    mayBeProposed: true,
    problems: ['unknownAsset', 'invalidConfiguration', 'tooManyProposals'],
  }),
  changeAssetNetwork: endpoint.patch('/v1/assets/{asset}/networks/{network}', {
    scope: 'assets:write',
    edits: 'getAssetNetwork',
    name: 'Change terms of a network',
    command: 'networks set',
    asksFirst: { depositEnabled: [false], withdrawEnabled: [false] },
    summary: 'Switches deposits and withdrawals, and changes limits, fees and advice; what is not named stays.',
    notes:
      'Acts on what is not yet broadcast or credited: queued withdrawals wait, pending deposits follow minConfirm.',
    parameters: ofNetwork,
    body: z
      .strictObject(terms)
      .partial()
      .meta({ examples: [{ withdrawEnabled: false }] }),
    answer: network,
    mayBeProposed: true,
    problems: ['unknownAsset', 'unknownNetwork', 'invalidConfiguration', 'tooManyProposals'],
  }),
};
