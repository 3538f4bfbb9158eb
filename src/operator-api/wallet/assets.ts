import type { z } from 'zod';
import type { AssetRules } from '#model/asset.ts';
import { as } from '#model/units.ts';
import type { AssetNetwork } from '#model/wallet.ts';
import { amountText, readAmount, type ListedAssets, listedAssets } from '#operator-api/wallet/listed-assets.ts';
import type { assetEndpoints } from '#operator-api/wallet/asset-endpoints.ts';
import type { HandlersOf } from '#operator-api/handlers.ts';
import { createProposing } from '#operator-api/requests/act.ts';
import { canonicalContract, readNetworkCode } from '#operator-api/wallet/network-texts.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';
import { pageByNumber } from '#operator-api/requests/paging.ts';
import { invalidBody, Problem } from '#operator-api/requests/problems.ts';

type Endpoints = typeof assetEndpoints;
type AssetAnswer = z.input<Endpoints['getAsset']['answer']>;
type NetworkAnswer = z.input<Endpoints['getAssetNetwork']['answer']>;
type NetworkChanges = z.output<Endpoints['changeAssetNetwork']['body']>;

const shownAsset = (asset: AssetRules, networks: readonly AssetNetwork[]): AssetAnswer => ({
  asset: asset.code,
  fullName: asset.fullName,
  scale: asset.scale,
  cap: amountText(asset.cap, asset),
  coinId: asset.coinId,
  delisted: asset.isDelisted,
  networks: networks.filter((network) => network.asset === asset.id).map(({ network }) => network),
});

/** Terms of an asset on a network as the endpoints take and answer them. */
export const shownNetwork = (asset: AssetRules, network: AssetNetwork): NetworkAnswer => ({
  asset: asset.code,
  network: network.network,
  label: network.label,
  contract: network.contract,
  chainScale: network.scale,
  sharesAddress: network.sharesAddress,
  depositEnabled: network.depositEnabled,
  withdrawEnabled: network.withdrawEnabled,
  minConfirm: network.minConfirm,
  depositMin: amountText(network.depositMin, asset),
  withdrawFee: amountText(network.withdrawFee, asset),
  withdrawMin: amountText(network.withdrawMin, asset),
  withdrawMax: amountText(network.withdrawMax, asset),
  withdrawStep: amountText(network.withdrawStep, asset),
  depositDesc: network.depositDesc,
  depositTips: network.depositTips,
  withdrawTips: network.withdrawTips,
});

const amountTerms = ['depositMin', 'withdrawFee', 'withdrawMin', 'withdrawMax', 'withdrawStep'] as const;

/** The terms of a request with its amounts at the scale of the asset; what it does not name is not there. */
function readTerms(asset: AssetRules, body: NetworkChanges): Partial<AssetNetwork> {
  const amounts = amountTerms.flatMap((name) => {
    const text = body[name];
    return text === undefined ? [] : [[name, readAmount(text, asset, `/${name}`)] as const];
  });
  const others = Object.entries(body).filter(
    ([name, value]) => value !== undefined && !amountTerms.some((term) => term === name),
  );
  return Object.fromEntries([...others, ...amounts]) as Partial<AssetNetwork>;
}

/** The refusal of a delisting with what stands in the way. */
async function namingObstacle(
  { obstacleToDelisting }: OperatorContext['queries'],
  asset: AssetRules['id'],
  problem: Problem,
): Promise<Problem> {
  const obstacle = await obstacleToDelisting(asset);
  if (obstacle === null || obstacle.reason !== problem.code) return problem;
  return new Problem(problem.code, { detail: `${problem.message} It is: ${obstacle.what}.` });
}

/** Handlers of assets and their networks. */
export function assetHandlers(context: OperatorContext): HandlersOf<Endpoints> {
  const { queries } = context;
  const propose = createProposing(context);
  const assetAnswer = async (code: string): Promise<AssetAnswer> =>
    shownAsset((await listedAssets(queries)).ofPath(code), await queries.wallet.networks());
  const findNetwork = async (asset: AssetRules, code: string): Promise<AssetNetwork> => {
    const networks = await queries.wallet.networks();
    const found = networks.find(({ asset: id, network }) => id === asset.id && network === code);
    if (found === undefined) throw new Problem('unknownNetwork');
    return found;
  };
  const ofPath = async (code: string): Promise<AssetRules> => (await listedAssets(queries)).ofPath(code);
  const networkAnswer = async (path: { asset: string; network: string }): Promise<NetworkAnswer> => {
    const asset = await ofPath(path.asset);
    return shownNetwork(asset, await findNetwork(asset, path.network));
  };
  return {
    listAssets: async ({ query }) => {
      const { all }: ListedAssets = await listedAssets(queries);
      const networks = await queries.wallet.networks();
      return pageByNumber(all, query, { item: (asset) => shownAsset(asset, networks), number: ({ id }) => id });
    },
    getAsset: ({ path }) => assetAnswer(path.asset),
    putAsset: async ({ path, body, act }) => {
      const { fullName, scale, coinId } = body;
      const cap = readAmount(body.cap, { code: path.asset, scale }, '/cap');
      await act({ kind: 'configureAsset', asset: { code: path.asset, fullName, scale, cap, coinId } });
      return assetAnswer(path.asset);
    },
    delistAsset: async ({ path, act }) => {
      const { id } = await ofPath(path.asset);
      try {
        await act({ kind: 'delistAsset', asset: id });
      } catch (error) {
        throw error instanceof Problem ? await namingObstacle(queries, id, error) : error;
      }
      return assetAnswer(path.asset);
    },
    listAssetNetworks: async ({ path }) => {
      const asset = await ofPath(path.asset);
      const networks = await queries.wallet.networks();
      const own = networks.filter((network) => network.asset === asset.id);
      return { items: own.map((network) => shownNetwork(asset, network)) };
    },
    getAssetNetwork: ({ path }) => networkAnswer(path),
    putAssetNetwork: async (request) => {
      const { path, body } = request;
      const asset = await ofPath(path.asset);
      if (asset.isDelisted) throw new Problem('unknownAsset');
      const { contract, chainScale, sharesAddress, ...terms } = body;
      const code = readNetworkCode(path.network);
      const network = {
        ...readTerms(asset, terms),
        asset: as<AssetNetwork['asset']>(asset.id),
        network: code,
        contract: contract === null ? null : canonicalContract(code, contract, '/contract'),
        scale: chainScale,
        sharesAddress,
      } as AssetNetwork;
      return (await propose(request, { kind: 'configureAssetNetwork', network })) ?? networkAnswer(path);
    },
    changeAssetNetwork: async (request) => {
      const { path, body } = request;
      const asset = await ofPath(path.asset);
      const changes = readTerms(asset, body);
      if (Object.keys(changes).length === 0) throw invalidBody('', 'must name at least one member to change');
      const network = { ...(await findNetwork(asset, path.network)), ...changes };
      return (await propose(request, { kind: 'configureAssetNetwork', network })) ?? networkAnswer(path);
    },
  };
}
