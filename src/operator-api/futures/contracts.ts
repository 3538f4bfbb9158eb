import type { z } from 'zod';
import { formatDecimal } from '#base/decimal.ts';
import { type ContractRules, type ContractListing, type MarkView, markDecimals } from '#model/contract.ts';
import { as, type TimestampMs } from '#model/units.ts';
import {
  amountText,
  readPositiveAmount,
  readPositiveSafe,
  type ListedAssets,
  listedAssets,
} from '#operator-api/wallet/listed-assets.ts';
import { contractFault } from '#model/contract-fault.ts';
import type { contractEndpoints } from '#operator-api/futures/contract-endpoints.ts';
import type { HandlersOf } from '#operator-api/handlers.ts';
import { createRequestMemory } from '#operator-api/requests/act.ts';
import { listedContracts } from '#operator-api/futures/listed-contracts.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';
import { pageByNumber } from '#operator-api/requests/paging.ts';
import { invalidBody, Problem } from '#operator-api/requests/problems.ts';
import type { IndexSource } from '#market-data/price-index/price-index.ts';

type Endpoints = typeof contractEndpoints;
type ContractAnswer = z.input<Endpoints['getContract']['answer']>;
type TermsText = z.output<Endpoints['putContract']['body']>;

const markText = (price: number): string | null => (price === 0 ? null : formatDecimal(price, markDecimals));
/** Rates of funding are in parts per 10^8. */
const fundingText = (rate: number): string => formatDecimal(rate, 8);

function shownMark(mark: MarkView | null, scale: number): ContractAnswer['mark'] {
  if (mark === null) return null;
  const { index, fair, fundingRate, predictedRate, nextFundingAt, openInterest, fund, at } = mark;
  return {
    index: markText(index),
    fair: markText(fair),
    fundingRate: fundingText(fundingRate),
    predictedRate: fundingText(predictedRate),
    nextFundingAt,
    openInterest,
    fund: amountText(fund, { scale }),
    at,
  };
}

function shownContract(rules: ContractRules, mark: MarkView | null, assets: ListedAssets): ContractAnswer {
  const { id: _id, name, base, settle, size, sizeDecimals, tiers, ...rest } = rules;
  const settleAsset = assets.at(settle);
  return {
    ...rest,
    contract: name,
    base: assets.at(base).code,
    settle: settleAsset.code,
    size: formatDecimal(size, sizeDecimals),
    tiers: tiers.map((tier) => ({ ...tier })),
    mark: shownMark(mark, settleAsset.scale),
  };
}

/** Size of a contract: `0.00010` is 1 at 4 decimals. */
function readSize(text: string): Pick<ContractListing, 'size' | 'sizeDecimals'> {
  const sizeDecimals = (/\.(\d*?)0*$/.exec(text)?.[1] ?? '').length;
  return { size: readPositiveSafe(text, { code: 'a size', scale: sizeDecimals }, '/size'), sizeDecimals };
}

const shownSource = ({ name, weight, price, at, liveUntil }: IndexSource) => ({
  source: name,
  weight,
  price: formatDecimal(price, markDecimals),
  at,
  liveUntil,
});

/** Handlers of contracts. */
export function contractHandlers(context: OperatorContext): HandlersOf<Endpoints> {
  const { queries, priceIndex, operatorFeed, clock } = context;
  const once = createRequestMemory(context);
  const now = (): TimestampMs => as<TimestampMs>(clock.now());
  const ofPath = async (name: string): Promise<ContractRules> => (await listedContracts(queries)).ofPath(name);
  const shown = async (rules: ContractRules): Promise<ContractAnswer> =>
    shownContract(rules, await queries.contracts.mark(rules.id), await listedAssets(queries));
  const answer = async (name: string): Promise<ContractAnswer> => shown(await ofPath(name));
  const readTerms = async (name: string, body: TermsText): Promise<ContractListing> => {
    const assets = await listedAssets(queries);
    const { size, ...rest } = body;
    return {
      ...(rest as unknown as ContractListing),
      name,
      base: assets.ofBody(body.base, '/base').id,
      settle: assets.ofBody(body.settle, '/settle').id,
      ...readSize(size),
      state: (await listedContracts(queries)).find(name)?.state ?? 'paused',
    };
  };
  /** @throws Problem that names what the engine would refuse. */
  const requireSound = async (terms: ContractListing, listed: ContractRules | null): Promise<void> => {
    const { scale } = (await listedAssets(queries)).at(terms.settle);
    const fault = contractFault(terms, listed, scale);
    // The decimals are those of the size as text.
    if (fault !== null) throw invalidBody(`/${fault.member === 'sizeDecimals' ? 'size' : fault.member}`, fault.detail);
  };
  return {
    listContracts: async ({ query }) => {
      const { all } = await listedContracts(queries);
      const page = pageByNumber(all, query, { item: (rules) => rules, number: ({ id }) => id });
      return { items: await Promise.all(page.items.map(shown)), nextCursor: page.nextCursor };
    },
    getContract: ({ path }) => answer(path.contract),
    putContract: async ({ path, body, act }) => {
      const listed = (await listedContracts(queries)).find(path.contract);
      const contract = await readTerms(path.contract, body);
      await requireSound(contract, listed);
      await act({ kind: 'configureContract', contract });
      return answer(path.contract);
    },
    setContractState: async ({ path, body, act }) => {
      const { id: contract } = await ofPath(path.contract);
      await act({ kind: 'setContractState', contract, state: body.state });
      return answer(path.contract);
    },
    setRiskTiers: async ({ path, body, act }) => {
      const listed = await ofPath(path.contract);
      const { id: _id, createdAt: _createdAt, ...terms } = listed;
      const contract = { ...terms, tiers: body.tiers as unknown as ContractListing['tiers'] };
      await requireSound(contract, listed);
      await act({ kind: 'configureContract', contract });
      return answer(path.contract);
    },
    fundInsurance: async ({ path, body, act }) => {
      const { id, settle, name } = await ofPath(path.contract);
      const asset = (await listedAssets(queries)).at(settle);
      await act({ kind: 'fundInsurance', contract: id, amount: readPositiveAmount(body.amount, asset, '/amount') });
      const mark = await queries.contracts.mark(id);
      return { contract: name, asset: asset.code, fund: amountText(mark?.fund ?? 0n, asset) };
    },
    getIndex: async ({ path }) => {
      const { price, sources } = await priceIndex.read(await ofPath(path.contract), now());
      return {
        contract: path.contract,
        price: price === null ? null : formatDecimal(price, markDecimals),
        sources: sources.map((source) => ({ ...shownSource(source), standing: source.standing })),
      };
    },
    giveIndexPrice: (request) =>
      once('giveIndexPrice', request, async () => {
        const { path, body } = request;
        const { id } = await ofPath(path.contract);
        const price = readPositiveSafe(body.price, { code: 'an index price', scale: markDecimals }, '/price');
        const at = now();
        const liveUntil = as<TimestampMs>(at + body.liveSeconds * 1000);
        const source: IndexSource = { name: body.source, weight: body.weight, price, at, liveUntil };
        if (!operatorFeed.give(id, source)) throw new Problem('tooManyIndexSources');
        return shownSource(source);
      }),
    removeIndexSource: (request) =>
      once('removeIndexSource', request, async () => {
        const { path } = request;
        const { id } = await ofPath(path.contract);
        if (!operatorFeed.remove(id, path.source)) throw new Problem('unknownIndexSource');
        return { source: path.source };
      }),
  };
}
