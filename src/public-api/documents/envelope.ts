import { z } from 'zod';
import type { Envelope } from '#public-api/declaration/endpoint.ts';

const wrappers: Readonly<Record<Envelope, (answer: z.ZodType) => z.ZodType>> = {
  bare: (answer) => answer,
  codeDataMsg: (data) => z.object({ code: z.literal(200), data, msg: z.string().nullable() }),
  codeDataMsgTimestamp: (data) =>
    z.object({
      data,
      code: z.literal(0),
      msg: z.string(),
      timestamp: z
        .number()
        .int()
        .meta({ examples: [1_700_000_000_000] }),
    }),
  group: (data) =>
    z.object({
      data,
      code: z.literal(200),
      msg: z.string(),
      timestamp: z
        .number()
        .int()
        .meta({ examples: [1_700_000_000_000] }),
    }),
  broker: (data) => z.object({ code: z.literal('0'), message: z.string(), data }),
  affiliatePage: (data) =>
    z.object({ success: z.literal(true), code: z.literal(0), message: z.string().nullable(), data }),
  futures: (data) => z.object({ success: z.literal(true), code: z.literal(0), data }),
};

/** Schema of a whole successful answer: what the handler answers in its envelope. */
export const wrappedAnswer = (envelope: Envelope, answer: z.ZodType): z.ZodType => wrappers[envelope](answer);
