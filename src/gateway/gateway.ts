import type { BanView } from '#domain/ban.ts';
import { noopSink } from '#domain/event-record.ts';
import type { EventSink } from '#domain/events.ts';
import type { AnyEndpoint } from '#api/endpoint.ts';
import { catalogue } from '#api/catalogue.ts';
import type { Admission } from '#gateway/admission.ts';
import type { ClientAddress } from '#gateway/client-address.ts';
import { createCrossOrigin, type CrossOrigin } from '#gateway/cross-origin.ts';
import type { Routes } from '#gateway/endpoint-plan.ts';
import { AnswerCounts, routesOf } from '#gateway/endpoint-plan.ts';
import type { GatewayContext } from '#gateway/gateway-context.ts';
import { KeyRing } from '#gateway/key-ring.ts';
import { SymbolDirectory } from '#gateway/symbol-directory.ts';

/*
 * The public side of the exchange over HTTP. `http-server.ts` receives, `pipeline/` checks in the one order that
 * decisions.md section 1 states, `handlers/` answer, `answer.ts` wraps. This file holds what they share. Nothing here
 * reaches into the engine: commands go through `CommandIngress`, questions through `ExchangeQueries`.
 */

/** What every stage and handler shares. */
export interface Gateway {
  readonly context: GatewayContext;
  readonly routes: Routes;
  readonly admission: Admission;
  readonly crossOrigin: CrossOrigin;
  readonly keyRing: KeyRing;
  readonly directory: SymbolDirectory;
  /** Names of the key header in lower case, the main one first, and its name as documented. */
  readonly keyHeaders: readonly string[];
  readonly keyHeaderName: string;
  /** False when limits are lifted. */
  readonly isLimited: boolean;
  /** Answers to requests that met no endpoint. */
  readonly unrouted: AnswerCounts;
  /** Facts of the exchange that the gateway follows; to be subscribed to the event feed. */
  readonly facts: EventSink;
  /** Whether this address may be banned at all. */
  mayBan(client: ClientAddress): boolean;
  /** Makes a ban durable; it counts here at once. */
  storeBan(ban: BanView): void;
}

/** The side of the exchange that an endpoint belongs to. */
export type Surface = AnyEndpoint['surface'];

/**
 * A gateway that serves these surfaces. Gateways of one process share one `admission`: what an address did on one port
 * counts on all of them. Subscribe its `facts` before `loadGateway` is called. DEC-LIM-08.
 */
export function createGateway(context: GatewayContext, surfaces: readonly Surface[], admission: Admission): Gateway {
  const { settings } = context;
  const directory = new SymbolDirectory();
  return {
    context,
    directory,
    admission,
    crossOrigin: createCrossOrigin(settings),
    routes: routesOf(catalogue, { surfaces, isHardened: settings.hardenedPermissions }),
    keyRing: new KeyRing(context.unseal),
    keyHeaders: [settings.keyHeader, ...settings.keyHeaderAliases].map((name) => name.toLowerCase()),
    keyHeaderName: settings.keyHeader,
    isLimited: settings.rateLimits,
    unrouted: new AnswerCounts(),
    facts: {
      ...noopSink,
      fact: (fact) => {
        directory.sink.fact(fact);
        if (fact.kind === 'addressBanned') admission.bans.learn(fact);
      },
    },
    mayBan: (client) => !client.isLoopback || settings.banLoopback,
    storeBan: (ban) => {
      const { address, until, times } = ban;
      context.log.warn({ address, until, times }, 'banned an address');
      context.ingress.post({ kind: 'banAddress', address, until, times }).catch((error: unknown) => {
        context.log.error({ err: error, address }, 'a ban could not be stored and ends with this process');
      });
    },
  };
}

/** Learns what the exchange holds already: its listing and the bans in force. */
export async function loadGateway(gateway: Gateway): Promise<void> {
  const { queries } = gateway.context;
  const [listing, bans] = await Promise.all([queries.listing(), queries.bans()]);
  gateway.directory.load(listing);
  for (const ban of bans) gateway.admission.bans.learn(ban);
}

/** Every surface there is. */
export const surfaces: readonly Surface[] = ['spot', 'futures'];
