import { describe, expect, test } from 'vitest';
import { catalogue } from '#public-api/catalogue.ts';
import type { AnyEndpoint } from '#public-api/declaration/endpoint.ts';
import type { ErrorName } from '#http/errors.ts';
import { ApiError, errorBody, errors, publicError, refusalError, transportErrors } from '#http/errors.ts';
import { pipelineErrors } from '#public-api/declaration/pipeline-errors.ts';
import type { RejectReason } from '#model/rejection.ts';
import { rejectReasons } from '#model/rejection.ts';
import { codeFacts } from './spec-facts.ts';

const names = Object.keys(errors) as ErrorName[];

test('SPEC-CNV-18, SPEC-CNV-19: the record holds every specified code, twice where it means two things', () => {
  const held = names.map((name) => errors[name].code).sort((a, b) => a - b);
  const printed = codeFacts.flatMap(({ code, meanings }) => Array<number>(meanings).fill(code)).sort((a, b) => a - b);
  expect(held).toEqual(printed);
});

test('SPEC-CNV-16, DEC-REQ-19: the status is 400 for business codes and the code itself for those of HTTP', () => {
  const statuses = new Map(codeFacts.map(({ code, http }) => [code, http]));
  for (const name of names) expect([name, errors[name].http]).toEqual([name, statuses.get(errors[name].code)]);
});

test('SPEC-CNV-17: an outcome that may have happened is never called a failure to repeat', () => {
  const unknown = names.filter((name) => errors[name].retry === 'unknown');
  expect(unknown.map((name) => errors[name].code)).toEqual([500, 504]);
});

test('DEC-REQ-20: answers of the transport use the status as code, and their names are their own', () => {
  for (const [name, { code, http }] of Object.entries(transportErrors)) {
    expect([name, code]).toEqual([name, http]);
    expect(names).not.toContain(name);
  }
  const statuses = Object.values(transportErrors).map(({ http }) => http);
  expect(statuses).toEqual(expect.arrayContaining([404, 405, 413, 414, 415, 418, 431]));
});

describe('DEC-REQ-19: texts', () => {
  test('end with one full stop and are plain ASCII', () => {
    for (const { message } of [...Object.values(errors), ...Object.values(transportErrors)]) {
      expect(message).toMatch(/^[A-Za-z][ -~]*[^.]\.$/);
    }
  });

  test('name the parameter at fault and why', () => {
    const error = new ApiError('invalidParameter', { parameter: 'quantity', why: 'must be above zero' });
    expect(errorBody(error)).toEqual({ code: 33333, msg: "Parameter 'quantity' is invalid: must be above zero." });
    expect(new ApiError('parameterRequired', { parameter: 'price' }).text).toBe("Parameter 'price' is required.");
    expect(new ApiError('badSymbol', { parameter: 'symbol' }).text).toBe("Bad symbol, parameter 'symbol'.");
    expect(new ApiError('belowMinimum', { why: 'the amount cannot be less than 5 USDT.' }).text).toBe(
      'Below the minimum transaction volume: the amount cannot be less than 5 USDT.',
    );
  });

  test('of every refusal end with one full stop', () => {
    for (const reason of rejectReasons) expect(refusalError(reason).text).toMatch(/[^.]\.$/);
  });
});

describe('refusals of the engine', () => {
  const printed: Partial<Record<RejectReason, number>> = {
    unknownSymbol: 30014,
    tradingSuspended: 30000,
    apiTradingOff: 30016,
    sideNotAllowed: 30001,
    kindNotAllowed: 30041,
    marketNotAllowed: 30018,
    malformedOrder: 33333,
    belowMinimumQuantity: 30002,
    belowMinimumAmount: 30002,
    aboveMaximumAmount: 30003,
    priceOutsideBand: 30010,
    tooManyOpenOrders: 30029,
    clientOrderIdInUse: 33333,
    wouldTakeLiquidity: 30041,
    noOpposingOrder: 30025,
    notEnoughQuote: 30004,
    notEnoughBase: 30005,
    unknownOrder: -2011,
    tooManyGroups: 26,
    unknownGroup: 22222,
    notOfThisMaster: 140001,
    tooManyKeys: 730705,
    tooManyListenKeys: 730003,
    unknownListenKey: 33333,
    unknownAsset: 10232,
    notEnoughFunds: 10101,
    unknownNetwork: 33333,
    depositsOff: 10206,
    withdrawalsOff: 10206,
    wrongAmount: 10097,
    dailyCapExceeded: 10265,
    addressNotAllowed: 10212,
    ownAddress: 10211,
    unknownMemo: 33333,
    unknownWithdrawal: 22222,
    notCancellable: 26,
    requestIdInUse: 33333,
    unknownTarget: 10001,
    targetForbidden: 140002,
    targetNotUsable: 60005,
    sameAccount: 10211,
    sameWallet: 10103,
    notTransferable: 10100,
    notConvertible: 10100,
    nothingLeft: 10097,
    tooManyConversions: 26,
    houseHasTooLittle: 10101,
    groupNameInUse: 33333,
    unknownKey: 730706,
    subAccountNameInUse: 730101,
    tooManySubAccounts: 26,
    futuresNotEnabled: 10099,
  };
  test('DEC-ORD-04, DEC-WAL-26: each reason has its specified code', () => {
    for (const [reason, code] of Object.entries(printed)) {
      expect([reason, errors[publicError[reason as RejectReason]].code]).toEqual([reason, code]);
    }
  });
});

/** Codes that nothing on this exchange answers yet; a later subject takes its names out of this list. */
const later: Readonly<Record<string, readonly ErrorName[]>> = {
  'sub-accounts': ['userIdRequired', 'unusualUserStatus', 'userInformationError', 'invalidInput'],
  futures: ['pairNotFound'],
  /** Specified, and kept for whoever runs the exchange with rules of his own: no rule leads to them. */
  unreachable: [
    'transferInProcess',
    'transferInFailed',
    'transferOutFailed',
    'assetFlowWriteFailed',
    'intermediateAccountMissing',
    'noAuthority',
    'internalSystemError',
    'marketOrderByApiDisabled',
    'noPermissionForSymbol',
    'symbolNotTradable',
    'invalidOrderIds',
    'maximumPositionReached',
    'sellingUnderRiskControl',
    'pairBannedForApi',
    'contactSupport',
  ],
};

test('every name is used by an endpoint, the pipeline or the engine, or waits for a later subject, never both', () => {
  const used = new Set<ErrorName>(Object.values(publicError));
  for (const { errors: own } of Object.values(catalogue) as readonly AnyEndpoint[])
    for (const name of own) used.add(name);
  for (const stage of Object.values(pipelineErrors)) for (const name of stage.errors) used.add(name);
  const waiting = Object.values(later).flat();
  expect(waiting.filter((name) => used.has(name))).toEqual([]);
  expect(names.filter((name) => !used.has(name) && !waiting.includes(name))).toEqual([]);
});
