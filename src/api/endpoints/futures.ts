import { z } from 'zod';
import * as answer from '#api/answers.ts';
import { endpoint, isPublic } from '#api/endpoint.ts';
import * as field from '#api/fields.ts';

const shared = {
  group: 'futures',
  surface: 'futures',
  method: 'GET',
  access: isPublic,
  envelope: 'futures',
  weight: {},
} as const;

/** Described fields of a contract. SPEC-FUT-04. */
const contract = z.object({
  symbol: z.string(),
  displayName: z.string(),
  displayNameEn: z.string(),
  positionOpenType: z.number().int().min(1).max(3),
  baseCoin: z.string(),
  quoteCoin: z.string(),
  settleCoin: z.string(),
  contractSize: z.number(),
  minLeverage: answer.count(),
  maxLeverage: answer.count(),
  priceScale: answer.count(),
  volScale: answer.count(),
  amountScale: answer.count(),
  priceUnit: z.number(),
  volUnit: z.number(),
  minVol: z.number(),
  maxVol: z.number(),
  bidLimitPriceRate: z.number(),
  askLimitPriceRate: z.number(),
  takerFeeRate: z.number(),
  makerFeeRate: z.number(),
  maintenanceMarginRate: z.number(),
  initialMarginRate: z.number(),
  riskBaseVol: z.number(),
  riskIncrVol: z.number(),
  riskLongShortSwitch: z.number().int().min(0).max(1),
  riskBaseVolLong: z.number(),
  riskIncrVolLong: z.number(),
  riskBaseVolShort: z.number(),
  riskIncrVolShort: z.number(),
  riskIncrMmr: z.number(),
  riskIncrImr: z.number(),
  riskLevelLimit: answer.count(),
  priceCoefficientVariation: z.number(),
  indexOrigin: z.array(z.string()),
  state: z.number().int().min(0).max(4),
  apiAllowed: z.boolean(),
  conceptPlate: z.array(z.string()),
  riskLimitType: z.enum(['BY_VOLUME', 'BY_VALUE']),
  maxNumOrders: z.tuple([answer.count(), answer.count()]),
  type: z.number().int().min(1).max(2),
});

export const futuresPing = endpoint({
  ...shared,
  path: '/api/v1/contract/ping',
  spec: ['SPEC-FUT-01', 'SPEC-FUT-02'],
  name: 'Futures server time',
  summary: "The exchange's time.",
  request: field.nothing(),
  response: answer.moment(),
  errors: [],
});

export const futuresContracts = endpoint({
  ...shared,
  path: '/api/v1/contract/detail',
  spec: ['SPEC-FUT-03'],
  name: 'Futures contracts',
  summary: 'Rules of one contract, or of all.',
  request: z.object({ symbol: field.optional(field.contract()) }),
  response: z.union([contract, z.array(contract)]),
  errors: [],
});
