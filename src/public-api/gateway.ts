import type { AnyEndpoint } from '#public-api/declaration/endpoint.ts';
import { catalogue } from '#public-api/catalogue.ts';
import type { GatewayContext } from '#public-api/gateway-context.ts';
import type { EndpointLimits } from '#public-api/pipeline/endpoint-limits.ts';
import { type Routes, routesOf } from '#public-api/pipeline/route.ts';
import { KeyRing } from '#public-api/signing/key-ring.ts';
import { AnswerCounts } from '#http/answer-counts.ts';
import { createCrossOrigin, type CrossOrigin } from '#http/cross-origin.ts';
import type { RateLimits } from '#http/rate-limits.ts';
import type { SymbolDirectory } from '#market-data/symbol-directory.ts';

/*
 * The public HTTP side of the exchange: endpoints with API keys and signatures, and pages about the exchange.
 * `http-server.ts` opens a port on the floor `http`; `endpoint-listener.ts` receives requests to endpoints, `pipeline/`
 * checks them in the order of DEC-REQ-01, `signing/` contains keys and signatures, the areas have the handlers,
 * and `pages/` serve everything else. This file defines what they share. Commands go through `CommandIngress`, queries
 * through `ExchangeQueries`; nothing here uses the engine directly.
 */

/** Shared by all stages and handlers. */
export interface Gateway {
  readonly context: GatewayContext;
  readonly routes: Routes;
  readonly limits: RateLimits;
  readonly endpointLimits: EndpointLimits;
  readonly crossOrigin: CrossOrigin;
  readonly keyRing: KeyRing;
  readonly directory: SymbolDirectory;
  /** Names of the API key header in lower case, the main one first; and the main one as documented. */
  readonly keyHeaders: readonly string[];
  readonly keyHeaderName: string;
  /** Responses to requests without an endpoint. */
  readonly unrouted: AnswerCounts;
}

/** The side of the exchange that an endpoint belongs to. */
export type Surface = AnyEndpoint['surface'];

/** Limits that the gateways of one process share. DEC-LIM-08. */
export interface GatewayLimits {
  readonly limits: RateLimits;
  readonly endpointLimits: EndpointLimits;
}

/** Creates a gateway that serves these surfaces. */
export function createGateway(context: GatewayContext, surfaces: readonly Surface[], shared: GatewayLimits): Gateway {
  const { settings } = context;
  const keyHeaders = [settings.keyHeader, ...settings.keyHeaderAliases];
  return {
    ...shared,
    context,
    directory: context.market.directory,
    crossOrigin: createCrossOrigin({
      allowedOrigins: settings.allowedOrigins,
      allowsLoopback: settings.profile === 'sandbox',
      requestHeaders: ['Content-Type', ...keyHeaders],
      exposedHeaders: ['Retry-After', 'X-SVC-USED-WEIGHT', 'X-Bourse-Signed-Text', 'X-Bourse-Fault'],
    }),
    routes: routesOf(catalogue, { surfaces, isHardened: settings.hardenedPermissions }),
    keyRing: new KeyRing(context.unseal),
    keyHeaders: keyHeaders.map((name) => name.toLowerCase()),
    keyHeaderName: settings.keyHeader,
    unrouted: new AnswerCounts(),
  };
}

/** All surfaces. */
export const surfaces: readonly Surface[] = ['spot', 'futures'];
