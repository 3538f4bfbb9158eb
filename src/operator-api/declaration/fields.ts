import { z } from 'zod';
import { startOfDate } from '#base/calendar.ts';
import { engineLimits } from '#model/limits.ts';
import { accountOfReferCode, isInviteCode } from '#model/refer-code.ts';
import { hasAtMost } from '#model/text-length.ts';
import { fundsPurposes } from '#custody/custody.ts';
import { operatorLimits } from '#operator-api/declaration/limits.ts';

/** Parts of requests and answers, with their descriptions. Faults of them are clauses that begin with `must`. */

/** Decimal text, not negative, in whole coins. */
const decimalPattern = /^(?:0|[1-9]\d{0,17})(?:\.\d{1,18})?$/;

/** An amount in whole coins, to be read at the scale of its asset. */
export const amount = (description: string) =>
  z
    .string()
    .regex(decimalPattern, 'must be decimal text such as "12.5"')
    .meta({ description, examples: ['12.5'] });

/** An amount that a request may write with a minus sign. */
export const change = (description: string) =>
  z
    .string()
    .regex(/^-?(?:0|[1-9]\d{0,17})(?:\.\d{1,18})?$/, 'must be decimal text such as "-12.5"')
    .meta({ description, examples: ['12.5'] });

/** An amount of an answer; it may be negative. */
export const signedAmount = (description: string) =>
  z.string().meta({ description, pattern: '^-?(0|[1-9]\\d*)(\\.\\d+)?$', examples: ['-12.5'] });

/** What a hot wallet has too little of. */
export const lackingFunds = () =>
  z.strictObject({
    asset: assetCode('The coin; null: the native coin of the network, which is not listed there.').nullable(),
    missing: amount('How much more it needs at least; null: the coin is not listed.').nullable(),
    purpose: word(fundsPurposes, 'What for: `networkFee` where only network fees lack it.'),
  });

/** Visible text without line breaks. */
export const text = (description: string, lengthMax: number) =>
  z
    .string()
    .min(1)
    .refine((value) => hasAtMost(value, lengthMax), `must have at most ${lengthMax} characters`)
    .regex(/^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]*$/u, 'must not contain control characters')
    .meta({ description });

/** Ticker of an asset. */
export const assetCode = (description = 'Ticker of the asset.') =>
  z
    .string()
    .regex(/^[A-Z0-9]{2,12}$/, 'must be 2 to 12 capital letters and digits')
    .meta({ description, examples: ['USDT'] });

/** Name of a pair. */
export const pairName = (description = 'Name of the pair.') =>
  z
    .string()
    .regex(/^[A-Z0-9]{2,24}$/, 'must be 2 to 24 capital letters and digits')
    .meta({ description, examples: ['BTCUSDT'] });

/** Id of an order as its account knows it. */
export const orderId = (description = 'Id that the account knows the order by.') =>
  z
    .string()
    .regex(/^C02__100\d{15}$/, 'must be the id of an order, C02__ and 18 digits')
    .meta({ description, examples: ['C02__100000000000000001'] });

/** The half of an API key that is no secret. */
export const accessKey = () =>
  z
    .string()
    .regex(/^[A-Za-z0-9]{10,64}$/, 'must be 10 to 64 letters and digits')
    .meta({ description: 'The access key.', examples: ['mx0vglBqhzhnd7hVQM'] });

/** Name of a contract. */
export const contractName = (description = 'Name of the contract.') =>
  z
    .string()
    .regex(/^[A-Z0-9]{2,12}_[A-Z0-9]{2,12}$/, 'must be two tickers with an underscore between them')
    .meta({ description, examples: ['BTC_USDT'] });

/** Code of a network. */
export const networkCode = (description = 'Code of the network.') =>
  z
    .string()
    .regex(/^[A-Z0-9]{2,12}$/, 'must be 2 to 12 capital letters and digits')
    .meta({ description, examples: ['ETH'] });

/** Public number of an account. */
export const uid = (description = "The account's public number.") =>
  z
    .int()
    .min(1)
    .max(999_999_999)
    .meta({ description, examples: [10000001] });

/** A code under which an account invites: its refer code, or one that was made for it. */
export const inviteCode = (description: string) =>
  z
    .string()
    .refine((text) => accountOfReferCode(text) !== null || isInviteCode(text), 'must be an invite code')
    .meta({ description, examples: ['spring-2026'] });

/** A whole number. */
export const whole = (description: string, { min, max }: { readonly min: number; readonly max: number }) =>
  z.int().min(min).max(max).meta({ description });

/** True or false. */
export const flag = (description: string) => z.boolean().meta({ description });

/** One of a list of words. */
export const word = <const Words extends readonly [string, ...string[]]>(words: Words, description: string) =>
  z.enum(words).meta({ description });

/** Format of moments in JSON schemas, by which programs tell them from other whole numbers. */
export const momentFormat = 'unix-milliseconds';
/** What their descriptions end with. */
export const momentUnit = 'Milliseconds since 1970 UTC.';

/** Format of texts in JSON schemas that are the content of a file: a command takes its name. */
export const fileFormat = 'file-content';

/** Text that is kept in a file. */
export const fileText = (description: string, lengthMax: number) =>
  z.string().min(1).max(lengthMax).meta({ description, format: fileFormat });

/** A moment on the exchange's clock. */
export const moment = (description: string) =>
  z
    .int()
    .min(0)
    .meta({
      description: `${description} ${momentUnit}`,
      format: momentFormat,
      examples: [1_700_000_000_000],
    });

/** A day, from 00:00 to 24:00 UTC. */
export const date = (description: string) =>
  z
    .string()
    .refine((text) => startOfDate(text) !== null, 'must be a day such as "2026-01-31", in 1970 or later')
    .meta({ description: `${description} UTC.`, examples: ['2026-01-31'] });

/** Decimals of an asset's smallest unit. */
export const scale = (description: string) => whole(description, { min: 0, max: engineLimits.assetScale });

/** Parameters of a list that is read page by page. DEC-OPR-07. */
export const paging = {
  limit: z
    .int()
    .min(1)
    .max(operatorLimits.pageItemsMax)
    .default(operatorLimits.pageItemsDefault)
    .meta({ description: 'Most items of the page.' }),
  cursor: z
    .string()
    .max(operatorLimits.cursorLengthMax)
    .regex(/^[\w-]+$/, 'must be the nextCursor of an earlier page')
    .optional()
    .meta({ description: '`nextCursor` of the page before; without it the first page.' }),
};

/** Parameters of a list of what is past, newest first. */
export const past = {
  from: moment('Only from this moment on.').optional(),
  to: moment('Only up to this moment, itself included.').optional(),
  ...paging,
};

/** What a stream is written as. */
export const streamFormats = ['json', 'csv'] as const;

/** Parameters of a stream of what is past. */
export const streamed = {
  from: moment('Only from this moment on.').optional(),
  to: moment('Only up to this moment, itself included, not in the future.').optional(),
  format: z
    .enum(streamFormats)
    .default('json')
    .meta({ description: 'json: one JSON object a line; csv: a table with a header.' }),
};

/** A page of a list. */
export const page = <Item extends z.ZodType>(item: Item) =>
  z.strictObject({
    items: z.array(item),
    nextCursor: z.string().nullable().meta({ description: '`cursor` of the next page; null: this is the last one.' }),
  });
