import { z } from 'zod';
import type { CombinationRule } from '#public-api/declaration/endpoint.ts';
import { ApiError, invalidParameter, missingParameter } from '#http/errors.ts';
import * as field from '#public-api/declaration/fields.ts';
import type { Parameters } from '#public-api/declaration/request.ts';
import { readFields } from '#public-api/declaration/request.ts';
import { orderKindOfWord, sideOfWord, stpModeOfWord } from '#http/words.ts';
import type { OrderKind, Side, StpMode } from '#model/order.ts';

/** Parameters of one order, alone or as an item of a batch. */
export const orderParameters = z.object({
  symbol: field.symbol('invalidSymbol'),
  side: field.word(sideOfWord, 'Direction of the order.'),
  type: field.word(
    orderKindOfWord,
    'LIMIT_ORDER, POST_ONLY and MARKET_ORDER are other names of LIMIT, LIMIT_MAKER and MARKET.',
  ),
  quantity: field.optional(field.decimal('Amount of the base asset.')),
  quoteOrderQty: field.optional(
    field.decimal('Amount of the quote asset that a MARKET order spends or receives at most.'),
  ),
  price: field.optional(field.decimal('Limit price.')),
  newClientOrderId: field.optional(field.clientOrderId()),
  stpMode: field.optional(field.word(stpModeOfWord, 'Self-trade prevention; empty: none.')),
});

/** What each type of order needs, for documents; `draftOrder` enforces it. SPEC-ORD-02, SPEC-ORD-03. */
export const orderRules: readonly CombinationRule[] = [
  {
    kind: 'requiredWhen',
    parameter: 'type',
    values: ['limit', 'postOnly', 'immediateOrCancel', 'fillOrKill'],
    parameters: ['quantity', 'price'],
  },
];

/** Terms of an order, without those that its type does not use; decimals are well-formed text, not scaled yet. */
export interface OrderTerms {
  /** `null` for market orders. Above zero. */
  readonly price: string | null;
  /** `null` for market orders by quote amount. */
  readonly quantity: string | null;
  /** Quote amount of a market order placed by quote amount. */
  readonly budget: string | null;
  readonly clientOrderId: string | null;
  readonly stpMode: StpMode;
}

/**
 * An order as far as it could be read. The state of the symbol takes precedence over a malformed parameter, so `fault`
 * is returned with the fields that are known, for the handler to throw in the right order.
 */
export type OrderDraft =
  | {
      readonly fault: null;
      readonly symbol: string;
      readonly side: Side;
      readonly kind: OrderKind;
      readonly terms: OrderTerms;
    }
  | {
      readonly fault: ApiError;
      readonly symbol: string | null;
      readonly side: Side | null;
      readonly kind: OrderKind | null;
    };

type OrderValues = Partial<z.output<typeof orderParameters>>;

/** The quantity or quote amount of a market order; if both were sent, the one that its side uses. DEC-ORD-12. */
function marketAmounts(side: Side, values: OrderValues): { quantity: string | null; budget: string | null } | ApiError {
  const { quantity, quoteOrderQty } = values;
  if (quantity === undefined && quoteOrderQty === undefined) {
    return new ApiError('parameterRequired', {
      parameter: 'quantity',
      why: "a MARKET order needs 'quantity' or 'quoteOrderQty'",
    });
  }
  const byBudget = quoteOrderQty !== undefined && (side === 'buy' || quantity === undefined);
  return byBudget ? { quantity: null, budget: quoteOrderQty } : { quantity: quantity ?? null, budget: null };
}

const isZero = (decimal: string): boolean => /^0(?:\.0*)?$/.test(decimal);

function termsOf(side: Side, kind: OrderKind, values: OrderValues): OrderTerms | ApiError {
  const { quantity, price } = values;
  const clientOrderId = values.newClientOrderId ?? null;
  const stpMode = values.stpMode ?? 'none';
  if (kind === 'market') {
    const amounts = marketAmounts(side, values);
    if (amounts instanceof ApiError) return amounts;
    return { price: null, quantity: amounts.quantity, budget: amounts.budget, clientOrderId, stpMode };
  }
  if (quantity === undefined) return missingParameter('quantity');
  if (price === undefined) return missingParameter('price');
  if (isZero(price)) return invalidParameter('price', 'must be above zero');
  return { price, quantity, budget: null, clientOrderId, stpMode };
}

/** Reads one order; never throws. `symbol` is null if it is missing (44444) or malformed (30014). */
export function draftOrder(parameters: Parameters): OrderDraft {
  const { values, fault } = readFields(orderParameters, parameters);
  const { symbol = null, side = null, type: kind = null } = values;
  if (fault !== null) return { fault, symbol, side, kind };
  if (symbol === null || side === null || kind === null)
    throw new TypeError('a required field is absent without a fault');
  const terms = termsOf(side, kind, values);
  return terms instanceof ApiError ? { fault: terms, symbol, side, kind } : { fault: null, symbol, side, kind, terms };
}
