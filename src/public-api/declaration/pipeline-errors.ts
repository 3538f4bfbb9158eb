import type { Access } from '#public-api/declaration/endpoint.ts';
import type { ErrorName, TransportErrorName } from '#http/errors.ts';

/**
 * Errors of the pipeline before a handler runs, by stage in the order of DEC-REQ-01; every endpoint can answer them.
 */
export const pipelineErrors = {
  /** Limits of the transport, bans and the firewall. */
  admission: {
    errors: ['accessDenied', 'serviceUnavailable'],
    transport: [
      'malformedRequest',
      'requestTimeout',
      'expectationNotMet',
      'bodyTooLarge',
      'addressTooLong',
      'headersTooLarge',
      'banned',
      'unknownPath',
      'methodNotAllowed',
    ],
  },
  addressBudget: { errors: ['tooManyRequests'], transport: [] },
  key: { errors: ['apiKeyRequired', 'apiKeyMalformed', 'unknownAccessKey', 'addressNotAllowed'], transport: [] },
  parameters: { errors: ['invalidParameter', 'illegalCharacters'], transport: ['contentTypeNotSupported'] },
  time: {
    errors: ['invalidRequestTime', 'invalidParameter', 'recvWindowTooLarge', 'timestampOutsideWindow'],
    transport: [],
  },
  signature: { errors: ['signatureMalformed', 'signatureInvalid'], transport: [] },
  account: { errors: ['accountAbnormal', 'subAccountForbidden'], transport: [] },
  permission: { errors: ['noPermission'], transport: [] },
  accountBudget: { errors: ['tooManyRequests'], transport: [] },
  request: { errors: ['parameterRequired', 'invalidParameter', 'illegalCharacters'], transport: [] },
  handler: { errors: ['internalError', 'serviceUnavailable', 'gatewayTimeout'], transport: [] },
} as const satisfies Record<
  string,
  { readonly errors: readonly ErrorName[]; readonly transport: readonly TransportErrorName[] }
>;
export type PipelineStage = keyof typeof pipelineErrors;

const signedOnly: readonly PipelineStage[] = ['key', 'time', 'signature', 'account', 'permission', 'accountBudget'];

/** Every error that the pipeline can answer for an endpoint of this access, each once, in the order of the stages. */
export function pipelineErrorsOf(access: Access): readonly ErrorName[] {
  const names = new Set<ErrorName>();
  for (const [stage, { errors }] of Object.entries(pipelineErrors)) {
    if (access.kind === 'public' && signedOnly.includes(stage as PipelineStage)) continue;
    for (const name of errors) names.add(name);
  }
  return [...names];
}
