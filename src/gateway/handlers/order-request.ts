import type { DecimalFault } from '#base/decimal.ts';
import { formatDecimal, parseSafeDecimal } from '#base/decimal.ts';
import { ClientOrderId } from '#domain/client-order-id.ts';
import type { OrderKind, OrderRequest, Side } from '#domain/order.ts';
import type { RejectReason } from '#domain/rejection.ts';
import type { SymbolRules } from '#domain/symbol.ts';
import type { Lots, PriceTicks, Quanta } from '#domain/units.ts';
import { ApiError, invalidParameter, refusalError } from '#api/errors.ts';
import type { OrderDraft, OrderTerms } from '#api/order-draft.ts';
import type { ListedSymbol, SymbolDirectory } from '#projections/symbol-directory.ts';
import { lotsText, mostLots, quoteText } from '#projections/symbol-directory.ts';

/*
 * From a draft of an order to a command, with refusals in the order of DEC-ORD-04: symbol, its state, side,
 * type, missing and malformed parameters, precision. A well-formed order goes to the engine, which judges everything.
 */

/** Why the symbol's state forbids the order, as far as its side and kind are known. DEC-ORD-47. */
function refusalByRules(rules: SymbolRules, side: Side | null, kind: OrderKind | null): RejectReason | null {
  if (rules.status !== 'online') return 'tradingSuspended';
  if (!rules.apiTradingAllowed) return 'apiTradingOff';
  const { tradeSideType } = rules;
  if (side !== null && tradeSideType !== 'all' && tradeSideType !== (side === 'buy' ? 'buyOnly' : 'sellOnly')) {
    return 'sideNotAllowed';
  }
  if (kind !== null && !rules.orderKinds.includes(kind))
    return kind === 'market' ? 'marketNotAllowed' : 'kindNotAllowed';
  return null;
}

/**
 * What the client is told about a refusal whose numbers are known here. `lots` is the quantity sent, `null` without
 * one; `Infinity` for one that no unit of the engine holds.
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
      // One reason stands for two bounds. A quantity beyond its own is what has to change, whatever the amount is.
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

/** One decimal of an order at its scale. A parameter's name and scale go with it. */
interface ScaledField {
  readonly name: string;
  readonly text: string | null;
  readonly scale: number;
}

/** What is wrong with the number itself; `tooLarge` is no fault of its form. */
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

/** An order that may be handed over, with its symbol; or why it may not. */
export type PreparedOrder = { readonly symbol: ListedSymbol; readonly order: OrderRequest } | ApiError;

/** Turns a draft into an order in the engine's units; answers the first refusal that applies instead of throwing it. */
export function prepareOrder(directory: SymbolDirectory, draft: OrderDraft): PreparedOrder {
  if (draft.fault !== null && draft.symbol === null) return draft.fault;
  const symbol = directory.find(draft.symbol as string);
  if (symbol === undefined) return new ApiError('invalidSymbol', { parameter: 'symbol' });
  const order = draft.fault ?? scaledRequest(symbol, draft.side, draft.kind, draft.terms);
  if (!(order instanceof ApiError)) return { symbol, order };
  // A fault of form comes after what the symbol forbids; of a well-formed order the engine judges that itself.
  const reason = refusalByRules(symbol.rules, draft.side, draft.kind);
  return reason === null ? order : refusedOrder(reason, symbol, { kind: draft.kind ?? 'limit', lots: null });
}

/** An amount of the quote asset: price times quantity, exact. */
export function quoteAmountText(symbol: ListedSymbol, price: number, lots: number): string {
  const { priceDecimals, quantityDecimals } = symbol.rules;
  const product = price * lots;
  const amount = Number.isSafeInteger(product) ? product : BigInt(price) * BigInt(lots);
  return formatDecimal(amount, priceDecimals + quantityDecimals);
}
