import { z } from 'zod';
import * as answer from '#public-api/declaration/answers.ts';
import { isPublic } from '#public-api/declaration/endpoint.ts';
import * as field from '#public-api/declaration/fields.ts';

/** What every endpoint of the futures side has in common. */
export const shared = {
  group: 'futures',
  surface: 'futures',
  method: 'GET',
  access: isPublic,
  envelope: 'futures',
  weight: {},
} as const;

/** What every endpoint about one contract has in common. */
export const aboutContract = { ...shared, example: { symbol: 'BTC_USDT' } } as const;

/** Parameters of an endpoint about one contract. */
export const ofContract = { symbol: field.contract() } as const;

/** Parameters of a history by pages. SPEC-FUT-15, SPEC-FUT-16. */
export const pages = (sizeMax: number) => ({
  ...ofContract,
  page_num: field.withDefault(field.integer({ min: 1, max: 1_000_000 }, 'Which page, from 1.'), '1'),
  page_size: field.withDefault(field.integer({ min: 1, max: sizeMax }, 'Entries of a page.'), '20'),
});

/** A page of a history, newest first. */
export const page = <S extends z.ZodType>(entry: S) =>
  z.object({
    pageSize: answer.count(),
    totalCount: answer.count(),
    totalPage: answer.count(),
    currentPage: answer.count(),
    resultList: z.array(entry),
  });
