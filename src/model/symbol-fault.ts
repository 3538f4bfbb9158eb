import { isWhole, million } from '#base/whole-numbers.ts';
import type { AssetRules } from '#model/asset.ts';
import type { SymbolListing, SymbolRules } from '#model/symbol.ts';

/** A rule of a listing that cannot be, of a pair or a contract. */
export interface ListingFault<Member extends string> {
  readonly member: Member;
  /** What it must be: a clause that begins with `must` or `cannot`. */
  readonly detail: string;
}
type SymbolFault = ListingFault<keyof SymbolListing>;

/** What a listing is judged against. */
export interface ListingContext {
  /** The rules that it replaces; `null`: a new pair. */
  readonly listed: SymbolRules | null;
  /** The listed asset that it names; `null`: none. */
  readonly base: AssetRules | null;
  readonly quote: AssetRules | null;
}

const multiplierMax = 1_000 * million;

/** What stays as it was listed: open orders and balances are counted in it. */
const lasting = ['base', 'quote', 'priceDecimals', 'quantityDecimals'] as const;
const amounts = ['minLots', 'minNotional', 'minNotionalMarket', 'maxNotional', 'maxNotionalMarket'] as const;
const rates = ['makerFeePpm', 'takerFeePpm', 'collarPpm'] as const;

/** The first rule of a pair that cannot be, whoever asks for it; `null`: it can be listed. DEC-ORD-01, DEC-ORD-02. */
export function symbolFault(listing: SymbolListing, context: ListingContext): SymbolFault | null {
  const { listed } = context;
  const changed = listed === null ? undefined : lasting.find((member) => listed[member] !== listing[member]);
  if (changed !== undefined) return { member: changed, detail: 'cannot change once the pair is listed' };
  return scaleFault(listing, context) ?? boundFault(listing) ?? tradingFault(listing);
}

/** DEC-ORD-02: price times quantity is a whole number of units of the quote asset, a lot one of the base asset. */
function scaleFault(listing: SymbolListing, { base, quote }: ListingContext): SymbolFault | null {
  const { name, priceDecimals, quantityDecimals } = listing;
  if (!/^[A-Z0-9]{2,24}$/.test(name)) return { member: 'name', detail: 'must be 2 to 24 capital letters and digits' };
  if (base === null) return { member: 'base', detail: 'must be a listed asset' };
  if (quote === null) return { member: 'quote', detail: 'must be a listed asset' };
  if (base === quote) return { member: 'quote', detail: 'must not be the base asset' };
  const quantityMax = Math.min(base.scale, quote.scale);
  if (!isWhole(quantityDecimals, 0, quantityMax))
    return { member: 'quantityDecimals', detail: `must be 0 to ${quantityMax}: the decimals that both assets have` };
  const priceMax = quote.scale - quantityDecimals;
  if (!isWhole(priceDecimals, 0, priceMax))
    return {
      member: 'priceDecimals',
      detail: `must be 0 to ${priceMax}: with quantityDecimals at most the ${quote.scale} decimals of ${quote.code}`,
    };
  return null;
}

/** Amounts are counted exactly by a number; docs/decisions/0002 says why. */
function boundFault(listing: SymbolListing): SymbolFault | null {
  const amount = amounts.find((member) => !isWhole(listing[member], 1, Number.MAX_SAFE_INTEGER));
  if (amount !== undefined)
    return { member: amount, detail: `must be above zero and at most ${Number.MAX_SAFE_INTEGER} smallest units` };
  if (listing.minNotional > listing.maxNotional)
    return { member: 'minNotional', detail: 'must not be above the maximum of the same kind' };
  if (listing.minNotionalMarket > listing.maxNotionalMarket)
    return { member: 'minNotionalMarket', detail: 'must not be above the maximum of the same kind' };
  const rate = rates.find((member) => !isWhole(listing[member], 0, million));
  if (rate !== undefined) return { member: rate, detail: `must be 0 to ${million} parts per million` };
  const { bidMultiplierUpPpm: up, askMultiplierDownPpm: down } = listing;
  if (up !== null && !isWhole(up, 0, multiplierMax))
    return { member: 'bidMultiplierUpPpm', detail: `must be 0 to ${multiplierMax} parts per million` };
  if (down !== null && !isWhole(down, 0, million))
    return { member: 'askMultiplierDownPpm', detail: `must be 0 to ${million} parts per million` };
  return null;
}

function tradingFault({ orderKinds, status, openAt }: SymbolListing): SymbolFault | null {
  if (orderKinds.length === 0) return { member: 'orderKinds', detail: 'must name at least one kind of order' };
  if (new Set(orderKinds).size < orderKinds.length)
    return { member: 'orderKinds', detail: 'must name no kind of order twice' };
  if (status === 'delisted') return { member: 'status', detail: 'must be online, paused, cancelOnly or offline' };
  if (openAt === null) return null;
  if (!isWhole(openAt, 0, Number.MAX_SAFE_INTEGER)) return { member: 'openAt', detail: 'must be a moment' };
  return status === 'online' ? { member: 'openAt', detail: 'must be null for a pair that is online' } : null;
}
