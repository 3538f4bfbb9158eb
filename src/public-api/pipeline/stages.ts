import type { EndpointRequest } from '#public-api/pipeline/endpoint-request.ts';
import type { Gateway } from '#public-api/gateway.ts';
import { checkAccount } from '#public-api/pipeline/check-account.ts';
import { checkPermission } from '#public-api/pipeline/check-permission.ts';
import { checkTime } from '#public-api/pipeline/check-time.ts';
import { identifyKey } from '#public-api/pipeline/identify-key.ts';
import { matchRoute } from '#public-api/pipeline/match-route.ts';
import { readRequestParameters } from '#public-api/pipeline/read-parameters.ts';
import { spendAccountBudget } from '#public-api/pipeline/spend-account-budget.ts';
import { spendAddressBudget } from '#public-api/pipeline/spend-address-budget.ts';
import { verifySignature } from '#public-api/pipeline/verify-signature.ts';
import { checkAddress } from '#http/check-address.ts';

/** One check of a request: it throws to refuse, or adds its result to the request. */
export interface Stage {
  readonly name: string;
  /** `headers`: runs before the body is read, so that a refused request costs no more. */
  readonly when: 'headers' | 'body';
  /** Whether it applies to public endpoints. */
  readonly forPublic: boolean;
  readonly run: (request: EndpointRequest, gateway: Gateway) => void | Promise<void>;
}

/**
 * All checks before a handler, in the order of DEC-REQ-01, which is part of the behaviour. Transport limits come before
 * them, the parameters of the endpoint after.
 */
export const stages: readonly Stage[] = [
  {
    name: 'checkAddress',
    when: 'headers',
    forPublic: true,
    run: (request, { limits }) => checkAddress(request, limits),
  },
  { name: 'matchRoute', when: 'headers', forPublic: true, run: matchRoute },
  { name: 'spendAddressBudget', when: 'headers', forPublic: true, run: spendAddressBudget },
  { name: 'identifyKey', when: 'headers', forPublic: false, run: identifyKey },
  { name: 'readParameters', when: 'body', forPublic: true, run: readRequestParameters },
  { name: 'checkTime', when: 'body', forPublic: false, run: checkTime },
  { name: 'verifySignature', when: 'body', forPublic: false, run: verifySignature },
  { name: 'checkAccount', when: 'body', forPublic: false, run: checkAccount },
  { name: 'checkPermission', when: 'body', forPublic: false, run: checkPermission },
  { name: 'spendAccountBudget', when: 'body', forPublic: false, run: spendAccountBudget },
];
const headerStages = stages.filter((stage) => stage.when === 'headers');
const bodyStages = stages.filter((stage) => stage.when === 'body');

/** Runs stages in order; returns a promise only if a stage waits. */
function runStages(
  list: readonly Stage[],
  request: EndpointRequest,
  gateway: Gateway,
  from = 0,
): Promise<void> | undefined {
  for (let index = from; index < list.length; index += 1) {
    const stage = list[index] as Stage;
    // The route is known after the second stage; both stages before apply to every request.
    if (!stage.forPublic && request.route?.isSigned !== true) continue;
    const waiting = stage.run(request, gateway);
    if (waiting instanceof Promise) return waiting.then(() => runStages(list, request, gateway, index + 1));
  }
  return undefined;
}

/** Runs the stages that need headers only. @throws ApiError or TransportError of the first stage that refuses. */
export const checkHeaders = (request: EndpointRequest, gateway: Gateway): Promise<void> | undefined =>
  runStages(headerStages, request, gateway);
/** Runs the other stages, after the body was read. @throws likewise. */
export const checkBody = (request: EndpointRequest, gateway: Gateway): Promise<void> | undefined =>
  runStages(bodyStages, request, gateway);
