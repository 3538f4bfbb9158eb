import { amount, integer, nullable, record, text } from '#model/codec/field-codec.ts';
import type { ReferencePrice } from '#model/reference-price.ts';

/** A price that an operator set. */
export const referencePrice = record<ReferencePrice>({
  asset: integer(),
  digits: amount(),
  decimals: integer(),
  validUntil: integer(),
  reason: text(),
  actor: nullable(text()),
  setAt: integer(),
});
