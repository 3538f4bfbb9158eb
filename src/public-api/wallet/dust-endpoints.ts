import * as answer from '#public-api/declaration/answers.ts';
import * as field from '#public-api/declaration/fields.ts';
import * as money from '#public-api/declaration/money-fields.ts';
import { z } from 'zod';
import { endpoint, signed } from '#public-api/declaration/endpoint.ts';
import { historyTimes, timesAscend } from '#public-api/declaration/fields.ts';
import { wireLimits } from '#http/limits.ts';
import { engineLimits } from '#model/limits.ts';

const { wallet: limits } = wireLimits;
const shared = { surface: 'spot', envelope: 'bare' } as const;

/** Endpoints of dust. */
export const walletDustEndpoints = {
  convertible: endpoint.get('/api/v3/capital/convert/list', {
    ...shared,
    spec: ['SPEC-WAL-16', 'DEC-WAL-07', 'DEC-WAL-177'],
    name: 'Convertible assets',
    summary: 'Assets of the account that a conversion would take now, and what it would give for each.',
    notes: 'code and message are always null: what cannot be converted is not listed.',
    access: signed('SPOT_ACCOUNT_READ'),
    weight: { ip: 1 },
    response: z.array(
      z.object({
        convertSvc: answer.decimalText(),
        convertUsdt: answer.decimalText(),
        balance: answer.decimalText(),
        asset: z.string(),
        code: answer.unused(),
        message: answer.unused(),
      }),
    ),
  }),
  convert: endpoint.post('/api/v3/capital/convert', {
    ...shared,
    spec: ['SPEC-WAL-17', 'DEC-WAL-07', 'DEC-WAL-35', 'DEC-WAL-36', 'DEC-WAL-79'],
    name: 'Convert dust',
    summary: 'Turns small free balances of up to 15 assets into the platform token.',
    notes: 'Each asset succeeds or fails on its own; failedList says why.',
    access: signed('SPOT_ACCOUNT_WRITE'),
    money: true,
    takesMoney: true,
    weight: { ip: 10 },
    request: z.object({ asset: money.assetList(engineLimits.assetsPerConversion) }),
    response: z.object({
      totalConvert: answer.decimalText(),
      convertFee: answer.decimalText(),
      successList: z.array(z.string()),
      failedList: z.array(z.object({ asset: z.string(), message: z.string(), code: z.number().int() })),
    }),
    errors: [
      'currencyRequired',
      'invalidParameter',
      'operationNotAllowed',
      'wrongAmount',
      'insufficientBalance',
      'currencyTransferNotSupported',
      'unknownCurrency',
      'transferDisabled',
      'tradingDisabled',
    ],
    example: { asset: 'DOGE,TRX' },
  }),
  conversions: endpoint.get('/api/v3/capital/convert', {
    ...shared,
    spec: ['SPEC-WAL-18'],
    name: 'Dust log',
    summary: 'Conversions of dust, newest first, each with its assets, by pages.',
    notes: 'All of them unless a time is given.',
    access: signed('SPOT_DEAL_READ'),
    weight: { ip: 1 },
    readsHistory: true,
    request: z.object({
      ...historyTimes,
      page: money.page(),
      limit: field.limit(limits.conversionsDefault, limits.pageRowsMax),
    }),
    rules: timesAscend,
    response: z.object({
      data: z.array(
        z.object({
          totalConvert: answer.decimalText(),
          totalFee: answer.decimalText(),
          convertTime: answer.moment(),
          convertDetails: z.array(
            z.object({
              id: z.string(),
              convert: answer.decimalText(),
              fee: answer.decimalText(),
              amount: answer.decimalText(),
              time: answer.moment(),
              asset: z.string(),
            }),
          ),
        }),
      ),
      totalRecords: answer.count(),
      page: answer.count(),
      totalPageNum: answer.count(),
    }),
    errors: ['invalidParameter'],
  }),
};
