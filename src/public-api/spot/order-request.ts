import type { DecimalFault } from '#base/decimal.ts';
import { formatDecimal, parseSafeDecimal } from '#base/decimal.ts';
import { ClientOrderId } from '#model/client-order-id.ts';
import type { OrderKind, OrderRequest, Side } from '#model/order.ts';
import type { RejectReason } from '#model/rejection.ts';
import { refusalBySymbol } from '#model/symbol.ts';
import type { Lots, PriceTicks, Quanta } from '#model/units.ts';
import { ApiError, invalidParameter, refusalError } from '#http/errors.ts';
import type { OrderDraft, OrderTerms } from '#public-api/spot/order-draft.ts';
import type { ListedSymbol, SymbolDirectory } from '#market-data/symbol-directory.ts';
import { lotsText, mostLots, quoteText } from '#market-data/symbol-directory.ts';

/*
 * Converts a draft of an order to a command, with refusals in the order of DEC-ORD-04: symbol, its state, side, type,
 * missing and malformed parameters, precision. All other rules are checked by the engine.
 */

/**
 * The error for a refusal, with the bounds that apply. `lots`: quantity of the order, `null` if it has none; `Infinity`
 * if it exceeds the engine's units.
 */
export function refusedOrder(
  reason: RejectReason,
  symbol: ListedSymbol,
  { kind, lots }: { readonly kind: OrderKind; readonly lots: number | null },
): ApiError {
  const { rules, base, quote } = symbol;
  const isMarket = kind === 'market';
  switch (reason) {
    case 'belowMinimumQuantity':
      return refusalError(reason, `the quantity cannot be less than:${lotsText(symbol, rules.minLots)}${base.code}`);
    case 'belowMinimumAmount': {
      const least = quoteText(symbol, isMarket ? rules.minNotionalMarket : rules.minNotional);
      return refusalError(reason, `the amount cannot be less than:${least}${quote.code}`);
    }
    case 'aboveMaximumAmount': {
      // This reason covers two bounds. If the quantity exceeds its own bound, report that one: it must change in any
      // case.
      const lotsMax = mostLots(symbol);
      if (lots !== null && lots > lotsMax) {
        return refusalError(reason, `the quantity cannot be more than:${lotsText(symbol, lotsMax)}${base.code}`);
      }
      const most = quoteText(symbol, isMarket ? rules.maxNotionalMarket : rules.maxNotional);
      return refusalError(reason, `the amount cannot be more than:${most}${quote.code}`);
    }
    default:
      return refusalError(reason);
  }
}

/** One decimal field of an order: name, text and scale. */
interface ScaledField {
  readonly name: string;
  readonly text: string | null;
  readonly scale: number;
}

/** Error of a malformed decimal. `tooLarge` is well formed and handled later. */
function precisionFault(
  { name, scale }: ScaledField,
  value: number | DecimalFault | 'tooLarge' | null,
): ApiError | null {
  if (value === 'tooManyDecimals') return invalidParameter(name, `must have at most ${scale} decimals`);
  if (value === 'malformed') return invalidParameter(name, 'must be a plain decimal');
  return null;
}

const scaled = ({ text, scale }: ScaledField) => (text === null ? null : parseSafeDecimal(text, scale));

function scaledRequest(symbol: ListedSymbol, side: Side, kind: OrderKind, terms: OrderTerms): OrderRequest | ApiError {
  const { rules, quote } = symbol;
  const fields = {
    price: { name: 'price', text: terms.price, scale: rules.priceDecimals },
    quantity: { name: 'quantity', text: terms.quantity, scale: rules.quantityDecimals },
    budget: { name: 'quoteOrderQty', text: terms.budget, scale: quote.scale },
  };
  const price = scaled(fields.price);
  const quantity = scaled(fields.quantity);
  const budget = scaled(fields.budget);
  const fault =
    precisionFault(fields.price, price) ??
    precisionFault(fields.quantity, quantity) ??
    precisionFault(fields.budget, budget);
  if (fault !== null) return fault;
  const lots = quantity === 'tooLarge' ? Number.POSITIVE_INFINITY : (quantity as number | null);
  if (lots === 0) return refusedOrder('belowMinimumQuantity', symbol, { kind, lots });
  if (budget === 0) return refusedOrder('belowMinimumAmount', symbol, { kind, lots });
  if (price === 'tooLarge' || quantity === 'tooLarge' || budget === 'tooLarge') {
    return refusedOrder('aboveMaximumAmount', symbol, { kind, lots });
  }
  return {
    symbol: rules.id,
    side,
    kind,
    price: price as PriceTicks | null,
    quantity: quantity as Lots | null,
    budget: budget as Quanta | null,
    clientOrderId: ClientOrderId.of(terms.clientOrderId),
    stpMode: terms.stpMode,
  };
}

/** An order that can be submitted, with its symbol; or the error of its refusal. */
export type PreparedOrder = { readonly symbol: ListedSymbol; readonly order: OrderRequest } | ApiError;

/** Converts a draft to an order in the engine's units; returns the first error instead of throwing it. */
export function prepareOrder(directory: SymbolDirectory, draft: OrderDraft): PreparedOrder {
  if (draft.fault !== null && draft.symbol === null) return draft.fault;
  const symbol = directory.find(draft.symbol as string);
  if (symbol === undefined) return new ApiError('invalidSymbol', { parameter: 'symbol' });
  const order = draft.fault ?? scaledRequest(symbol, draft.side, draft.kind, draft.terms);
  if (!(order instanceof ApiError)) return { symbol, order };
  // A rule of the symbol takes precedence over a malformed parameter. For a well-formed order the engine checks that
  // rule.
  const reason = refusalBySymbol(symbol.rules, draft.side, draft.kind);
  return reason === null ? order : refusedOrder(reason, symbol, { kind: draft.kind ?? 'limit', lots: null });
}

/** Price times quantity as text in the quote asset, exact. */
export function quoteAmountText(symbol: ListedSymbol, price: number, lots: number): string {
  const { priceDecimals, quantityDecimals } = symbol.rules;
  const product = price * lots;
  const amount = Number.isSafeInteger(product) ? product : BigInt(price) * BigInt(lots);
  return formatDecimal(amount, priceDecimals + quantityDecimals);
}
