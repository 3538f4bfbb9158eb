import { type Fault, type RejectReason, refusals, rejectReasons } from '#model/rejection.ts';

/** What a client should do about an error; `unknown`: the request may have taken effect. SPEC-CNV-17. */
export const retryAdvice = ['never', 'afterFixing', 'afterWaiting', 'unknown'] as const;
export type Retry = (typeof retryAdvice)[number];

/** An error as clients see it: code, HTTP status, text, and what to do about it. SPEC-CNV-16. */
export interface ErrorSpec {
  readonly code: number;
  readonly http: 400 | 401 | 403 | 404 | 405 | 408 | 413 | 414 | 415 | 417 | 418 | 429 | 431 | 500 | 503 | 504;
  /** Text of the response if nothing more specific is known; ends with a full stop. */
  readonly message: string;
  readonly retry: Retry;
}

const define = <const T extends Record<string, ErrorSpec>>(specs: T): Readonly<Record<keyof T, ErrorSpec>> => specs;
const business = (code: number, message: string, retry: Retry) => ({ code, http: 400, message, retry }) as const;
const fix = (code: number, message: string) => business(code, message, 'afterFixing');
const never = (code: number, message: string) => business(code, message, 'never');
const wait = (code: number, message: string) => business(code, message, 'afterWaiting');

/**
 * All error codes, by internal name (SPEC-CNV-18, SPEC-CNV-19). 730001 and 730002 have two meanings each, so two names.
 */
