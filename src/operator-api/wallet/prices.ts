import { formatDecimal, parseDecimal } from '#base/decimal.ts';
import { assetPriceDecimals, type AssetPrice } from '#model/reference-price.ts';
import { as, type Balance } from '#model/units.ts';
import type { priceEndpoints } from '#operator-api/wallet/price-endpoints.ts';
import type { HandlersOf } from '#operator-api/handlers.ts';
import { type ListedAssets, listedAssets } from '#operator-api/wallet/listed-assets.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';
import { pageByText } from '#operator-api/requests/paging.ts';
import { invalidBody, Problem } from '#operator-api/requests/problems.ts';
import { createProposing } from '#operator-api/requests/act.ts';

const hourMs = 3_600_000;
const codePattern = /^[A-Z0-9]{2,12}$/;
const priceLimit = 1n << 62n;

/** A price as exact digits and the number of its decimals. @throws Problem naming the member. */
export function readPrice(text: string, pointer: string): { readonly digits: Balance; readonly decimals: number } {
  const decimals = text.split('.')[1]?.length ?? 0;
  const digits = parseDecimal(text, decimals);
  if (typeof digits !== 'bigint' || digits === 0n) throw invalidBody(pointer, 'must be above zero');
  if (digits >= priceLimit) throw invalidBody(pointer, 'must have fewer digits');
  return { digits: as<Balance>(digits), decimals };
}

/** Handlers of the prices that the rules of the wallet use. */
export function priceHandlers(context: OperatorContext): HandlersOf<typeof priceEndpoints> {
  const { queries, clock } = context;
  const propose = createProposing(context);
  const guarded = (value: bigint | null): string | null =>
    value === null ? null : formatDecimal(value, assetPriceDecimals);
  const shown =
    (assets: ListedAssets) =>
    ({ asset, higher, lower, reference }: AssetPrice) => ({
      asset: assets.at(asset).code,
      higher: guarded(higher),
      lower: guarded(lower),
      reference:
        reference === null
          ? null
          : {
              price: formatDecimal(reference.digits, reference.decimals),
              validUntil: reference.validUntil,
              isInForce: clock.now() < reference.validUntil,
              reason: reference.reason,
              actor: reference.actor,
              setAt: reference.setAt,
            },
    });
  const allPrices = async (): Promise<readonly AssetPrice[]> => {
    if ((await queries.wallet.rules()) === null) throw new Problem('walletNotConfigured');
    return queries.wallet.prices();
  };
  const priceOf = async (assets: ListedAssets, code: string) =>
    shown(assets)((await allPrices())[assets.ofPath(code).id]!);

  return {
    listPrices: async ({ query }) => {
      const assets = await listedAssets(queries);
      const listed = (await allPrices()).filter(({ asset }) => !assets.at(asset).isDelisted);
      const prices = listed.map(shown(assets)).sort((one, other) => (one.asset < other.asset ? -1 : 1));
      return pageByText(prices, query, { item: (price) => price, key: ({ asset }) => asset, pattern: codePattern });
    },
    getReferencePrice: async ({ path }) => {
      const { reference } = await priceOf(await listedAssets(queries), path.asset);
      if (reference === null) throw new Problem('unknownReferencePrice');
      return reference;
    },
    putReferencePrice: async (request) => {
      const { path, body } = request;
      const assets = await listedAssets(queries);
      const { id: asset } = assets.ofPath(path.asset);
      const rules = await queries.wallet.rules();
      if (rules === null) throw new Problem('walletNotConfigured');
      const { price, validHours, reason } = body;
      const validMs = validHours * hourMs;
      const command = { kind: 'setReferencePrice', asset, ...readPrice(price, '/price'), validMs, reason } as const;
      return (await propose(request, command)) ?? priceOf(assets, path.asset);
    },
    removeReferencePrice: async (request) => {
      const { path, query } = request;
      const assets = await listedAssets(queries);
      const { id: asset } = assets.ofPath(path.asset);
      const command = { kind: 'removeReferencePrice', asset, reason: query.reason } as const;
      return (await propose(request, command)) ?? priceOf(assets, path.asset);
    },
  };
}
