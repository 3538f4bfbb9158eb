import { z } from 'zod';

/**
 * Schemas of response fields. Handlers build responses, which are not validated at runtime; these schemas give the
 * handlers their types, are shown in OpenAPI, and are checked by the tests of every endpoint.
 */

/** A decimal as trimmed text: `0.0002`, `1220`, `0`. DEC-MKT-09. */
export const decimalText = () =>
  z
    .string()
    .regex(/^(0|[1-9]\d*)(\.\d*[1-9])?$/)
    .meta({ examples: ['0.0002'] });
/** A decimal that may fall below zero. */
export const signedDecimalText = () =>
  z
    .string()
    .regex(/^(?!-0$)-?(0|[1-9]\d*)(\.\d*[1-9])?$/)
    .meta({ examples: ['-0.0173'] });
/** A decimal, or empty if there is no value. */
export const decimalOrEmpty = () =>
  z
    .string()
    .regex(/^((0|[1-9]\d*)(\.\d*[1-9])?)?$/)
    .meta({ examples: ['1220', ''] });
/** Milliseconds since 1970 UTC. SPEC-MKT-24. */
export const moment = () =>
  z
    .number()
    .int()
    .nonnegative()
    .meta({ examples: [1_700_000_000_000] });
/** A count; never negative. */
export const count = () => z.number().int().nonnegative();
export const symbolName = () => z.string().meta({ examples: ['BTCUSDT'] });
/** Always null: clients expect the member, but this exchange has no value for it. */
export const unused = () => z.null();