export const errors = define({
  unknownOrder: never(-2011, 'Unknown order sent.'),
  operationNotAllowed: never(26, 'Operation not allowed.'),
  apiKeyRequired: fix(400, 'API key required.'),
  noAuthority: { code: 401, http: 401, message: 'No authority.', retry: 'never' },
  accessDenied: { code: 403, http: 403, message: 'Access denied.', retry: 'afterWaiting' },
  tooManyRequests: { code: 429, http: 429, message: 'Too many requests.', retry: 'afterWaiting' },
  internalError: { code: 500, http: 500, message: 'Internal error. The outcome is unknown.', retry: 'unknown' },
  serviceUnavailable: { code: 503, http: 503, message: 'Service not available, retry.', retry: 'afterWaiting' },
  gatewayTimeout: { code: 504, http: 504, message: 'Gateway time-out. The outcome is unknown.', retry: 'unknown' },
  signatureMalformed: fix(602, 'Signature verification failed: a signature of 64 hexadecimal digits is required.'),
  unknownUser: never(10001, 'User does not exist.'),
  badSymbol: fix(10007, 'Bad symbol.'),
  userIdRequired: fix(10015, 'User id cannot be null.'),
  unknownAccessKey: fix(10072, 'Invalid access key.'),
  invalidRequestTime: fix(10073, 'Invalid request time.'),
  amountRequired: fix(10095, 'Amount cannot be null.'),
  tooManyAmountDecimals: fix(10096, 'Too many decimal places in the amount.'),
  wrongAmount: fix(10097, 'Amount is wrong.'),
  riskControlAbnormal: wait(10098, 'Risk control detected abnormal activity.'),
  subAccountNotOpened: never(10099, 'Sub-account not opened.'),
  currencyTransferNotSupported: never(10100, 'Transfers of this currency are not supported.'),
  insufficientBalance: fix(10101, 'Insufficient balance.'),
  amountNotPositive: fix(10102, 'Amount is zero or negative.'),
  accountTransferNotSupported: never(10103, 'Transfers between these accounts are not supported.'),
  transferInProcess: wait(10200, 'Transfer in process.'),
  transferInFailed: wait(10201, 'Transfer in failed.'),
  transferOutFailed: wait(10202, 'Transfer out failed.'),
  transferDisabled: wait(10206, 'Transfer disabled.'),
  transferForbidden: never(10211, 'Transfer forbidden.'),
  addressNotCommonlyUsed: fix(
    10212,
    'The withdrawal address is not on the list of commonly used addresses, or no longer valid.',
  ),
  noAddressAvailable: wait(10216, 'No address available, retry later.'),
  assetFlowWriteFailed: wait(10219, 'Asset flow writing failed, retry.'),
  currencyRequired: fix(10222, 'Currency cannot be null.'),
  unknownCurrency: fix(10232, 'Currency does not exist.'),
  intermediateAccountMissing: never(10259, 'Intermediate account not configured.'),
  withdrawalUnderRiskControl: wait(10265, 'Withdrawal unavailable because of risk control.'),
  remarkTooLong: fix(10268, 'Remark too long.'),
  subsystemNotSupported: never(20001, 'Subsystem not supported.'),
  internalSystemError: wait(20002, 'Internal system error.'),
  recordNotFound: never(22222, 'Record does not exist.'),
  tradingSuspended: wait(30000, 'Trading is suspended for this symbol.'),
  sideNotAllowed: never(30001, 'This order direction is not allowed.'),
  belowMinimum: fix(30002, 'Below the minimum transaction volume.'),
  aboveMaximum: fix(30003, 'Above the maximum transaction volume.'),
  insufficientPosition: fix(30004, 'Insufficient position.'),
  oversold: fix(30005, 'Oversold.'),
  noValidPrice: fix(30010, 'No valid trade price.'),
  invalidSymbol: fix(30014, 'Invalid symbol.'),
  tradingDisabled: wait(30016, 'Trading disabled.'),
  marketOrderDisabled: never(30018, 'Market orders are disabled.'),
  marketOrderByApiDisabled: never(30019, 'Market orders via API are disabled.'),
  noPermissionForSymbol: never(30020, 'No permission for this symbol.'),
  symbolNotTradable: never(30021, 'Invalid symbol.'),
  noOpposingOrder: wait(30025, 'No opposing order exists.'),
  invalidOrderIds: fix(30026, 'Invalid order ids.'),
  maximumPositionReached: never(30027, 'Maximum position reached, buying suspended.'),
  sellingUnderRiskControl: wait(30028, 'Platform risk control triggered, selling suspended.'),
  tooManyOpenOrders: fix(30029, 'Maximum number of open orders exceeded.'),
  maximumPositionExceeded: fix(30032, 'Maximum position exceeded.'),
  orderTypeNotAllowed: fix(30041, 'The current order type cannot place an order.'),
  invalidParameter: fix(33333, 'Parameter error.'),
  parameterRequired: fix(44444, 'Parameter cannot be null.'),
  accountAbnormal: wait(60005, 'Account abnormal.'),
  pairBannedForApi: never(70011, 'This pair is banned for trading by API key.'),
  apiKeyMalformed: fix(700001, 'API key format invalid.'),
  signatureInvalid: fix(700002, 'Signature for this request is not valid.'),
  timestampOutsideWindow: fix(700003, 'Timestamp for this request is outside of the recvWindow.'),
  orderRefRequired: fix(700004, "Parameter 'origClientOrderId' or 'orderId' must be sent."),
  recvWindowTooLarge: fix(700005, "Parameter 'recvWindow' must be less than 60000."),
  addressNotAllowed: never(700006, 'IP not on the whitelist of this key.'),
  noPermission: never(700007, 'No permission for this endpoint.'),
  illegalCharacters: fix(700008, 'Illegal characters in a parameter.'),
  contactSupport: never(730000, 'Request failed, contact customer service.'),
  pairNotFound: fix(730001, 'Pair not found.'),
  userInformationError: fix(730001, 'User information error.'),
  invalidInput: fix(730002, 'Input parameter invalid.'),
  subAccountParameterError: fix(730002, 'Parameter error.'),
  unsupportedOperation: never(730003, 'Unsupported operation.'),
  unusualUserStatus: never(730100, 'Unusual user status.'),
  userNameTaken: fix(730101, 'User name already exists.'),
  subAccountNameRequired: fix(730600, 'Sub-account name cannot be null.'),
  subAccountNameMalformed: fix(730601, 'Sub-account name must be 8 to 32 letters and digits.'),
  subAccountNoteRequired: fix(730602, 'Sub-account remarks cannot be null.'),
  apiKeyNoteRequired: fix(730700, 'API key remarks cannot be null.'),
  apiKeyPermissionRequired: fix(730701, 'API key permission cannot be null.'),
  unknownPermission: fix(730702, 'API key permission does not exist.'),
  tooManyBoundAddresses: fix(730703, 'IP information wrong: too many IPs bound.'),
  boundAddressMalformed: fix(730704, 'Bound IP format wrong.'),
  tooManyApiKeys: never(730705, 'At most 30 API keys can be created.'),
  unknownApiKey: never(730706, 'API key information does not exist.'),
  accessKeyRequired: fix(730707, 'accessKey cannot be null.'),
  unknownSubAccount: never(140001, 'Sub-account does not exist.'),
  subAccountForbidden: never(140002, 'Sub-account is forbidden.'),
});
export type ErrorName = keyof typeof errors;

/** Errors of the transport, which have no code of their own: the code is the HTTP status. DEC-REQ-20. */
export const transportErrors = define({
  malformedRequest: fix(400, 'Malformed HTTP request.'),
  unknownPath: { code: 404, http: 404, message: 'No such path.', retry: 'never' },
  methodNotAllowed: { code: 405, http: 405, message: 'Method not allowed on this path.', retry: 'never' },
  requestTimeout: { code: 408, http: 408, message: 'The request took too long.', retry: 'afterFixing' },
  bodyTooLarge: {
    code: 413,
    http: 413,
    message: 'Request body too large: at most 8 KiB and 64 members; a batch 32 KiB and 20 orders.',
    retry: 'afterFixing',
  },
  addressTooLong: { code: 414, http: 414, message: 'Request address too long.', retry: 'afterFixing' },
  contentTypeNotSupported: {
    code: 415,
    http: 415,
    message: 'Content type or encoding not supported.',
    retry: 'afterFixing',
  },
  expectationNotMet: { code: 417, http: 417, message: 'Only 100-continue can be expected.', retry: 'afterFixing' },
  banned: {
    code: 418,
    http: 418,
    message: 'This address is banned for breaking request limits.',
    retry: 'afterWaiting',
  },
  headersTooLarge: { code: 431, http: 431, message: 'Request headers too large.', retry: 'afterFixing' },
});
export type TransportErrorName = keyof typeof transportErrors;

