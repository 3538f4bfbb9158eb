import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from 'node:http';
import { wireLimits } from '#http/limits.ts';
import { beginRequest, gateRequests } from '#http/request-gate.ts';
import { originForm } from '#http/request-context.ts';
import { isWebsocketUpgrade } from '#http/transport-check.ts';

/** Answers requests on Node's own server. */
export type Listener = (raw: IncomingMessage, response: ServerResponse) => void;

const { connection, request: limits } = wireLimits;

/**
 * Node 24.9 and later ask the server which upgrades it accepts and serve the other requests normally; earlier versions
 * ignore this option.
 */
interface UpgradeChoice {
  shouldUpgradeCallback(this: Server, request: IncomingMessage): boolean;
}
const upgradeChoice: UpgradeChoice = {
  shouldUpgradeCallback(request) {
    return this.listenerCount('upgrade') > 0 && isWebsocketUpgrade(request.headers.upgrade);
  },
};

/** Whether a client that ended its side gets the answer that is being made; without it Node ends the other side too. */
interface HalfOpenChoice {
  httpAllowHalfOpen: boolean;
}

/**
 * Creates Node's server with the limits of time and size, one request of a socket at a time; absolute request targets
 * arrive without scheme and host.
 */
export function createNodeServer(listener: Listener): Server {
  const server = createServer(
    {
      ...(upgradeChoice as ServerOptions),
      // Node counts request line and headers together; transport-check.ts limits each separately.
      maxHeaderSize: limits.headerBytes + limits.addressBytes + 1024,
      headersTimeout: connection.headersTimeoutMs,
      requestTimeout: connection.requestTimeoutMs,
      keepAliveTimeout: connection.keepAliveTimeoutMs,
      connectionsCheckingInterval: 1000,
      insecureHTTPParser: false,
      requireHostHeader: false,
    },
    (raw, response) => {
      beginRequest(raw, response);
      const { url = '' } = raw;
      // A target that is too long is refused, so it stays as it is.
      if (url.length <= limits.addressBytes) raw.url = originForm(url);
      listener(raw, response);
    },
  );
  (server as Server & HalfOpenChoice).httpAllowHalfOpen = true;
  gateRequests(server);
  return server;
}
