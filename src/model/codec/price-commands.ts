import { amount, integer, text } from '#model/codec/field-codec.ts';
import { command, type SeldomCommand } from '#model/codec/seldom-command.ts';
import type { PriceCommand } from '#model/price-command.ts';

type Kinds = PriceCommand['kind'];

/** Commands about the prices that rules use in the journal; see `seldomCommands`. */
export const priceCommands: { readonly [Kind in Kinds]: SeldomCommand<Kind> } = {
  setReferencePrice: command(85, 'setReferencePrice', {
    asset: integer(),
    digits: amount(),
    decimals: integer(),
    validMs: integer(),
    reason: text(),
  }),
  removeReferencePrice: command(86, 'removeReferencePrice', { asset: integer(), reason: text() }),
};