/** The refusal of an upgrade that names a listen key which is none. DEC-STR-01. */
export const unknownListenKey = {
  code: 401,
  http: 401,
  message: "Parameter 'listenKey' is no valid listen key.",
} as const;

/** Failures on the futures side, in its envelope; HTTP 200 except for limits. DEC-FUT-01, DEC-FUT-06. */
export const futuresErrors = {
  badParameter: { code: 600, http: 200, message: 'Parameter error.' },
  unknownContract: { code: 1001, http: 200, message: 'Contract does not exist.' },
  tooManyRequests: { code: 510, http: 429, message: 'Requests are too frequent.' },
  internalError: { code: 500, http: 200, message: 'Internal error.' },
  serviceUnavailable: { code: 501, http: 200, message: 'Service not available, retry.' },
} as const;
export type FuturesErrorName = keyof typeof futuresErrors;

/** Error of the futures side for each error; all that are not listed are `badParameter`. */
export const futuresErrorNames: Readonly<Partial<Record<ErrorName, FuturesErrorName>>> = {
  tooManyRequests: 'tooManyRequests',
  badSymbol: 'unknownContract',
  internalError: 'internalError',
  gatewayTimeout: 'internalError',
  serviceUnavailable: 'serviceUnavailable',
};

/** The public error of each refusal of the engine; a new reason without one does not compile. */
/** The public error of each refusal of the engine; a reason that names none does not compile. */
export const publicError = Object.fromEntries(
  rejectReasons.map((reason): [RejectReason, ErrorName] => [reason, refusals[reason].error]),
) as Readonly<Record<RejectReason, ErrorName>>;

const withoutStop = (text: string): string => (text.endsWith('.') ? text.slice(0, -1) : text);

/** Text of an error that names the parameter at fault and why. Ends with a full stop. */
export function errorText(name: ErrorName, fault: Fault): string {
  const { parameter, why } = fault;
  const reason = why === undefined ? '' : `: ${withoutStop(why)}`;
  if (parameter === undefined)
    return why === undefined ? errors[name].message : `${withoutStop(errors[name].message)}${reason}.`;
  if (name === 'parameterRequired') return `Parameter '${parameter}' is required${reason}.`;
  if (name === 'illegalCharacters') return `Parameter '${parameter}' holds characters that are not allowed${reason}.`;
  if (name === 'invalidParameter') return `Parameter '${parameter}' is invalid${reason}.`;
  return `${withoutStop(errors[name].message)}, parameter '${parameter}'${reason}.`;
}

/** A refusal for the client. `text` is sent to the client, so it must never contain confidential data. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly errorName: ErrorName;
  readonly parameter: string | null;
  readonly text: string;

  constructor(errorName: ErrorName, fault: Fault = {}) {
    const text = errorText(errorName, fault);
    super(text);
    this.errorName = errorName;
    this.parameter = fault.parameter ?? null;
    this.text = text;
  }
}

/** Error 44444: a required parameter is missing. */
export const missingParameter = (parameter: string): ApiError => new ApiError('parameterRequired', { parameter });
/** 33333; `why` is a clause such as `must be at most 5000`. */
export const invalidParameter = (parameter: string, why: string): ApiError =>
  new ApiError('invalidParameter', { parameter, why });
/** Error 700008: illegal characters. */
export const illegalParameter = (parameter: string, why?: string): ApiError =>
  new ApiError('illegalCharacters', why === undefined ? { parameter } : { parameter, why });
/**
 * The public error of an engine refusal; `why` replaces the general reason if the gateway knows the bounds, `parameter`
 * its parameter where the endpoint calls it otherwise.
 */
export function refusalError(reason: RejectReason, why?: string, parameter?: string): ApiError {
  return new ApiError(publicError[reason], {
    ...refusals[reason].fault,
    ...(why === undefined ? {} : { why }),
    ...(parameter === undefined ? {} : { parameter }),
  });
}

/** Body of every error answer on the spot side. DEC-REQ-19. */
export interface ErrorBody {
  readonly code: number;
  readonly msg: string;
}
/** Body of an error answer on the spot side. */
export const errorBody = (error: ApiError): ErrorBody => ({ code: errors[error.errorName].code, msg: error.text });

/** A refusal that has no code in the API's table: its code is the HTTP status. DEC-REQ-20. */
export class TransportError extends Error {
  override name = 'TransportError';
  readonly errorName: TransportErrorName;

  constructor(errorName: TransportErrorName) {
    super(transportErrors[errorName].message);
    this.errorName = errorName;
  }
}
