import { z } from 'zod';

/**
 * The vocabulary of answers. Answers are built by handlers and not checked while running; these schemas type the
 * handlers, feed OpenAPI and are checked by the tests of every endpoint.
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
/** A decimal, or empty where there is nothing to tell. */
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
/** How many; never negative. */
export const count = () => z.number().int().nonnegative();
export const symbolName = () => z.string().meta({ examples: ['BTCUSDT'] });
/** Always null here: a member that clients expect but that says nothing on this exchange. */
export const unused = () => z.null();
