import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from 'node:http';
import { wireLimits } from '#api/limits.ts';
import { originForm } from '#http/request-target.ts';
import { isWebsocketUpgrade } from '#http/websocket-upgrade.ts';

/** Answers requests on Node's own server. */
export type Listener = (raw: IncomingMessage, response: ServerResponse) => void;

const { connection, request: limits } = wireLimits;

/** Node 24.9 and later ask a server which upgrades it takes and serve the other requests; earlier ones ignore this. */
interface UpgradeChoice {
  shouldUpgradeCallback(this: Server, request: IncomingMessage): boolean;
}
const upgradeChoice: UpgradeChoice = {
  shouldUpgradeCallback(request) {
    return this.listenerCount('upgrade') > 0 && isWebsocketUpgrade(request.headers.upgrade);
  },
};

/** Node's server under the exchange's limits of time and size; targets in absolute form arrive without their host. */
export function createNodeServer(listener: Listener): Server {
  return createServer(
    {
      ...(upgradeChoice as ServerOptions),
      // Address and headers count together here; transport-check.ts measures each on its own.
      maxHeaderSize: limits.headerBytes + limits.addressBytes + 1024,
      headersTimeout: connection.headersTimeoutMs,
      requestTimeout: connection.requestTimeoutMs,
      keepAliveTimeout: connection.keepAliveTimeoutMs,
      connectionsCheckingInterval: 1000,
      insecureHTTPParser: false,
      requireHostHeader: false,
    },
    (raw, response) => {
      const { url = '' } = raw;
      // One that is too long is refused as it came.
      if (url.length <= limits.addressBytes) raw.url = originForm(url);
      listener(raw, response);
    },
  );
}
