import { ApiError } from '#api/errors.ts';
import type { GatewayContext } from '#gateway/gateway-context.ts';
import type { Handlers } from '#gateway/handlers/handlers.ts';

type FuturesEndpoint = 'futuresPing' | 'futuresContracts';

/** Handlers of the futures endpoints that client libraries call when they load markets. DEC-FUT-05. */
export function futuresHandlers(context: GatewayContext): Pick<Handlers, FuturesEndpoint> {
  return {
    futuresPing: () => context.clock.now(),
    futuresContracts: ({ symbol }) => {
      if (symbol !== undefined) throw new ApiError('badSymbol', { parameter: 'symbol', why: 'no such contract' });
      return [];
    },
  };
}
